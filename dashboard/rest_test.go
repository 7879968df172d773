package dashboard_test

import (
	"encoding/csv"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/format"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
)

// live is an address of the site's organization in live.
func (s *site) live(path string) string { return s.of(path, s.Organization.ID, "live") }

// email puts an e-mail of a live note on record and returns its id.
func (s *site) email(t *testing.T, note, status string, reason fact.Fact) string {
	t.Helper()
	id := nfse.NewID(nfse.PrefixEmail)
	s.Exec(t, `INSERT INTO emails (id, organization_id, livemode, note_id, status, reason, last_problem, resolved_at)
		SELECT $1, organization_id, livemode, id, $3::text, $4::jsonb, $4::jsonb,
			CASE WHEN $3 <> 'pending' THEN now() END FROM notes WHERE id = $2`, id, note, status, reason)
	return id
}

// entry puts an entry of the ledger on record that was made at a moment.
func (s *site) entry(t *testing.T, note, kind string, cents int64, moment time.Time) string {
	t.Helper()
	const timed = len(nfse.PrefixLedgerEntry) + 10 // characters of an id have its time
	id := nfse.FirstID(nfse.PrefixLedgerEntry, moment)[:timed] + nfse.NewID(nfse.PrefixLedgerEntry)[timed:]
	s.Exec(t, `INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
		SELECT $1, organization_id, livemode, id, $3, $4, $5 FROM notes WHERE id = $2`, id, note, kind, cents, moment)
	return id
}

func TestEmails_ListAndRetry(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	viewer.get(t, s.at("/emails")).expect(t, http.StatusOK, "No ambiente de teste nenhum e-mail")
	viewer.get(t, s.live("/emails")).expect(t, http.StatusOK, "Nenhum e-mail ainda")
	failed := s.email(t, s.noteOf(t, s.LiveKey, "com-falha"), "failed", fact.InWords("550 no such user"))
	other := s.email(t, s.noteOf(t, s.LiveKey, "outra-falha"), "failed", fact.InWords("550 no such user"))
	skipped := s.email(t, s.noteOf(t, s.LiveKey, "sem-endereco"), "skipped", fact.EmailWithoutAddress.Fact())
	sent := s.email(t, s.noteOf(t, s.LiveKey, "boa"), "sent", fact.Fact{})
	page := viewer.get(t, s.live("/emails")).expect(t, http.StatusOK, "com-falha", "550 no such user", "Enviado",
		"o tomador não tem endereço de e-mail")
	if strings.Contains(page.body, "/retry") {
		t.Error("who only reads is offered to send again")
	}
	only := viewer.get(t, s.live("/emails")+"&state=skipped").expect(t, http.StatusOK, "sem-endereco")
	if strings.Contains(only.body, "com-falha") {
		t.Error("the filter shows another state")
	}
	viewer.get(t, s.live("/emails")+"&q=x&state=lost&since=y").expect(t, http.StatusUnprocessableEntity, `href="#q"`,
		`href="#state"`, `href="#since"`)
	viewer.get(t, s.live("/emails")+"&since=2026-02-02&until=2026-02-01").expect(t, http.StatusUnprocessableEntity,
		"O último dia vem antes")

	live := form("env", "live")
	viewer.post(t, s.live("/emails/"+failed+"/retry"), live).expect(t, http.StatusForbidden)
	editor.post(t, s.live("/emails/"+failed+"/retry"), form()).expect(t, http.StatusConflict, "do outro ambiente")
	editor.post(t, s.at("/emails/"+failed+"/retry"), form()).expect(t, http.StatusNotFound)
	editor.post(t, s.live("/emails/"+sent+"/retry"), live).expect(t, http.StatusConflict, "já foi enviado")
	editor.post(t, s.live("/emails/"+skipped+"/retry"), live).expect(t, http.StatusSeeOther)
	editor.get(t, s.live("/emails")).expect(t, http.StatusOK, "está a caminho de novo")
	editor.post(t, s.live("/emails/retry-failed"), live).expect(t, http.StatusSeeOther)
	editor.get(t, s.live("/emails")).expect(t, http.StatusOK, "Os e-mails que falharam estão a caminho")
	for _, id := range []string{failed, other, skipped} {
		if status := s.Text(t, `SELECT status FROM emails WHERE id = $1`, id); status != "pending" {
			t.Errorf("the e-mail %s is %s", id, status)
		}
		if n := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'email.retry' AND subject_id = $1
			AND actor_id = $2`, id, editor.id); n != 1 {
			t.Errorf("the log has %d entries of it", n)
		}
	}
	if n := s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'email'`); n != 3 {
		t.Errorf("%d e-mails are in the outbox", n)
	}
	editor.post(t, s.live("/emails/retry-failed"), live).expect(t, http.StatusSeeOther)
	editor.get(t, s.live("/emails")).expect(t, http.StatusOK, "Nenhum e-mail tinha falhado")

	neighbour, _, key := s.NewOrganization(t, "Escola")
	theirs := s.email(t, s.noteOf(t, key, "vizinha"), "failed", fact.Fact{})
	editor.post(t, s.live("/emails/"+theirs+"/retry"), live).expect(t, http.StatusNotFound)
	if status := s.Text(t, `SELECT status FROM emails WHERE organization_id = $1`, neighbour.ID); status != "failed" {
		t.Errorf("another organization's e-mail is %s", status)
	}
}

