package dashboard_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// Each role sees the groups of what it may use, and the button to issue only who may.
func TestFrame_GroupsOfEachRole(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for role, expected := range map[nfse.Role]struct {
		groups string
		issues bool
	}{
		nfse.RoleOwner:      {"Emissão Cadastros Contabilidade Integrações Empresa Mais", true},
		nfse.RoleEditor:     {"Emissão Cadastros Contabilidade Integrações Empresa Mais", true},
		nfse.RoleViewer:     {"Emissão Cadastros Contabilidade Integrações Empresa Mais", false},
		nfse.RoleAccountant: {"Emissão Cadastros Contabilidade Empresa Mais", false},
		nfse.RoleDeveloper:  {"Emissão Cadastros Integrações Mais", false},
	} {
		p := s.signedIn(t, string(role)+"@example.com", s.Organization.ID, role)
		for _, path := range []string{s.at("/notes"), "/session"} {
			body := p.get(t, path).expect(t, http.StatusOK).body
			var groups []string
			for _, part := range strings.Split(body, `<ul aria-label="`)[1:] {
				name, _, _ := strings.Cut(part, `"`)
				groups = append(groups, name)
			}
			if found := strings.Join(groups, " "); found != expected.groups {
				t.Errorf("%s sees the groups %s on %s", role, found, path)
			}
			if issues := strings.Contains(body, "issue-note"); issues != expected.issues {
				t.Errorf("%s: issues is %t on %s", role, issues, path)
			}
		}
	}
}

// A company that uses no programs, works or events has nine entries in its menu; the others are below "Mais" until
// there is something in them, or the page is one of them.
func TestFrame_MenuOfWhatIsUsed(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	clinic, _, _ := s.NewOrganization(t, "Clínica nova")
	s.Exec(t, `DELETE FROM api_keys WHERE organization_id = $1`, clinic.ID)
	clinics := s.signedIn(t, "clinica@example.com", clinic.ID, nfse.RoleOwner)
	menu := func(p *person, address string) (inMenu, more string) {
		t.Helper()
		_, nav, _ := strings.Cut(p.get(t, address).expect(t, http.StatusOK).body, `<nav class="sections"`)
		nav, _, _ = strings.Cut(nav, "</nav>")
		inMenu, more, _ = strings.Cut(nav, "<details")
		return inMenu, more
	}
	inMenu, more := menu(clinics, s.of("/notes", clinic.ID, "test"))
	if entries := strings.Count(inMenu, "<li>"); entries != 9 {
		t.Errorf("the menu has %d entries: %s", entries, inMenu)
	}
	for _, path := range []string{"/catalogue/works", "/catalogue/events", "/status", "/integrations?"} {
		if strings.Contains(inMenu, `href="`+path) || !strings.Contains(more, `href="`+path) {
			t.Errorf("%s is not below the others", path)
		}
	}
	if strings.HasPrefix(more, " open") {
		t.Error("the others are open")
	}
	if _, more := menu(clinics, s.of("/catalogue/works", clinic.ID, "test")); !strings.HasPrefix(more, " open") {
		t.Error("where one of the others is read, they are closed")
	}
	s.work(t)
	if inMenu, _ := menu(owner, s.at("/notes")); !strings.Contains(inMenu, `href="/catalogue/works`) ||
		!strings.Contains(inMenu, `href="/integrations?`) {
		t.Error("what the company uses is not in the menu")
	}
}

// The company and the environment can be changed on pages of no organization as well, where
// those seen last are chosen.
func TestFrame_SwitchEverywhere(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Outra Ltda")
	operator := s.signedIn(t, "operator@example.com", "", "")
	operator.get(t, s.of("/", other.ID, "live")).expect(t, http.StatusOK)
	for _, path := range []string{"/operations", "/session", "/status"} {
		operator.get(t, path).expect(t, http.StatusOK,
			`<option value="`+other.ID+`" selected>Outra Ltda</option>`, `<option value="`+s.Organization.ID+`">`,
			`env=live&amp;org=`+other.ID+`" aria-current="true">Produção`, `href="/?env=test&amp;org=`+other.ID,
			`<strong>Outra Ltda</strong> <span>Produção</span>`)
	}
	member := s.signedIn(t, "dona@example.com", other.ID, nfse.RoleOwner)
	body := member.get(t, "/session").expect(t, http.StatusOK, `<option value="`+other.ID+`" selected>`).body
	if strings.Contains(body, s.Organization.ID) {
		t.Error("a member is offered the organization of others")
	}
}

