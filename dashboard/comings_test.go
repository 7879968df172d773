package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Owners see when members came and went, who was refused in their name, and how many
// sessions they have; viewers do not. A sign-in is in the log of each of the person's
// organizations, and of no other.
func TestPeople_ComingsAndGoings(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	elsewhere := s.signedIn(t, "diretora@example.com", other.ID, nfse.RoleOwner)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	device := ana.makesPasskey(t)

	// A wrong answer to a confirmation, and to a sign-in.
	wrong := device.answers(t, ana, "/confirm/options")
	wrong["response"].(map[string]string)["signature"] = toText([]byte("x"))
	ana.asJSON(t, "/confirm", wrong).expect(t, http.StatusForbidden)
	stranger := s.stranger(t)
	wrong = device.answers(t, stranger, "/sign-in/options")
	wrong["response"].(map[string]string)["signature"] = toText([]byte("x"))
	stranger.asJSON(t, "/sign-in", wrong).expect(t, http.StatusForbidden)

	// A link that was used up: looking is nothing, using it is on record.
	link := s.linkFor(t, nfse.LinkSignIn, ana.id)
	second := s.stranger(t)
	second.post(t, link, nil).expect(t, http.StatusSeeOther)
	stranger.get(t, link).expect(t, http.StatusGone)
	stranger.post(t, link, nil).expect(t, http.StatusGone)

	logged := func(action string) int {
		return s.Count(t, `SELECT count(*) FROM audit_log WHERE action = $1 AND subject_id = $2
			AND organization_id = $3`, action, ana.id, s.Organization.ID)
	}
	if signedIn, refused := logged("user.sign_in"), logged("user.refused"); signedIn != 2 || refused != 3 {
		t.Errorf("the log has %d sign-ins and %d refusals, expected 2 and 3", signedIn, refused)
	}
	people := owner.get(t, s.at("/people")).expect(t, http.StatusOK, "Sessões abertas",
		`<td class="number" data-label="Sessões abertas">2</td>`)
	if strings.Contains(people.body, "127.0.0.1") {
		t.Error("the page says from where members signed in")
	}
	second.post(t, "/session/sign-out", form()).expect(t, http.StatusSeeOther)
	if n := logged("user.sign_out"); n != 1 {
		t.Errorf("the log has %d sign-outs", n)
	}
	comings := []string{"entrou como <strong>ana@example.com</strong>", "saiu da sessão de <strong>",
		"não foi aceita, como <strong>ana@"}
	owner.get(t, s.at("/audit")).expect(t, http.StatusOK,
		append(comings, "<strong>Uma pessoa</strong> tentou entrar")...)

	for name, page := range map[string]page{
		"a viewer's audit page":                 ana.get(t, s.at("/audit")),
		"a viewer's people page":                ana.get(t, s.at("/people")),
		"the audit page of another's owner":     elsewhere.get(t, s.of("/audit", other.ID, "test")),
		"a viewer's audit page, asked for them": ana.get(t, s.at("/audit")+"&subject="+ana.id),
	} {
		page.expect(t, http.StatusOK)
		for _, one := range append(comings, "Sessões abertas", "Última entrada") {
			if strings.Contains(page.body, one) {
				t.Errorf("%s says %q", name, one)
			}
		}
	}
	ana.get(t, s.at("/audit")+"&action=user.sign_in").expect(t, http.StatusUnprocessableEntity)

	// Who is in two organizations is seen by the owners of both from now on.
	link, _ = s.invitation(t, "ana@example.com", other.ID, nfse.RoleViewer)
	ana.post(t, link, nil).expect(t, http.StatusSeeOther)
	s.stranger(t).post(t, s.linkFor(t, nfse.LinkSignIn, ana.id), nil).expect(t, http.StatusSeeOther)
	elsewhere.get(t, s.of("/audit", other.ID, "test")).expect(t, http.StatusOK, comings[0])
	if n := logged("user.sign_in"); n != 3 {
		t.Errorf("the first one's log has %d sign-ins", n)
	}
}

