package dashboard_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"emissor/dashboard"
	"emissor/dashboard/frame"
	"emissor/fiscal/certificate/certificatetest"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/long"
	"emissor/test/testkit"
)

// walkedAlways are the pages that a browser looks at in every test run.
var walkedAlways = []string{"overview", "notes", "note-rejected", "note-new", "company", "integrations"}

// walk are the pages that a browser looks at in each size, scheme and language: make test-long
// does. A new page gets a line.
var walk = []struct {
	name, route string
	path        func(w *walker) string
}{
	{"overview", "/{$}", func(w *walker) string { return w.at("/") }},
	{"notes", "/notes", func(w *walker) string { return w.at("/notes") }},
	{"search", "/search", func(w *walker) string { return w.at("/search") + "&q=pedido" }},
	{"notes-problem", "/notes", func(w *walker) string { return w.at("/notes") + "&since=x" }},
	{"note-issued", "/notes/{id}", func(w *walker) string { return w.at("/notes/" + w.issued) }},
	{"note-rejected", "/notes/{id}", func(w *walker) string { return w.at("/notes/" + w.rejected) }},
	{"messages", "/notes/{id}/messages", func(w *walker) string {
		return w.of("/notes/"+w.replaceable+"/messages", w.Organization.ID, "live")
	}},
	{"message", "/notes/{id}/messages/{message}", func(w *walker) string {
		return w.of("/notes/"+w.replaceable+"/messages/"+w.message, w.Organization.ID, "live")
	}},
	{"note-new", "/notes/new", func(w *walker) string { return w.at("/notes/new") }},
	{"note-copy", "/notes/new", func(w *walker) string { return w.at("/notes/new") + "&copy=" + w.issued }},
	{"note-of-customer", "/notes/new", func(w *walker) string {
		return w.at("/notes/new") + "&customer=" + w.customer
	}},
	{"note-again", "/notes/new", func(w *walker) string { return w.at("/notes/new") + "&from=" + w.rejected }},
	{"note-replace", "/notes/{id}/replace", func(w *walker) string {
		return w.of("/notes/"+w.replaceable+"/replace", w.Organization.ID, "live")
	}},
	{"received", "/received", func(w *walker) string { return w.live("/received") }},
	{"received-month", "/received", func(w *walker) string { return w.live("/received") + "&month=2026-11" }},
	{"received-test", "/received", func(w *walker) string { return w.at("/received") }},
	{"received-note", "/received/{key}", func(w *walker) string { return w.live("/received/" + receivedTestKey) }},
	{"batches", "/batches", func(w *walker) string { return w.at("/batches") }},
	{"batch", "/batches/{id}", func(w *walker) string { return w.at("/batches/" + w.aBatch) }},
	{"recurring", "/recurring", func(w *walker) string { return w.at("/recurring") }},
	{"recurring-new", "/recurring/new", func(w *walker) string { return w.at("/recurring/new") }},
	{"recurring-one", "/recurring/{id}", func(w *walker) string { return w.at("/recurring/" + w.aRecurrence) }},
	{"integrations", "/integrations", func(w *walker) string { return w.at("/integrations") }},
	{"key", "/integrations/keys/{id}", func(w *walker) string { return w.at("/integrations/keys/" + w.aKey) }},
	{"endpoint", "/integrations/endpoints/{id}",
		func(w *walker) string { return w.at("/integrations/endpoints/" + w.endpoint) }},
	{"deliveries", "/integrations/deliveries", func(w *walker) string { return w.at("/integrations/deliveries") }},
	{"delivery", "/integrations/deliveries/{id}",
		func(w *walker) string { return w.at("/integrations/deliveries/" + w.delivered) }},
	{"requests", "/integrations/requests", func(w *walker) string { return w.at("/integrations/requests") }},
	{"request", "/integrations/requests/{id}",
		func(w *walker) string { return w.at("/integrations/requests/" + w.refusedRequest) }},
	{"reference", "/reference", func(w *walker) string { return w.at("/reference") }},
	{"receiver", "/integrations/receiver", func(w *walker) string { return w.at("/integrations/receiver") }},
	{"services", "/catalogue/services", func(w *walker) string { return w.at("/catalogue/services") }},
	{"service-new", "/catalogue/services/new", func(w *walker) string { return w.at("/catalogue/services/new") }},
	{"service", "/catalogue/services/{id}", func(w *walker) string { return w.at("/catalogue/services/" + w.service) }},
	{"classification", "/catalogue/services/{id}/classification", func(w *walker) string {
		return w.at("/catalogue/services/" + w.service + "/classification")
	}},
	{"classification-asked", "/classify/{text}", func(w *walker) string { return w.asked }},
	{"service-taxation", "/catalogue/services/{id}/taxation", func(w *walker) string {
		return w.at("/catalogue/services/" + w.service + "/taxation")
	}},
	{"customer-taxation", "/catalogue/customers/{id}/taxation", func(w *walker) string {
		return w.at("/catalogue/customers/" + w.customer + "/taxation")
	}},
	{"customers", "/catalogue/customers", func(w *walker) string { return w.at("/catalogue/customers") }},
	{"customers-found", "/catalogue/customers", func(w *walker) string {
		return w.at("/catalogue/customers") + "&q=silva"
	}},
	{"customer-new", "/catalogue/customers/new", func(w *walker) string { return w.at("/catalogue/customers/new") }},
	{"customer", "/catalogue/customers/{id}",
		func(w *walker) string { return w.at("/catalogue/customers/" + w.customer) }},
	{"works", "/catalogue/works", func(w *walker) string { return w.at("/catalogue/works") }},
	{"work-new", "/catalogue/works/new", func(w *walker) string { return w.at("/catalogue/works/new") }},
	{"work", "/catalogue/works/{id}", func(w *walker) string { return w.at("/catalogue/works/" + w.aWork) }},
	{"events", "/catalogue/events", func(w *walker) string { return w.at("/catalogue/events") }},
	{"event-new", "/catalogue/events/new", func(w *walker) string { return w.at("/catalogue/events/new") }},
	{"event", "/catalogue/events/{id}", func(w *walker) string { return w.at("/catalogue/events/" + w.anEvent) }},
	{"company", "/company", func(w *walker) string { return w.issuesBy("national", "/company") }},
	{"calendar", "/company/calendar", func(w *walker) string { return w.at("/company/calendar") }},
	{"company-check", "/company/check", func(w *walker) string { return w.at("/company/check") }},
	{"certificate", "/company/certificates/new", func(w *walker) string { return w.at("/company/certificates/new") }},
	{"city-login", "/company/city-login", func(w *walker) string { return w.issuesBy("arealva", "/company/city-login") }},
	{"people", "/people", func(w *walker) string { return w.at("/people") }},
	{"emails", "/emails", func(w *walker) string { return w.of("/emails", w.Organization.ID, "live") }},
	{"emails-test", "/emails", func(w *walker) string { return w.at("/emails") }},
	{"email-template", "/emails/template", func(w *walker) string { return w.at("/emails/template") }},
	{"closing", "/closing", func(w *walker) string { return w.at("/closing") + "&month=" + thisMonth() }},
	{"closing-problem", "/closing", func(w *walker) string { return w.at("/closing") + "&month=x" }},
	{"books", "/closing/books", func(w *walker) string {
		return w.of("/closing/books", w.Organization.ID, "live") + "&month=" + thisMonth()
	}},
	{"ledger", "/ledger", func(w *walker) string { return w.of("/ledger", w.Organization.ID, "live") }},
	{"audit", "/audit", func(w *walker) string { return w.at("/audit") }},
	{"operations-closed", "/operations", func(w *walker) string { return "/operations" }},
	{"design-closed", "/design", func(*walker) string { return "/design" }},
	{"operations-check-closed", "/operations/check", func(w *walker) string { return "/operations/check" }},
	{"alerts", "/alerts", func(w *walker) string { return w.at("/alerts") }},
	{"status", "/status", func(*walker) string { return "/status" }},
	{"company-name-closed", "/operations/companies/{id}", func(w *walker) string { return "/operations/companies/x" }},
	{"session", "/session", func(*walker) string { return "/session" }},
	{"passkey", "/session/passkeys/new", func(*walker) string { return "/session/passkeys/new" }},
	{"not-found", "/", func(*walker) string { return "/nowhere" }},
}