// Where live notes go to an authority's test system, the switch itself says that they have no fiscal value.
func TestFrame_SwitchOfRestrictedProduction(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	const said = "Produção <small>restrita, sem valor fiscal</small>"
	expect := func(restricted bool, when string) {
		t.Helper()
		for _, environment := range []string{"test", "live"} {
			body := viewer.get(t, s.of("/notes", s.Organization.ID, environment)).expect(t, http.StatusOK).body
			if strings.Contains(body, said) != restricted {
				t.Errorf("%s, in %s: it is said: %v", when, environment, !restricted)
			}
		}
	}
	expect(false, "without a profile")
	profile := s.NewProfile(t, "national")
	expect(true, "in restricted production")
	profile.Production = true
	s.SetProfile(t, profile)
	expect(false, "in production")
}

// Above a page stand those that it is below, also where a form is answered; a section is below none.
func TestFrame_Crumbs(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	note := s.noteOf(t, s.TestKey, "pedido")
	customer := s.Call(t, http.MethodPost, "/v1/customers", s.TestKey,
		testkit.Body{"document": "52998224725", "name": "Maria"}).Text("id")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	for path, expected := range map[string]string{
		"/notes":                       "",
		"/integrations/requests":       "",
		"/notes/new":                   "Notas",
		"/notes/" + note:               "Notas",
		"/notes/" + note + "/messages": "Notas Nota",
		"/catalogue/customers/" + customer + "/taxation": "Clientes Tomador",
		"/integrations/deliveries":                       "Integrações",
		"/company/calendar":                              "Empresa",
		"/company/check":                                 "Empresa",
	} {
		if found := crumbsOf(owner.get(t, s.at(path)).expect(t, http.StatusOK).body); found != expected {
			t.Errorf("above %s stand %q, expected %q", path, found, expected)
		}
	}
	answered := owner.post(t, s.at("/catalogue/customers"), form("env", "test", "name", ""))
	if found := crumbsOf(answered.body); found != "Clientes" {
		t.Errorf("above the answer to a form stand %q", found)
	}
}

// crumbsOf are the names of the pages above a page.
func crumbsOf(body string) string {
	_, rest, _ := strings.Cut(body, `<nav class="crumbs"`)
	list, _, _ := strings.Cut(rest, "</nav>")
	var names []string
	for _, part := range strings.Split(list, "</a>") {
		if at := strings.LastIndex(part, ">"); strings.Contains(part, "<a ") {
			names = append(names, part[at+1:])
		}
	}
	return strings.Join(names, " ")
}

// An id in the audit log opens its record, in the record's environment; what the reader may
// not see, or has no page, is no link. What was done to one record is a link of its own.
func TestAudit_IdsOpenRecords(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	note := s.noteOf(t, s.TestKey, "pedido")
	for subject, livemode := range map[string]any{note: false, "key_x": true, "psk_x": nil} {
		s.Exec(t, `INSERT INTO audit_log (id, organization_id, livemode, actor_kind, actor_id, actor_from, request_id,
			action, subject_id) VALUES ($1, $2, $3, 'user', 'usr_x', '::1', '', 'note.cancel', $4)`,
			nfse.NewID(nfse.PrefixAuditEntry), s.Organization.ID, livemode, subject)
	}
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	query := "&amp;org=" + s.Organization.ID
	shown := owner.get(t, s.live("/audit")).expect(t, http.StatusOK, `href="/notes/`+note+`?env=test`+query+`"`,
		`href="/integrations/keys/key_x?env=live`+query+`"`, `<code title="psk_x">`,
		`href="/audit?env=live`+query+`&amp;subject=`+note)
	if strings.Contains(shown.body, `psk_x?`) {
		t.Error("a passkey has a page")
	}
	owner.get(t, s.at("/notes/"+note)).expect(t, http.StatusOK)
	accountant := s.signedIn(t, "accountant@example.com", s.Organization.ID, nfse.RoleAccountant)
	if body := accountant.get(t, s.live("/audit")).expect(t, http.StatusOK, note).body; strings.Contains(body, "/keys/") {
		t.Error("an accountant is led to an API key")
	}
}