func TestEmails_Pages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.noteOf(t, s.LiveKey, "primeira")
	s.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id',
		'nfse_' || lpad(i::text, 26, '0'), 'reference', 'antiga-' || i))).* FROM notes n, generate_series(1, 60) i`)
	s.Exec(t, `INSERT INTO emails (id, organization_id, livemode, note_id)
		SELECT replace(id, 'nfse_', 'eml_'), organization_id, livemode, id FROM notes WHERE reference LIKE 'antiga-%'`)
	for _, filter := range []string{"", "&state=pending"} {
		first := viewer.get(t, s.live("/emails")+filter).expect(t, http.StatusOK, "antiga-60", "antiga-11<")
		if strings.Contains(first.body, "antiga-10<") || strings.Contains(first.body, `rel="prev"`) {
			t.Error("the first page has more than is on it")
		}
		older := viewer.get(t, linkOf(t, first, "next")).expect(t, http.StatusOK, "antiga-10<", "antiga-1<")
		if strings.Contains(older.body, `rel="next"`) {
			t.Error("there is a page behind the last")
		}
		viewer.get(t, linkOf(t, older, "prev")).expect(t, http.StatusOK, "antiga-60", "antiga-11<", `rel="next"`)
	}
	viewer.get(t, s.live("/emails")+"&q="+s.Text(t, `SELECT id FROM notes WHERE reference = 'antiga-7'`)).
		expect(t, http.StatusOK, "antiga-7<")
}

// linkOf is the address of the page before or behind another.
func linkOf(t *testing.T, page page, rel string) string {
	t.Helper()
	found := regexp.MustCompile(`rel="` + rel + `" href="([^"]+)"`).FindStringSubmatch(page.body)
	if found == nil {
		t.Fatalf("there is no link to %s\n%s", rel, page.body)
	}
	return strings.ReplaceAll(found[1], "&amp;", "&")
}