// Every route that shows a page is walked.
func TestWalk_EveryPage(t *testing.T) {
	t.Parallel()
	walked := map[string]bool{}
	for _, path := range []string{ // no pages, on the way in, and to elsewhere
		"/health",
		"/assets/{file}",
		"/notes/{id}/xml",
		"/emails/template/logo",
		"/notes/{id}/danfse",
		"/status.json",
		"/openapi.yaml",
		"/notes.csv",
		"/ledger.csv",
		"/closing.csv",
		"/closing.xlsx",
		"/closing/archive/{id}",
		"/sign-in",
		"/link/{text}",
		"/oidc/anew",
		"/received.csv",
		"/received.zip",
		"/received/{key}/xml",
		"/received/{key}/danfse",
		"/oidc/sign-in",
		"/oidc/callback",
		"/oidc/confirm",
		"/oidc/link",
		"/notes/{id}/messages/{message}/xml",
		"/batches/{id}/result.csv",
		"/batches/template.csv",
		"/batches/template.xlsx",
	} {
		walked[path] = true
	}
	for _, page := range walk {
		walked[page.route] = true
	}
	for _, route := range dashboard.Routes(newSite(t, nil).pages) {
		if route.Method == "GET" && !walked[route.Path] {
			t.Errorf("no browser looks at %s: it has no line in walk", route.Path)
		}
	}
}