// The frame in a browser: what is focused, what stays, what is sent once, what is a card.
func TestBrowser_Frame(t *testing.T) {
	long.Only(t, "looks at the frame of pages in a browser")
	t.Parallel()
	s := newSite(t, nil)
	w := &walker{site: s, browser: newBrowser(t, s)}
	w.signUp(t, "dona@example.com")
	w.do(t, waitFor(`main > .notice:focus`), click(`[data-close]`),
		chromedp.WaitNotPresent(chromedp.CSS(`.notice`)), waitFor(`#main:focus`))

	w.open(t, w.at("/notes"))
	var tabbed []string
	for range 4 { // to the content, search, home, issue
		w.do(t, chromedp.KeyEvent("\t"))
		tabbed = append(tabbed, w.answer(t, `document.activeElement.className`))
	}
	if found := strings.Join(tabbed, ", "); found != "skip, button palette-open, brand, button primary issue-note" {
		t.Errorf("Tab leads to %s", found)
	}
	w.do(t, chromedp.KeyEvent("?"), waitFor(`#help[open]`))
	w.do(t, waitFor(`#help button:focus`))
	w.look(t, "help")
	w.do(t, click(`#help button`), chromedp.WaitNotVisible(chromedp.CSS(`#help`)))
	w.do(t, click(`.account summary`))
	w.look(t, "account")
	w.do(t, click(`[data-help]`))
	w.do(t, waitFor(`#help[open]`))

	// Before the answer comes, a second click sends nothing; a page that is shown again sends again.
	w.open(t, w.at("/catalogue/customers/new"))
	if sent := w.answer(t, `(() => {
		let sent = 0;
		addEventListener("submit", event => { if (!event.defaultPrevented) sent++; event.preventDefault(); });
		const button = document.querySelector("main form[method=post] button.primary");
		const said = [];
		for (let i = 0; i < 2; i++) button.click();
		said.push(sent, button.getAttribute("aria-busy"));
		dispatchEvent(new PageTransitionEvent("pageshow", {persisted: true}));
		said.push(button.getAttribute("aria-busy"));
		button.click();
		said.push(sent);
		return said.join(" ");
	})()`); sent != "1 true  2" {
		t.Errorf("a form is sent, and its button busy: %q", sent)
	}

	// Choosing another organization leads there; the button is for who has no script.
	other, _, _ := s.NewOrganization(t, "Outra Ltda")
	w.member(t, "dona@example.com", other.ID, nfse.RoleOwner)
	w.open(t, w.at("/notes"))
	if shown := w.answer(t, `getComputedStyle(document.querySelector(".switch button")).display`); shown != "none" {
		t.Errorf("the button beside the organizations is shown: %s", shown)
	}
	w.do(t, chromedp.Evaluate[chromedp.Void](`(() => { const select = document.getElementById("organization");
		select.value = "`+other.ID+`"; select.dispatchEvent(new Event("change")); })()`),
		waitFor(`#organization:has(option[value="`+other.ID+`"][selected])`))
	w.shows(t, "Visão geral")

	s.noteOf(t, s.TestKey, "pedido")
	for width, display := range map[int64]string{599: "block", 600: "table-row", 768: "table-row"} {
		w.looks(t, width, "light")
		w.open(t, w.at("/notes"))
		w.fits(t, "notes")
		if shown := w.answer(t, `getComputedStyle(document.querySelector(".cards tbody tr")).display`); shown != display {
			t.Errorf("at %d a row is %s", width, shown)
		}
	}
	w.looks(t, 360, "light")
	w.open(t, w.at("/notes"))
	w.do(t, waitFor(`.where`))
	w.shows(t, s.Organization.Name)
}

// What a browser's tab and history show is the thing that a page is about, as its heading says it.
func TestFrame_TitleNamesWhatIsShown(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	owner := s.signedIn(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	service := s.NewService(t, s.TestKey)
	note := s.Issue(t, s.TestKey, testkit.Issuance(service, "pedido"))
	endpoint, _ := s.NewEndpoint(t, "https://example.com/a", false)
	tags := regexp.MustCompile(`<[^>]*>`)
	for _, path := range []string{"/notes", "/notes/" + note, "/catalogue/services/" + service, "/catalogue/services/new",
		"/catalogue/customers/" + s.Text(t, `SELECT id FROM customers`), "/catalogue/customers/new",
		"/integrations/endpoints/" + endpoint, "/integrations/keys/" + s.key(t).ID} {
		body := owner.get(t, s.at(path)).expect(t, http.StatusOK).body
		_, title, _ := strings.Cut(body, "<title>")
		title, _, _ = strings.Cut(title, " · Emissor</title>")
		_, heading, _ := strings.Cut(body, "<h1>")
		heading, _, _ = strings.Cut(heading, "</h1>")
		if heading = tags.ReplaceAllString(heading, ""); title == "" || heading != title {
			t.Errorf("%s: the title is %q, the heading %q", path, title, heading)
		}
	}
}