// Many refusals of one account do not fill the log.
func TestRefusals_OnRecordAreFew(t *testing.T) {
	t.Parallel()
	s := newSite(t, standing)
	ana := s.signedIn(t, "ana@example.com", s.Organization.ID, nfse.RoleOwner)
	device := ana.makesPasskey(t)
	for range 30 {
		wrong := device.answers(t, ana, "/confirm/options")
		wrong["response"].(map[string]string)["signature"] = toText([]byte("x"))
		ana.asJSON(t, "/confirm", wrong).expect(t, http.StatusForbidden)
	}
	if n := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'user.refused'`); n != 20 {
		t.Errorf("the log has %d refusals", n)
	}
}

// Each invitation may be a mail: one address gets few, and one owner makes some, for the
// organization that the next owner makes them for too.
func TestInvitations_AreLimited(t *testing.T) {
	t.Parallel()
	s := newSite(t, standing)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	invite := func(by *person, email string) page {
		return by.post(t, s.at("/people/invitations"), form("email", email, "role", "viewer"))
	}
	for range 5 {
		invite(owner, "victim@example.com").expect(t, http.StatusOK, "/link/")
	}
	invite(owner, "victim@example.com").expect(t, http.StatusTooManyRequests, "links demais",
		`value="victim@example.com"`)
	made := 5
	for ; made < 100; made++ {
		if invite(owner, nfse.NewID(nfse.PrefixRequest)+"@example.com").status == http.StatusTooManyRequests {
			break
		}
	}
	if made != 59 { // one was refused for its address
		t.Errorf("%d invitations were made in a row", made)
	}
	second := s.signedIn(t, "socia@example.com", s.Organization.ID, nfse.RoleOwner)
	invite(second, "third@example.com").expect(t, http.StatusTooManyRequests, "links demais")
	second.confirms(t, s.at("/people/"+owner.id+"/link"), form()).expect(t, http.StatusTooManyRequests, "links demais")

	other, _, _ := s.NewOrganization(t, "Escola")
	s.signedIn(t, "diretora@example.com", other.ID, nfse.RoleOwner).post(t,
		s.of("/people/invitations", other.ID, "test"), form("email", "victim@example.com", "role", "viewer")).
		expect(t, http.StatusOK, "/link/")
}

// Who operates the installation is named so to its organizations, and by no address.
func TestOperator_AddressIsNotShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	root := s.signedIn(t, "root@operations.example", "", "")
	note := s.note(t)
	root.post(t, s.at("/people/invitations"), form("email", "nova@example.com", "role", "viewer")).
		expect(t, http.StatusOK)
	s.Exec(t, `INSERT INTO note_steps (note_id, fact, user_id) VALUES ($1, $3, $2)`, note, root.id,
		fact.CancellationRequested.With("reason", "1"))
	for _, path := range []string{"/notes/" + note, "/audit"} {
		page := owner.get(t, s.at(path)).expect(t, http.StatusOK, "Operação da instalação")
		if strings.Contains(page.body, "root@") {
			t.Errorf("%s shows the address of an operator", path)
		}
		root.get(t, s.at(path)).expect(t, http.StatusOK, "root@operations.example")
	}
	found := owner.get(t, s.at("/audit")+"&actor=root@operations.example").expect(t, http.StatusOK)
	if strings.Contains(found.body, "convidou <strong>") {
		t.Error("the filter says whose address it is")
	}
	// A member of the organization is named, even one who also operates the installation.
	link, _ := s.invitation(t, "root@operations.example", s.Organization.ID, nfse.RoleOwner)
	root.post(t, link, nil).expect(t, http.StatusSeeOther)
	owner.get(t, s.at("/audit")).expect(t, http.StatusOK, "root@operations.example")
}
