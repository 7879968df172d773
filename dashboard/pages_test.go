package dashboard_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"emissor/internal/testkit"
	"emissor/nfse"
)

// Two people who change the same thing are told, and nobody's change is lost.
func TestPeople_TwoChangeARole(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	first := s.signedIn(t, "first@example.com", s.Organization.ID, nfse.RoleOwner)
	second := s.signedIn(t, "second@example.com", s.Organization.ID, nfse.RoleOwner)
	ana := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	address := s.at("/people/" + ana + "/role")
	seen := versionOf(t, first.get(t, s.at("/people")).body, ana)
	if versionOf(t, second.get(t, s.at("/people")).body, ana) != seen {
		t.Fatal("they see two versions")
	}
	first.post(t, address, form("role", "editor", "version", seen)).expect(t, http.StatusSeeOther)
	first.get(t, s.at("/people")).expect(t, http.StatusOK, "Papel mudado.")
	conflict := second.post(t, address, form("role", "owner", "version", seen)).
		expect(t, http.StatusConflict, "Outra pessoa mudou", "é agora Edição", "tinha escolhido Responsável")
	again := regexp.MustCompile(`name="version" value="([^"]+)"`).FindStringSubmatch(conflict.body)[1]
	second.post(t, address, form("role", "owner", "version", again)).expect(t, http.StatusSeeOther)
	if role := s.Text(t, `SELECT role FROM memberships WHERE user_id = $1`, ana); role != "owner" {
		t.Errorf("the role is %s", role)
	}
	first.post(t, address, form("role", "chief", "version", again)).expect(t, http.StatusBadRequest)
}

func versionOf(t *testing.T, body, userID string) string {
	t.Helper()
	form := regexp.MustCompile(`/people/` + userID + `/role[^>]*>.*\n.*name="version" value="([^"]+)"`).
		FindStringSubmatch(body)
	if form == nil {
		t.Fatalf("%s has no form\n%s", userID, body)
	}
	return form[1]
}

func TestPeople_LastOwnerStays(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.post(t, s.at("/people/"+owner.id+"/remove"), form()).expect(t, http.StatusConflict, "ao menos um responsável")
	version := versionOf(t, owner.get(t, s.at("/people")).body, owner.id)
	owner.post(t, s.at("/people/"+owner.id+"/role"), form("role", "viewer", "version", version)).
		expect(t, http.StatusConflict, "ao menos um responsável")
}

func TestPeople_InvitationForm(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	address := s.at("/people/invitations")
	owner.post(t, address, form("email", "nobody", "role", "viewer")).expect(t, http.StatusUnprocessableEntity,
		`href="#email"`, `value="nobody"`, `aria-describedby="email-problem"`)
	owner.post(t, address, form("email", "owner@example.com", "role", "viewer")).
		expect(t, http.StatusUnprocessableEntity, "já é membro")
	shown := owner.post(t, address, form("email", "ana@example.com", "role", "editor")).expect(t, http.StatusOK)
	link := regexp.MustCompile(regexp.QuoteMeta(s.base) + `(/link/[\w-]+)`).FindStringSubmatch(shown.body)[1]
	owner.get(t, s.at("/people")).expect(t, http.StatusOK, "ana@example.com", "Edição, Vence", "Revogar")
	if strings.Contains(owner.get(t, s.at("/people")).body, link) {
		t.Error("the link is shown again")
	}
	ana := s.stranger(t)
	ana.get(t, link).expect(t, http.StatusOK, "ana@example.com")
	owner.post(t, s.at("/people/invitations/"+s.Text(t, `SELECT max(id) FROM links`)+"/revoke"), form()).
		expect(t, http.StatusSeeOther)
	ana.get(t, link).expect(t, http.StatusGone)
}

func TestPeople_RecoveryLink(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	ana := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	owner.post(t, s.at("/people/"+ana+"/link"), form()).expect(t, http.StatusOK, s.base+"/link/")
	joined, _ := s.invitation(t, "ana@example.com", other.ID, nfse.RoleViewer)
	_, err := s.Changes().UseLink(t.Context(), strings.TrimPrefix(joined, "/link/"), ana)
	must(t, err)
	owner.post(t, s.at("/people/"+ana+"/link"), form()).expect(t, http.StatusNotFound)
	owner.get(t, s.at("/people")).expect(t, http.StatusOK, "também é de outra organização")
}

func TestNotes_FiltersAndPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, s.at("/notes")).expect(t, http.StatusOK, "Nenhuma nota ainda", "curl")
	id := s.noteOf(t, s.TestKey, "pedido-1")
	viewer.get(t, s.at("/notes")).expect(t, http.StatusOK, "pedido-1", "R$\u00a0150,00", "Na fila", "Maria da Silva",
		`data-label="Tomador"`)
	viewer.get(t, s.at("/notes")+"&q=pedido-1").expect(t, http.StatusOK, "pedido-1")
	viewer.get(t, s.at("/notes")+"&q=pedido-2").expect(t, http.StatusOK, "Nenhuma nota corresponde")
	if to := viewer.get(t, s.at("/notes")+"&q="+id).expect(t, http.StatusSeeOther).header.Get("Location"); to !=
		s.at("/notes/"+id) {
		t.Errorf("an id leads to %s", to)
	}
	viewer.get(t, s.at("/notes")+"&state=issued").expect(t, http.StatusOK, "Nenhuma nota corresponde")
	viewer.get(t, s.at("/notes")+"&since=2020-01-01&until=2020-01-31").expect(t, http.StatusOK,
		"Nenhuma nota corresponde")
	viewer.get(t, s.at("/notes")+"&since=x&state=lost").expect(t, http.StatusUnprocessableEntity, `href="#since"`,
		`href="#state"`)

	s.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id',
		'nfse_' || lpad(i::text, 26, '0'), 'reference', 'antiga-' || i))).* FROM notes n, generate_series(1, 60) i`)
	first := viewer.get(t, s.at("/notes")).expect(t, http.StatusOK, "pedido-1", "antiga-60", "antiga-12")
	if strings.Contains(first.body, "antiga-11<") || strings.Contains(first.body, `rel="prev"`) {
		t.Error("the first page has more than is on it")
	}
	next := regexp.MustCompile(`rel="next" href="([^"]+)"`).FindStringSubmatch(first.body)[1]
	older := viewer.get(t, strings.ReplaceAll(next, "&amp;", "&")).expect(t, http.StatusOK, "antiga-11", "antiga-1")
	if strings.Contains(older.body, "antiga-12<") || strings.Contains(older.body, `rel="next"`) {
		t.Error("the last page has what is not on it")
	}
	back := regexp.MustCompile(`rel="prev" href="([^"]+)"`).FindStringSubmatch(older.body)[1]
	viewer.get(t, strings.ReplaceAll(back, "&amp;", "&")).expect(t, http.StatusOK, "pedido-1", "antiga-12",
		`rel="next"`)
}