// The days of the ledger are days in Brasília, also once they are closed.
func TestLedger_Periods(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, s.at("/ledger")).expect(t, http.StatusOK, "Lançamentos só tem o que foi emitido em produção")
	viewer.get(t, s.live("/ledger")).expect(t, http.StatusOK, "Nenhum lançamento neste período")
	note := s.noteOf(t, s.LiveKey, "pedido-1")
	second := s.noteOf(t, s.LiveKey, "pedido-2")
	lastOfMay := time.Date(2026, 5, 31, 23, 59, 59, 999_000_000, format.Zone)
	s.entry(t, note, "issued", 123456, lastOfMay)
	s.entry(t, note, "reversed", -123456, lastOfMay.Add(time.Millisecond))
	s.entry(t, second, "issued", 5000, lastOfMay.Add(12*time.Hour))
	s.entry(t, second, "reversed", -5000, time.Now())

	see := func() {
		t.Helper()
		may := viewer.get(t, s.live("/ledger")+"&since=2026-05-01&until=2026-05-31").expect(t, http.StatusOK,
			"pedido-1", "Emitida", "R$\u00a01.234,56", "1 lançamento<", "0 lançamentos<")
		if strings.Contains(may.body, "pedido-2") || strings.Contains(may.body, "−R$") {
			t.Errorf("May has what is of June\n%s", may.body)
		}
		viewer.get(t, s.live("/ledger")+"&since=2026-06-01&until=2026-06-30").expect(t, http.StatusOK, "pedido-2",
			"Estornada", "−R$\u00a01.234,56", "R$\u00a050,00", "−R$\u00a01.184,56")
		viewer.get(t, s.live("/ledger")+"&since=2026-05-01&until=2100-01-01").expect(t, http.StatusOK,
			"2 lançamentos<", "<strong>R$\u00a00,00</strong>")
		viewer.get(t, s.live("/ledger")).expect(t, http.StatusOK, "pedido-2", "−R$\u00a050,00")
	}
	see()
	s.Exec(t, `UPDATE notes SET competence = '2026-04-30' WHERE reference = 'pedido-1'`)
	viewer.get(t, s.live("/ledger")+"&since=2026-05-01&until=2026-05-31").expect(t, http.StatusOK, "Competência",
		">30/04/2026<")
	for range 2 { // May and June, which have ended; and nothing of today
		if closed, err := s.Store.Books.CloseLedgerDays(t.Context()); err != nil || closed != 1 {
			t.Fatalf("%d days are closed, %v", closed, err)
		}
	}
	if closed, err := s.Store.Books.CloseLedgerDays(t.Context()); err != nil || closed != 0 {
		t.Fatalf("%d more days are closed, %v", closed, err)
	}
	see()
	s.Exec(t, `UPDATE ledger_days SET issued_cents = 777`) // by which it is seen that they are used
	viewer.get(t, s.live("/ledger")+"&since=2026-05-31&until=2026-05-31").expect(t, http.StatusOK, "R$\u00a07,77")
	viewer.get(t, s.live("/ledger")+"&since=x").expect(t, http.StatusUnprocessableEntity, `href="#since"`)
	viewer.get(t, s.live("/ledger.csv")+"&since=9999-01-01").expect(t, http.StatusUnprocessableEntity)
}

// The CSV holds all of a period of any length, and nothing that a spreadsheet would take for a formula.
func TestLedger_CSV(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	note := s.noteOf(t, s.LiveKey, "=HYPERLINK(\"http://evil\")")
	s.Exec(t, `UPDATE notes SET customer = jsonb_set(customer, '{name}', to_jsonb('+1; "x"'::text)),
		competence = '2026-04-30'`)
	day := time.Date(2026, 5, 10, 9, 0, 0, 0, format.Zone)
	s.entry(t, note, "issued", 123456, day)
	s.entry(t, note, "reversed", -123456, day.Add(time.Hour))
	read := func(answer page) [][]string {
		t.Helper()
		answer.expect(t, http.StatusOK)
		text, marked := strings.CutPrefix(answer.body, "\ufeff")
		if !marked || !strings.HasPrefix(answer.header.Get("Content-Disposition"), "attachment") {
			t.Errorf("it is no file of UTF-8: %v", answer.header)
		}
		reader := csv.NewReader(strings.NewReader(text))
		reader.Comma = ';'
		rows, err := reader.ReadAll()
		must(t, err)
		return rows
	}
	period := "&since=2026-05-01&until=2026-05-31"
	rows := read(viewer.get(t, s.live("/ledger.csv")+period))
	if len(rows) != 3 || rows[1][0] != "2026-05-10 09:00:00" || rows[1][3] != "'=HYPERLINK(\"http://evil\")" ||
		rows[1][5] != `'+1; "x"` || rows[1][6] != "1234,56" || rows[2][6] != "-1234,56" || rows[1][7] != note ||
		rows[0][1] != "Competência" || rows[1][1] != "30/04/2026" || rows[2][1] != "30/04/2026" {
		t.Errorf("the rows are %q", rows)
	}
	english := viewer.send(t, http.MethodGet, s.live("/ledger.csv")+period,
		http.Header{"Accept-Language": {"en"}}, "", nil)
	english.expect(t, http.StatusOK, "Issued,\"'=HYPERLINK", ",1234.56,")
	if rows := read(viewer.get(t, s.at("/ledger.csv")+period)); len(rows) != 1 {
		t.Errorf("test has %q", rows)
	}

	s.Exec(t, `INSERT INTO notes SELECT added.* FROM notes n, generate_series(1, 2500) i,
		jsonb_populate_record(n, jsonb_build_object('id', 'nfse_' || lpad(i::text, 26, '0'),
			'reference', 'antiga-' || i)) added`)
	s.Exec(t, `INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
		SELECT left(first_id('led_', $1), -8) || right(id, 8), organization_id, livemode, id, 'issued', 1, $1::timestamptz
		FROM notes WHERE reference LIKE 'antiga-%'`, day)
	seen := map[string]bool{}
	for _, row := range read(viewer.get(t, s.live("/ledger.csv")+period)) {
		seen[row[8]] = true
	}
	if len(seen) != 2503 {
		t.Errorf("%d rows are different", len(seen))
	}
	first := viewer.get(t, s.live("/ledger")+period).expect(t, http.StatusOK, "2501 lançamentos")
	older := viewer.get(t, linkOf(t, first, "next")).expect(t, http.StatusOK, "antiga-", "2501 lançamentos")
	viewer.get(t, linkOf(t, older, "prev")).expect(t, http.StatusOK, "=HYPERLINK")
}

