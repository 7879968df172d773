package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"emissor/dashboard"
	"emissor/nfse"
	"emissor/test/testkit"
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
	first.get(t, s.at("/people")).expect(t, http.StatusOK, "Papel alterado.")
	conflict := second.post(t, address, form("role", "owner", "version", seen)).
		expect(t, http.StatusConflict, "Outra pessoa mudou", "é agora Edição", "tinha escolhido Responsável")
	again := regexp.MustCompile(`name="version" value="([^"]+)"`).FindStringSubmatch(conflict.body)[1]
	second.confirms(t, address, form("role", "owner", "version", again)).expect(t, http.StatusSeeOther)
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
	owner.confirms(t, s.at("/people/"+owner.id+"/remove"), form()).
		expect(t, http.StatusConflict, "ao menos um responsável")
	version := versionOf(t, owner.get(t, s.at("/people")).body, owner.id)
	owner.confirms(t, s.at("/people/"+owner.id+"/role"), form("role", "viewer", "version", version)).
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
	owner.confirms(t, s.at("/people/invitations/"+s.Text(t, `SELECT max(id) FROM links`)+"/revoke"), form()).
		expect(t, http.StatusSeeOther)
	ana.get(t, link).expect(t, http.StatusGone)
}

func TestPeople_RecoveryLink(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	ana := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	owner.confirms(t, s.at("/people/"+ana+"/link"), form()).expect(t, http.StatusOK, s.base+"/link/")
	joined, _ := s.invitation(t, "ana@example.com", other.ID, nfse.RoleViewer)
	_, err := s.Changes().Access.UseLink(t.Context(), strings.TrimPrefix(joined, "/link/"), ana)
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
	viewer.get(t, s.at("/notes/"+issued)).expect(t, http.StatusOK, "<h1>NFS-e nº ", "boa</span>", "Emitida",
		"R$\u00a0150,00", "Aceita, na fila", "529.982.247-25", "01310-100", "Baixar XML", "Linha do tempo")
	viewer.get(t, s.at("/notes/"+rejected)).expect(t, http.StatusOK, "Por que foi rejeitada",
		note.Text("rejection", "code"), "Sem XML")
	xml := viewer.get(t, s.at("/notes/"+issued+"/xml")).expect(t, http.StatusOK)
	if answered := s.Call(t, http.MethodGet, "/v1/nfse/"+issued+"/xml", s.TestKey,
		nil); xml.body != string(answered.Raw) ||
		!strings.HasPrefix(xml.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the XML is not the one of the API, %v", xml.header)
	}
}

// No page is heavy without its data, every file of it is this host's, and each message
// of it has words.
func TestPages_Weight(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	s.member(t, "owner@example.com", "", "") // and an operator
	files := 0
	for _, name := range []string{"style.css", "script.js", "icon.svg"} {
		files += len(owner.get(t, "/assets/"+name).expect(t, http.StatusOK).body)
	}
	weighed := 0
	for _, route := range dashboard.Routes(s.pages) {
		if route.Method != "GET" {
			continue
		}
		one := probes["GET "+route.Path]
		path := one.path(t, s)
		if one.ofOrganization() {
			path = s.at(path)
		}
		page := owner.get(t, path)
		if !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
			continue // a file, or the way to another address
		}
		weighed++
		most := 100_000
		if route.Path == "/reference" { // all of the API, in English
			most = 150_000
		}
		if weight := files + len(page.body); weight > most {
			t.Errorf("%s weighs %d bytes", path, weight)
		}
		for _, inline := range []string{"<style", "style=", "onclick", "javascript:", `src="http`} {
			if strings.Contains(page.body, inline) {
				t.Errorf("%s has %s", path, inline)
			}
		}
		if key := messageKey.FindString(codeElement.ReplaceAllString(page.body, "")); key != "" {
			t.Errorf("%s shows the key of a message: %s", path, key)
		}
	}
	if weighed < 25 {
		t.Errorf("%d pages were weighed", weighed)
	}
}

var (
	codeElement = regexp.MustCompile(`(?s)<code.*?</code>|<option value="[^"]*"`)
	messageKey  = regexp.MustCompile(`>[^<]*\b(role|status|note|notes|keys|people|email|emails|deliveries|endpoints|` +
		`company|certificate|service|customer|classify|audit|operations|ledger|overview|session|frame)\.[a-z0-9_.]+`)
)