func TestNote_Page(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	service := s.NewService(t, s.TestKey)
	issued := s.Issue(t, s.TestKey, testkit.Issuance(service, "boa"))
	refused := testkit.Issuance(service, "ruim")
	refused["sandbox_scenario"] = "rejected"
	rejected := s.Issue(t, s.TestKey, refused)
	s.Await(t, s.TestKey, issued, nfse.StatusIssued)
	note := s.Await(t, s.TestKey, rejected, nfse.StatusRejected)
	viewer.get(t, s.at("/notes/"+issued)).expect(t, http.StatusOK, "<h1>boa</h1>", "Emitida", "R$\u00a0150,00",
		"Aceita, na fila", "529.982.247-25", "01310-100", "Baixar XML", "Linha do tempo")
	viewer.get(t, s.at("/notes/"+rejected)).expect(t, http.StatusOK, "Por que foi rejeitada",
		note.Text("rejection", "code"), "Sem XML")
	xml := viewer.get(t, s.at("/notes/"+issued+"/xml")).expect(t, http.StatusOK)
	if answered := s.Call(t, http.MethodGet, "/v1/nfse/"+issued+"/xml", s.TestKey,
		nil); xml.body != string(answered.Raw) ||
		!strings.HasPrefix(xml.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the XML is not the one of the API, %v", xml.header)
	}
}

// Stored text from callers is shown as text, whatever is in it.
func TestPages_HostileText(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	const hostile = `</title><script>alert(1)</script><img src=x onerror=alert(2)>"'{{.}}&amp;`
	s.Exec(t, `UPDATE organizations SET name = $1`, hostile)
	service := s.Call(t, http.MethodPost, "/v1/services", s.TestKey, testkit.Body{
		"name": hostile, "description": hostile, "municipality_code": "3550308", "default_amount_cents": 1,
	}).Expect(t, http.StatusCreated).Text("id")
	issuance := testkit.Issuance(service, hostile)
	customer := issuance["customer"].(testkit.Body)
	customer["name"] = hostile
	address := customer["address"].(testkit.Body)
	address["street"], address["district"], address["number"], address["complement"] = hostile, hostile[:60],
		hostile[:60], hostile
	id := s.Issue(t, s.TestKey, issuance)
	s.Exec(t,
		`UPDATE notes SET held_reason = $1, held_since = now(), status = 'rejected', rejection = jsonb_build_object(
		'source', 'authority', 'code', $1::text, 'message', $1::text, 'explanation', $1::text, 'action', $1::text),
		rejected_at = now()`, hostile)
	s.Exec(t, `UPDATE api_keys SET label = $1`, hostile)
	s.Exec(t, `INSERT INTO note_steps (note_id, what) VALUES ($1, $2)`, id, hostile)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.addPasskey(t)
	s.Exec(t, `UPDATE passkeys SET label = $1`, hostile)
	s.Exec(t, `UPDATE sessions SET data = jsonb_set(data, '{values,browser}', to_jsonb($1::text))`, hostile)
	for _, path := range []string{
		s.at("/"), s.at("/notes"), s.at("/notes") + "&q=" + url.QueryEscape(hostile), s.at("/notes/" + id),
		s.at("/people"),
		"/session", "/sign-in?next=" + url.QueryEscape("/"+hostile),
	} {
		page := owner.get(t, path)
		if strings.Contains(page.body, "<script>alert") || strings.Contains(page.body, "<img") ||
			strings.Contains(page.body, "</title><") {
			t.Errorf("%s has text as code\n%s", path, page.body)
		}
		if page.status == http.StatusOK && !strings.Contains(page.body, "&lt;script&gt;alert(1)") {
			t.Errorf("%s does not show the text", path)
		}
	}
}

// No page is heavy without its data, and every file of it is this host's.
func TestPages_Weight(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	files := 0
	for _, name := range []string{"style.css", "script.js", "icon.svg"} {
		files += len(owner.get(t, "/assets/"+name).expect(t, http.StatusOK).body)
	}
	for _, path := range []string{"/session", s.at("/"), s.at("/notes"), s.at("/people"), s.at("/integrations"),
		s.at("/integrations/receiver")} {
		body := owner.get(t, path).expect(t, http.StatusOK).body
		if weight := files + len(body); weight > 100_000 {
			t.Errorf("%s weighs %d bytes", path, weight)
		}
		for _, inline := range []string{"<style", "style=", "onclick", "javascript:", `src="http`} {
			if strings.Contains(body, inline) {
				t.Errorf("%s has %s", path, inline)
			}
		}
	}
}