func TestAudit_Sentences(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	other, _, _ := s.NewOrganization(t, "Escola")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	ana := s.member(t, "ana@example.com", s.Organization.ID, nfse.RoleViewer)
	s.member(t, "vizinha@example.com", other.ID, nfse.RoleViewer)
	version := versionOf(t, owner.get(t, s.at("/people")).body, ana)
	owner.post(t, s.at("/people/"+ana+"/role"), form("role", "editor", "version", version)).
		expect(t, http.StatusSeeOther)
	page := owner.get(t, s.at("/audit")).expect(t, http.StatusOK,
		"<strong>owner@example.com</strong> alterou o papel de "+
			"<strong>ana@example.com</strong>", "<dt>papel</dt><dd><del>Leitura</del> → <ins>Edição</ins>",
		"<strong>A operação da instalação</strong> convidou")
	if strings.Contains(page.body, "vizinha@example.com") {
		t.Error("another organization's log is shown")
	}
	english := owner.send(t, http.MethodGet, s.at("/audit"), http.Header{"Accept-Language": {"en"}}, "", nil)
	english.expect(t, http.StatusOK, "</strong> changed the role of <strong>ana@example.com")
	sentence := "</strong> alterou o papel de <strong>ana"
	for query, there := range map[string]bool{
		"&actor=owner@example.com": true, "&actor=" + owner.id: true, "&actor=vizinha@example.com": false,
		"&action=member.set": true, "&action=key.create": false, "&subject=" + ana: true, "&subject=usr_x": false,
		"&since=2020-01-01": true, "&until=2020-01-01": false, "&since=2020-01-01&until=2020-02-01": false,
		"&of=all": true,
	} {
		found := owner.get(t, s.at("/audit")+query).expect(t, http.StatusOK)
		if strings.Contains(found.body, sentence) != there || strings.Contains(found.body, "<strong>vizinha") {
			t.Errorf("with %s it is in the log: %t\n%s", query, !there, found.body)
		}
	}
	owner.get(t, s.at("/audit")+"&action=lost&since=x").expect(t, http.StatusUnprocessableEntity, `href="#action"`,
		`href="#since"`)
	operator := s.signedIn(t, "operator@example.com", "", "")
	operator.get(t, s.at("/audit")+"&of=all").expect(t, http.StatusOK, "toda a instalação", "vizinha@example.com")

	s.Exec(t, `INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action,
			subject_id)
		SELECT 'aud_' || lpad(i::text, 26, '0'), $1, 'user', 'usr_gone', '::1', '', 'note.cancel', 'velha-' || i || '-'
		FROM generate_series(1, 60) i`, s.Organization.ID)
	first := owner.get(t, s.at("/audit")+"&action=note.cancel").expect(t, http.StatusOK, "velha-60-", "velha-11-",
		"Uma pessoa")
	older := owner.get(t, linkOf(t, first, "next")).expect(t, http.StatusOK, "velha-10-", "velha-1-")
	owner.get(t, linkOf(t, older, "prev")).expect(t, http.StatusOK, "velha-60-", "velha-11-", `rel="next"`)
}

