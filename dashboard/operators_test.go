package dashboard_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// An operator's pages do not grow with the number of organizations.
func TestOperator_ManyOrganizations(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	few := operator.get(t, s.at("/notes")).expect(t, http.StatusOK)
	if strings.Contains(few.body, "Todas as organizações") {
		t.Error("few organizations have a list of their own")
	}
	for i := range 30 {
		s.NewOrganization(t, fmt.Sprintf("Clínica %03d", i))
	}
	last := s.Text(t, `SELECT max(id) FROM organizations`)
	shown := operator.get(t, s.of("/notes", last, "test")).expect(t, http.StatusOK,
		`<option value="`+last+`" selected>`, `href="/operations#organizations"`)
	if offered := strings.Count(shown.body, `<option value="org_`); offered != 21 {
		t.Errorf("%d organizations are offered", offered)
	}
	operator.get(t, "/").expect(t, http.StatusSeeOther)
}

// What an operator sees of the installation: versions, the engine, and lists that go on.
func TestOperations_Health(t *testing.T) {
	t.Parallel()
	for says, engine := range map[string]*aEngine{
		"este processo não está ligado": nil, "respondeu em": {}, "não responde</strong> <code>no route": {
			problem: fmt.Errorf("no route")},
	} {
		s := newSite(t, optionsOf(engine))
		operator := s.signedIn(t, "operator@example.com", "", "")
		operator.get(t, "/operations").expect(t, http.StatusOK, says, "v1.2.3", "Programa e versão",
			"Papel no banco")
	}
}

func TestOperations_ListsGoOn(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	s.noteOf(t, s.LiveKey, "primeira")
	s.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id',
		'nfse_' || lpad(i::text, 26, '0'), 'reference', 'parada-' || i))).* FROM notes n, generate_series(1, 30) i`)
	s.Exec(t, `UPDATE notes SET held_reason = $1, held_since = '2026-01-01' WHERE reference LIKE 'parada-%'`,
		fact.NoFiscalProfile.Fact())
	s.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes ORDER BY id`)
	first := operator.get(t, "/operations").expect(t, http.StatusOK, "parada-1<", "parada-20<",
		"Mais notas", "Mais da fila")
	if strings.Contains(first.body, "parada-21<") || strings.Contains(first.body, "Voltar ao início das listas") {
		t.Error("the first page has more than is on it")
	}
	for _, list := range []string{"held", "outbox"} {
		more := operator.get(t, linkTo(t, first, "/operations?"+list)).expect(t, http.StatusOK, "Voltar ao início das listas")
		if list == "held" && (!strings.Contains(more.body, "parada-30<") || strings.Contains(more.body, "parada-20<")) {
			t.Errorf("the second page of %s is\n%s", list, more.body)
		}
		if strings.Contains(more.body, `href="/operations?`+list) {
			t.Errorf("there is a page behind the last of %s", list)
		}
	}
}

// optionsOf connect the dashboard to an engine; nil: to none.
func optionsOf(engine *aEngine) func(*frame.Options) {
	return func(options *frame.Options) {
		if options.Version = "v1.2.3"; engine != nil {
			options.Engine = *engine
		}
	}
}

// linkTo is the address in a page that begins so.
func linkTo(t *testing.T, page page, begins string) string {
	t.Helper()
	_, rest, found := strings.Cut(page.body, `href="`+begins)
	if !found {
		t.Fatalf("there is no link to %s\n%s", begins, page.body)
	}
	end, _, _ := strings.Cut(rest, `"`)
	return html.UnescapeString(begins + end)
}

// An operator sees whom alerts did not reach, and why.
func TestOperations_FailedAlerts(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	owner := s.member(t, "dona@example.com", s.Organization.ID, nfse.RoleOwner)
	s.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id, status, resolved_at, last_problem)
		VALUES ('alm_1', $1, $2, 'failed', now(), $3)`, owner, s.Organization.ID, fact.MailAddressWrong.Fact())
	operator.get(t, "/operations").expect(t, http.StatusOK, `href="#alert-mails"`, "dona@example.com",
		fact.MailAddressWrong.Fact().Portuguese())
}

// What is new in authorities' answers is listed once there is some, in both languages.
func TestOperations_Drift(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	if page := operator.get(t, "/operations").expect(t, http.StatusOK); strings.Contains(page.body, `id="drift"`) {
		t.Error("something is listed where nothing is new")
	}
	s.Exec(t, `INSERT INTO authority_drift (fingerprint, authority, call, production, status, media, news, copy)
		VALUES ('0123456789abcdef', 'national', 'issue', true, 201, 'application/json', '.novo text', '{}')`)
	operator.get(t, "/operations").expect(t, http.StatusOK, "Respostas em formato novo", ".novo text",
		"emissor authority drift show 0123456789abcdef")
}