// walker is a site with something to see on every page, and a browser.
type walker struct {
	*site
	*browser
	issued, rejected          string
	replaceable, message      string // live, and the id of what its authority answered
	aKey, endpoint, delivered string
	service, customer         string
	aWork, anEvent, aBatch    string
	refusedRequest            string
	aRecurrence               string
	asked                     string                // the path of a link by which a stranger classifies the service
	chain                     certificatetest.Chain // of the certificates that the dashboard trusts
}

func newWalker(t *testing.T) *walker {
	t.Helper()
	chain := certificatetest.NewChain(t)
	s := newSiteOf(t, testkit.Options{Worker: true}, func(options *frame.Options) {
		hooksHere(options)
		options.Tables = suggesting(t)
		options.CertificateRoots = chain.Roots()
	})
	w := &walker{site: s, browser: newBrowser(t, s), chain: chain}
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, _ int) { fmt.Fprint(w, "recebido") })
	w.endpoint, _ = w.NewEndpoint(t, receiver.URL, false)
	w.aKey = w.key(t).ID
	service := w.NewService(t, w.TestKey)
	w.service = service
	w.aWork, w.anEvent, w.aBatch = w.work(t), w.culturalEvent(t), w.batch(t)
	w.customer = w.Call(t, http.MethodPost, "/v1/customers", w.TestKey,
		testkit.Body{"document": "52998224725", "name": "Maria da Silva"}).Text("id")
	w.aRecurrence = w.recurrence(t)
	w.NewProfile(t, "national")
	w.NewCertificate(t)
	refused := testkit.Issuance(service, "pedido-recusado")
	refused["sandbox_scenario"] = "rejected"
	w.issued = w.Issue(t, w.TestKey, testkit.Issuance(service, "pedido-emitido"))
	w.rejected = w.Issue(t, w.TestKey, refused)
	w.refusedRequest = w.refused(t)
	w.Await(t, w.TestKey, w.issued, nfse.StatusIssued)
	w.Await(t, w.TestKey, w.rejected, nfse.StatusRejected)
	w.replaceable = w.issuedLive(t, "pedido-vivo")
	w.received(t, w.Organization.ID, receivedTestKey)
	w.Exec(t, `INSERT INTO note_documents (note_id, xml) VALUES ($1, 'x')`, w.replaceable)
	w.message = "r" + w.Text(t, `SELECT max(id)::text FROM fiscal_exchanges WHERE note_id = $1`, w.replaceable)
	must(t, w.workerStore(t).Operate.RollUp(t.Context()))
	testkit.Eventually(t, "both events are delivered",
		func() bool { return w.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 2 })
	w.delivered = w.Text(t, `SELECT max(id) FROM deliveries`)
	w.member(t, "colega@example.com", w.Organization.ID, nfse.RoleViewer)
	w.invitation(t, "convidada@example.com", w.Organization.ID, nfse.RoleEditor)
	_, w.asked = w.asks(t, w.member(t, "editora@example.com", w.Organization.ID, nfse.RoleEditor), service)
	return w
}

// issuesBy is a page while the company issues by an authority.
func (w *walker) issuesBy(authority, path string) string {
	_ = w.SQL.MustExec(`UPDATE fiscal_profiles SET profile = jsonb_set(profile, '{authority}', to_jsonb($1::text))`,
		authority)
	return w.at(path)
}