// Every action is said in words.
func TestAudit_EveryActionHasWords(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	for _, action := range audit.Actions {
		s.Exec(t, `INSERT INTO audit_log (id, organization_id, actor_kind, actor_id, actor_from, request_id, action,
			subject_id) VALUES ($1, $2, 'key', 'key_x', '::1', '', $3, 'subject')`, nfse.NewID(nfse.PrefixAuditEntry),
			s.Organization.ID, action)
	}
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	shown := owner.get(t, s.at("/audit")).expect(t, http.StatusOK).body
	for _, action := range audit.Actions {
		if strings.Contains(shown, ">audit."+string(action)+"<") {
			t.Errorf("words has no audit.%s: give it one in words/rest.tsv", action)
		}
	}
}

func TestOperations_Page(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	owner.get(t, "/operations").expect(t, http.StatusNotFound)
	if body := owner.get(t, s.at("/")).body; strings.Contains(body, "/operations") {
		t.Error("an owner is shown the way to the operators' page")
	}
	operator.get(t, "/operations").expect(t, http.StatusOK, "PostgreSQL", "Nenhuma nota espera", s.Organization.ID,
		"nenhuma chamada ainda", "A fila está vazia")
	note := s.noteOf(t, s.LiveKey, "parada")
	const hostile = `<script>alert(1)</script>`
	s.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), held_reason = $1,
		held_since = now() - interval '2 hours'`, fact.InWords("certificate "+hostile))
	s.Exec(t, `UPDATE outbox SET last_error = 'engine away ' || $1, created_at = now() - interval '3 hours'`, hostile)
	s.Exec(t, `INSERT INTO fiscal_calls (note_id, what, outcome, status, reason, ended_at)
		VALUES ($1, 'issue', 'unknown', 503, $2, now())`, note, fact.InWords("busy "+hostile))
	s.Exec(t, `INSERT INTO distributions (id, authority, production, tax_id, failures, problem, problem_since)
		VALUES ('dst_1', 'national', true, '11222333000181', 7, $1, now())`, fact.InWords("refused "+hostile))
	s.Exec(t, `INSERT INTO municipal_parameters (authority, production, municipality_code, failure, failed_at)
		VALUES ('national', true, '3550308', $1, now())`, fact.InWords("gone "+hostile))
	s.Exec(t, `INSERT INTO keyset_reports (process_id, process, key_ids, primary_key_id)
		VALUES (gen_random_uuid(), 'worker-7 ' || $1, '{1}', 1)`, hostile)
	page := operator.get(t, "/operations").expect(t, http.StatusOK, "parada", "certificate &lt;script", "engine away",
		"está na fila há 3 h", "busy", "HTTP 503", "refused", "7 falhas", "gone", "São Paulo/SP", "worker-7",
		"da única chamada", "A última chamada")
	if strings.Contains(page.body, hostile) {
		t.Error("stored text is code")
	}
	for i := range 51 {
		s.NewOrganization(t, fmt.Sprintf("Clínica %03d", i))
	}
	more := regexp.MustCompile(`href="(/operations\?[^"]*organizations=[^"]+)"`).FindStringSubmatch(
		operator.get(t, "/operations").body)
	if more == nil {
		t.Fatal("there is no way to the other organizations")
	}
	operator.get(t, strings.ReplaceAll(more[1], "&amp;", "&")).expect(t, http.StatusOK, "Clínica 050")
}