const passkeyButton = `[data-passkey]`

// signUp comes in by a link, as a person does: button, passkey, first page.
func (w *walker) signUp(t *testing.T, email string) (userID string) {
	t.Helper()
	return w.signUpAs(t, email, nfse.RoleOwner)
}

func (w *walker) signUpAs(t *testing.T, email string, role nfse.Role) (userID string) {
	t.Helper()
	link, userID := w.invitation(t, email, w.Organization.ID, role)
	w.open(t, link)
	w.look(t, "link")
	w.do(t, click(`main form button`), waitFor(`#label`), typed(`#label`, "Notebook"), click(passkeyButton))
	w.shows(t, "Passkey criada.")
	return userID
}

// A person's way: in by a link and a passkey, out, in by the passkey, what is
// dangerous; then some pages, small and dark, and a filter without script.
func TestBrowser_Walk(t *testing.T) {
	t.Parallel()
	w := newWalker(t)
	id := w.signUp(t, "dona@example.com")
	w.open(t, "/session")
	w.shows(t, "Notebook")
	w.do(t, click(`main form[action="/session/sign-out"] button`), waitFor(passkeyButton))
	w.look(t, "sign-in")
	w.open(t, "/people")
	w.do(t, click(passkeyButton))
	w.shows(t, "colega@example.com")

	// A passkey that was used long ago: what is dangerous asks for it, and keeps the form.
	(&person{site: w.site, id: id}).verifiedAt(t, time.Now().Add(-time.Hour))
	w.do(t, typed(`#email`, "nova@example.com"), click(`form[action*="/people/invitations?"] button.primary`))
	w.shows(t, "Confirme que é você")
	w.look(t, "confirm")
	w.do(t, click(passkeyButton))
	w.shows(t, "Envie este link a nova@example.com")
	w.look(t, "new-link")

	// A new key, shown once.
	w.open(t, w.at("/integrations"))
	w.do(t, click(`details.new summary`), waitFor(`#label`), typed(`#label`, "Loja"),
		click(`form[action*="/integrations/keys?"] button.primary`))
	w.shows(t, "Aparece só agora")
	w.look(t, "new-key")
	w.do(t, click(`.secret + .actions .copy`), click(`.card > p:last-child a`))
	w.shows(t, "Como está agora")

	w.open(t, w.at("/notes/new"))
	w.do(t, chosen(`#service`, w.service), blank(`#reference`), typed(`#reference`, "a-revisar"),
		blank(`#amount_cents`), typed(`#amount_cents`, "150,00"))
	w.fillTaker(t)
	w.submit(t, "/notes?", "Revisar a nota")
	w.look(t, "review")
	w.open(t, w.at("/notes/"+w.issued))
	w.look(t, "note-issued-light")
	w.open(t, w.at("/notes"))
	w.do(t, waitFor(`#state`))
	w.open(t, w.at("/company/check"))
	w.do(t, click(`main form[action*="/company/check"] button.primary`))
	w.shows(t, "O que se viu")
	w.look(t, "company-check-found")
	w.looks(t, 360, "dark")
	w.fits(t, "company-check-found")
	for _, page := range walk {
		if !slices.Contains(walkedAlways, page.name) {
			continue
		}
		w.open(t, page.path(w))
		w.fits(t, page.name)
		w.look(t, page.name+"-dark-360")
	}
	w.becomeOperator(t, "dona@example.com")
	w.open(t, "/operations")
	w.do(t, waitFor(`section[aria-labelledby="outbox"] table`))
	w.fits(t, "operations")
	w.look(t, "operations-dark-360")
	command(t, w.browser, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	w.open(t, w.at("/notes"))
	w.do(t, click(`.fold > summary`), waitFor(`#state`), // folded on a phone
		chromedp.SetValue(chromedp.CSS(`#state`), "rejected"), click(`form.filter button`),
		chromedp.WaitNotPresent(chromedp.CSS(`a[href*="`+w.issued+`"]`)), click(`a[href*="`+w.rejected+`"]`),
		waitFor(`.rejection`))
}

// Every page in each language, size and scheme; and the keyboard alone.
func TestBrowser_Matrix(t *testing.T) {
	long.Only(t, "looks at every page in every language, size and scheme")
	t.Parallel()
	w := newWalker(t)
	w.signUp(t, "dona@example.com")
	for _, language := range []string{"en", "pt-BR"} {
		w.open(t, "/session")
		w.do(t, click(`main button[name=language][value="`+language+`"]`), waitFor(`html[lang="`+language+`"]`))
		for _, scheme := range []string{"light", "dark"} {
			for _, width := range []int64{360, 768, 1280} {
				w.looks(t, width, scheme)
				for _, page := range walk {
					w.open(t, page.path(w))
					w.see(t, page.name, language, scheme, width)
				}
			}
		}
	}
	w.becomeOperator(t, "dona@example.com")
	// In this order: what follows is asked for in Portuguese.
	for _, language := range []string{"en", "pt-BR"} {
		width := map[string]int64{"en": 360, "pt-BR": 1280}[language]
		w.open(t, "/session")
		w.do(t, click(`main button[name=language][value="`+language+`"]`), waitFor(`html[lang="`+language+`"]`))
		for _, scheme := range []string{"light", "dark"} {
			w.looks(t, width, scheme)
			for name, path := range map[string]string{"operations": "/operations", "design": "/design",
				"audit-of-all": w.at("/audit") + "&of=all", "note-operator": w.at("/notes/" + w.issued)} {
				w.open(t, path)
				w.see(t, name, language, scheme, width)
			}
		}
	}
	w.looks(t, 1280, "light")
	w.open(t, w.at("/notes"))
	// The protocol sends the character apart from its key, so that it arrives all the same.
	w.do(t, chromedp.KeyEvent("/"), waitFor(`#q:focus`), chromedp.KeyEvent("\bpedido-emitido\r"))
	w.shows(t, "Ver todas")
	testkit.Eventually(t, "the page listens to keys", func() bool {
		return w.answer(t, `document.readyState`) == "complete"
	})
	w.do(t, chromedp.KeyEvent("?"), waitFor(`#help[open]`), chromedp.KeyEvent("\r"),
		chromedp.WaitNotVisible(chromedp.CSS(`#help`)), chromedp.KeyEvent("j"), waitFor(`a.row:focus`),
		chromedp.KeyEvent("\r"), waitFor(`.timeline`))
}

// see looks at a page from every side.
func (w *walker) see(t *testing.T, name, language, scheme string, width int64) {
	t.Helper()
	w.fits(t, name)
	w.speaks(t, name, language)
	w.headsStay(t, name)
	w.look(t, fmt.Sprintf("%s-%s-%s-%d", name, language, scheme, width))
}

// becomeOperator makes the account that is signed in an operator as well, with something
// of everything that operators look at.
func (w *walker) becomeOperator(t *testing.T, email string) {
	t.Helper()
	w.member(t, email, "", "")
	w.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, next_attempt_at, attempts,
		last_error) SELECT 'resume', id, organization_id, livemode, reference, now() + interval '1 hour', 3,
		'dial tcp 10.0.0.7:7233: connect: connection refused' FROM notes WHERE id = $1`, w.issued)
	w.Exec(t, `INSERT INTO fiscal_calls (note_id, what, outcome, status, reason, ended_at)
		VALUES ($1, 'issue', 'unknown', 503, $2, now()), ($1, 'issue', 'accepted', 201, NULL, now())`, w.issued,
		fact.SefinAnsweredNothing.With("status", 503))
	w.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id, failures, problem, problem_since,
		start_after) VALUES ('dst_x', 'elsewhere', true, '11222333000181', 7, $1, now(),
			now() + interval '1 day')`, fact.ADNAnswered.With("status", 503))
	w.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, failure, failed_at,
		next_fetch_at) VALUES ('elsewhere', true, '3550308', $1, now(), now() + interval '1 day')`,
		fact.AnswerNotUnderstood.With("status", 503))
}

// A passkey that is on no record any more opens nothing.
func TestBrowser_RemovedPasskey(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	w := &walker{site: s, browser: newBrowser(t, s)}
	id := w.signUp(t, "dona@example.com")
	s.Exec(t, `DELETE FROM passkeys WHERE user_id = $1`, id)
	w.open(t, "/session")
	w.press(t, `main form[action="/session/sign-out"] button`)
	w.do(t, click(passkeyButton))
	w.shows(t, "A passkey não foi aceita")
}
