package dashboard_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"emissor/fiscal/danfse"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/outbox"
	"emissor/test/testkit"
)

// workerStore is the store as a worker has it, in its own role.
func (s *site) workerStore(t *testing.T) *store.Store {
	t.Helper()
	return testkit.OpenStore(t, s.As(testkit.Roles.Worker))
}

// issueForm is a form that issues a note.
func issueForm(service, reference string) url.Values {
	return form("reference", reference, "service", service, "amount_cents", "1.234,56", "tax_id", "529.982.247-25",
		"name", "Maria da Silva", "address.zip_code", "01310-100", "address.street", "Avenida Paulista",
		"address.number", "1578", "address.district", "Bela Vista", "scenario", "authorized")
}

// settled is a note of each end, by a worker.
func newSettled(t *testing.T) (s *site, service, issued, rejected string) {
	t.Helper()
	s = newSiteOf(t, testkit.Options{Worker: true}, nil)
	service = s.NewService(t, s.TestKey)
	refused := testkit.Issuance(service, "pedido-recusado")
	refused["sandbox_scenario"] = "rejected"
	issued = s.Issue(t, s.TestKey, testkit.Issuance(service, "pedido-emitido"))
	rejected = s.Issue(t, s.TestKey, refused)
	s.Await(t, s.TestKey, issued, nfse.StatusIssued)
	s.Await(t, s.TestKey, rejected, nfse.StatusRejected)
	return s, service, issued, rejected
}

// A note by hand is one, however often its form is sent, and says whose it is.
func TestIssue_ByHand(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/notes/new")).expect(t, http.StatusOK, service)
	first := editor.issues(t, s.at("/notes"), issueForm(service, "pedido-1")).expect(t, http.StatusSeeOther)
	again := editor.post(t, s.at("/notes"), issueForm(service, "pedido-1")).expect(t, http.StatusSeeOther)
	if first.header.Get("Location") != again.header.Get("Location") {
		t.Errorf("sent twice it leads to %s and %s", first.header.Get("Location"), again.header.Get("Location"))
	}
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 1 {
		t.Errorf("there are %d notes", notes)
	}
	id := s.Text(t, `SELECT id FROM notes WHERE api_key_id IS NULL AND user_id = $1 AND amount_cents = 123456`,
		editor.id)
	if entries := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'note.issue' AND actor_id = $1
		AND subject_id = $2`, editor.id, id); entries != 1 {
		t.Errorf("the audit log has %d entries", entries)
	}
	if rows := s.Count(t, `SELECT count(*) FROM outbox WHERE subject_id = $1`, id); rows != 1 {
		t.Errorf("the outbox has %d rows of it", rows)
	}
	editor.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK, "editor@example.com", "já era desta nota")

	other := issueForm(service, "pedido-1")
	other.Set("amount_cents", "2,00")
	editor.post(t, s.at("/notes"), other).expect(t, http.StatusUnprocessableEntity, "já é de outra nota",
		`href="#reference"`, `value="2,00"`)
	// The API knows the reference too.
	s.Call(t, http.MethodPost, "/v1/nfse", s.TestKey, testkit.Issuance(service, "pedido-1")).
		Expect(t, http.StatusConflict)
}

// Every problem is named at its field, and what was typed stays.
func TestIssue_Problems(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.post(t, s.at("/notes"), form("reference", " x ", "name", "<b>Ana</b>", "amount_cents", "abc")).
		expect(t, http.StatusUnprocessableEntity, `href="#reference"`, `href="#service"`, `href="#amount_cents"`,
			`href="#tax_id"`, `href="#address.street"`, "&lt;b&gt;Ana&lt;/b&gt;", `value="abc"`)
	for field, wrong := range map[string]struct{ value, says string }{
		"service":           {"srv_x", "não existe mais"},
		"tax_id":            {"111.111.111-11", "Confira os dígitos"},
		"address.zip_code":  {"1", "8 dígitos"},
		"municipality_code": {"3304557", "outro município"},
		"customer":          {"cus_x", "não os dois"},
		"description":       {"x", "de 3 a 2000"},
		"amount_cents":      {"0", "como 150,00"},
		"scenario":          {"other", "o que simular"},
	} {
		sent := issueForm(service, "pedido-"+field)
		sent.Set(field, wrong.value)
		editor.post(t, s.at("/notes"), sent).expect(t, http.StatusUnprocessableEntity, wrong.says)
	}
	onRecord := form("reference", "r", "service", service, "amount_cents", "1", "customer", "cus_x")
	editor.post(t, s.at("/notes"), onRecord).expect(t, http.StatusUnprocessableEntity, "Este tomador não está mais no cadastro")
	s.Call(t, http.MethodPatch, "/v1/services/"+service, s.TestKey, testkit.Body{"active": false})
	editor.post(t, s.at("/notes"), issueForm(service, "pedido-9")).
		expect(t, http.StatusUnprocessableEntity, "está inativo")
	if notes := s.Count(t, `SELECT count(*) FROM notes`); notes != 0 {
		t.Errorf("%d notes were accepted", notes)
	}
}

// After a rejection the form comes filled in, under another reference.
func TestIssue_Again(t *testing.T) {
	t.Parallel()
	s, service, _, rejected := newSettled(t)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/notes/"+rejected)).expect(t, http.StatusOK, "Corrigir e emitir de novo", "E0207")
	editor.get(t, s.at("/notes/new")+"&from="+rejected).expect(t, http.StatusOK, `value="pedido-recusado-2"`,
		`value="529.982.247-25"`, `value="`+service+`" selected`, "150,00")
	if viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer).
		get(t, s.at("/notes/"+rejected)).body; strings.Contains(viewer, "/notes/new") {
		t.Error("a viewer is offered to issue")
	}
}

// What the page shows of a request is the request: sent again it is a replay.
func TestNote_Curl(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	described := testkit.Issuance(service, "described")
	described["service"] = testkit.Body{"description": "L'eau & <b>"}
	described["iss_withheld"] = true
	s.Issue(t, s.TestKey, testkit.Issuance(service, "plain"))
	customer := s.Text(t, `SELECT id FROM customers`)
	onRecord := testkit.Body{"reference": "record", "service_id": service, "amount_cents": 100, "customer_id": customer,
		"sandbox_scenario": "slow"}
	s.Issue(t, s.TestKey, described)
	s.Issue(t, s.TestKey, onRecord)
	for _, reference := range []string{"plain", "described", "record"} {
		id := s.Text(t, `SELECT id FROM notes WHERE reference = $1`, reference)
		page := viewer.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK).body
		shown := regexp.MustCompile(`(?s)<code>curl .*? -d &#39;(.*?)&#39;</code>`).FindStringSubmatch(page)
		if shown == nil {
			t.Fatalf("no request is shown\n%s", page)
		}
		text := strings.NewReplacer("&#34;", `"`, `&#39;\&#39;&#39;`, "'", "&amp;", "&", "&lt;", "<", "&gt;", ">").
			Replace(shown[1])
		var body testkit.Body
		must(t, json.Unmarshal([]byte(text), &body))
		answer := s.Call(t, http.MethodPost, "/v1/nfse", s.TestKey, body).Expect(t, http.StatusAccepted)
		if answer.Text("id") != id || answer.At("idempotent") != true {
			t.Errorf("%s: sent again it is answered %v", reference, answer.JSON)
		}
	}
}

func TestNote_Cancel(t *testing.T) {
	t.Parallel()
	s, _, issued, rejected := newSettled(t)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	address := s.at("/notes/" + issued + "/cancel")
	editor.post(t, address, form("reason_code", "7", "reason_text", "curto")).expect(t, http.StatusUnprocessableEntity,
		`href="#reason_code"`, `href="#reason_text"`, `value="curto"`)
	reason := form("reason_code", "2", "reason_text", "serviço não prestado")
	editor.confirms(t, s.at("/notes/"+rejected+"/cancel"), reason).
		expect(t, http.StatusConflict, "não há o que cancelar")
	editor.confirms(t, address, reason).expect(t, http.StatusSeeOther)
	s.Await(t, s.TestKey, issued, nfse.StatusCancelled)
	editor.get(t, s.at("/notes/"+issued)).expect(t, http.StatusOK, "editor@example.com", "serviço não prestado",
		"Cancelamento pedido", "Aceito")
	if entries := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'note.cancel' AND actor_id = $1`,
		editor.id); entries != 1 {
		t.Errorf("the audit log has %d entries", entries)
	}
}

// A live note is cancelled only after a fresh passkey, and what was typed comes along.
func TestNote_CancelLive(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "national")
	service := s.NewService(t, s.LiveKey)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "vivo"))
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.addPasskey(t)
	editor.verifiedAt(t, time.Now().Add(-time.Hour))
	reason := url.Values{"env": {"live"}, "reason_code": {"1"}, "reason_text": {"emitida com erro"}}
	address := s.of("/notes/"+id+"/cancel", s.Organization.ID, "live")
	editor.post(t, address, reason).expect(t, http.StatusForbidden, "Confirme que", `value="emitida com erro"`,
		"<dd>vivo</dd>", `name="confirmed" value="yes"`)
	if asked := s.Count(t, `SELECT count(*) FROM notes WHERE cancellation_status IS NOT NULL`); asked != 0 {
		t.Error("it was cancelled all the same")
	}
	editor.verifiedAt(t, time.Now())
	editor.confirms(t, address, reason).expect(t, http.StatusSeeOther)
	if asked := s.Count(t, `SELECT count(*) FROM notes WHERE cancellation_status = 'pending'`); asked != 1 {
		t.Error("it was not cancelled")
	}
	other := url.Values{"env": {"live"}, "reason_code": {"1"}, "reason_text": {"outro motivo qualquer"}}
	editor.confirms(t, address, other).expect(t, http.StatusConflict, "está a caminho")

	s.Exec(t, `UPDATE notes SET held_reason = $2, held_since = now() WHERE id = $1`, id,
		fact.NoUsableCertificate.With("why", fact.CertificateMissing.Fact()))
	live := func(path string) string { return s.of(path, s.Organization.ID, "live") }
	editor.get(t, live("/notes/"+id)).expect(t, http.StatusOK, "nenhum certificado pode ser usado",
		"Tentar de novo agora", "/company")
	editor.get(t, live("/notes")+"&state=held").expect(t, http.StatusOK, "vivo")
	editor.get(t, live("/")).expect(t, http.StatusOK, "1 nota espera")
	editor.confirms(t, live("/notes/"+id+"/redrive"), url.Values{"env": {"live"}}).expect(t, http.StatusSeeOther)
	editor.get(t, live("/notes/"+id)).expect(t, http.StatusOK, "Posta a caminho de novo", "editor@example.com")
}

// What was not delivered can be sent again, by its own note only.
func TestNote_RetryDelivery(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.note(t)
	s.Exec(t, `INSERT INTO events (id, organization_id, livemode, note_id, type, payload, created_at)
		VALUES ('evt_0', $1, false, $2, 'nfse.issued', '{}', now())`, s.Organization.ID, id)
	s.Exec(t, `INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret)
		VALUES ('whe_1', $1, false, 'https://example.com/<hook>', 'sealed')`, s.Organization.ID)
	s.Exec(t, `INSERT INTO deliveries (id, organization_id, livemode, event_id, endpoint_id, status, reason,
			resolved_at)
		VALUES ('dlv_0', $1, false, 'evt_0', 'whe_1', 'failed', $2, now())`, s.Organization.ID,
		fact.InWords("gave up"))
	s.Exec(t, `INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, status, answer, problem)
		VALUES ('dlv_0', now(), 42, 500, '<script>alert(1)</script>', $1)`, fact.ReceiverAnswered.With("status", 500))
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.get(t, s.at("/notes/"+id)).expect(t, http.StatusOK, "&lt;script&gt;alert(1)", "42 ms", "Enviar de novo",
		"o receptor respondeu 500", "“gave up”",
		"https://example.com/&lt;hook&gt;")
	editor.get(t, s.at("/notes")+"&q=dlv_0").expect(t, http.StatusSeeOther)
	other := s.note(t)
	editor.post(t, s.at("/notes/"+other+"/deliveries/dlv_0/retry"), form()).expect(t, http.StatusNotFound)
	editor.post(t, s.at("/notes/"+id+"/deliveries/dlv_0/retry"), form()).expect(t, http.StatusSeeOther)
	if status := s.Text(t, `SELECT status FROM deliveries WHERE id = 'dlv_0'`); status != "pending" {
		t.Errorf("the delivery is %s", status)
	}
	if entries := s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'delivery.retry' AND actor_id = $1`,
		editor.id); entries != 1 {
		t.Errorf("the audit log has %d entries", entries)
	}
}

func TestNotes_FiltersAndSearch(t *testing.T) {
	t.Parallel()
	s, service, issued, rejected := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	number := s.Text(t, `SELECT authority_number FROM notes WHERE id = $1`, issued)
	key := s.Text(t, `SELECT access_key FROM notes WHERE id = $1`, issued)
	for _, name := range []string{issued, number, key, "NFS" + key} {
		page := viewer.get(t, s.at("/notes")+"&q="+url.QueryEscape(name)).expect(t, http.StatusSeeOther)
		if location := page.header.Get("Location"); !strings.Contains(location, issued) {
			t.Errorf("%s leads to %s", name, location)
		}
	}
	lists := func(query string, expected ...string) {
		t.Helper()
		body := viewer.get(t, s.at("/notes")+query).expect(t, http.StatusOK).body
		for _, id := range []string{issued, rejected} {
			wanted := strings.Contains(strings.Join(expected, " "), id)
			if strings.Contains(body, "/notes/"+id) != wanted {
				t.Errorf("%s lists %s: %t", query, id, !wanted)
			}
		}
	}
	lists("&state=issued", issued)
	lists("&q=pedido-emitido", issued)
	lists("&state=held")
	lists("&taker=529.982.247-25", issued, rejected)
	lists("&taker=52998224725&state=rejected", rejected)
	lists("&taker=MARI", issued, rejected)
	lists("&taker=ari")
	lists("&q=da+silva", issued, rejected)
	lists("&q=recusado", rejected)
	lists("&taker=silva&q=emitido", issued)
	month := string(nfse.MonthOf(nfse.DayOf(time.Now())))
	lists("&month="+month, issued, rejected)
	lists("&month="+month+"&state=rejected", rejected)
	lists("&month=2020-01")
	lists("&sort=amount", issued, rejected)
	lists("&sort=competence&state=issued", issued)
	viewer.get(t, s.at("/notes")+"&month="+month).expect(t, http.StatusOK, "<strong>2 notas · R$\u00a0300,00</strong>",
		`aria-current="true">Este mês`, "nº "+number)
	viewer.get(t, s.at("/notes")+"&month=x").expect(t, http.StatusUnprocessableEntity, "como 2026-11")
	lists("&q=maria", issued, rejected)
	lists("&reference=pedido-recusado", rejected)
	lists("&amount=150,00&since=2020-01-01", issued, rejected)
	lists("&amount=150,01&since=2020-01-01")
	lists("&service="+service+"&since=2020-01-01&state=issued", issued)
	lists("&q=nothing-of-this-name")
	lists("&until=2020-01-01")
	viewer.get(t, s.at("/notes")+"&amount=150,00").expect(t, http.StatusUnprocessableEntity, "escolha desde quando")
	viewer.get(t, s.at("/notes")+"&amount=x&since=2020-01-01").expect(t, http.StatusUnprocessableEntity, "como 150,00")
	viewer.get(t, s.at("/notes")+"&q=%00").expect(t, http.StatusNotFound)
}

// The file is what the list shows, and no cell of it is a formula.
func TestNotes_CSV(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	hostile := testkit.Issuance(service, "=cmd|' /C calc'!A0")
	hostile["customer"].(testkit.Body)["name"] = "@SUM(1;2)\"x"
	s.Issue(t, s.TestKey, hostile)
	for i := range 3 {
		s.Issue(t, s.TestKey, testkit.Issuance(service, strings.Repeat("+", i+1)))
	}
	s.Exec(t, `UPDATE notes SET competence = '2026-10-31'`)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	file := viewer.get(t, s.at("/notes.csv")+"&state=queued").expect(t, http.StatusOK)
	if kind := file.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/csv") {
		t.Errorf("it is %s", kind)
	}
	reader := csv.NewReader(strings.NewReader(strings.TrimPrefix(file.body, "\ufeff")))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	must(t, err)
	if len(rows) != 5 {
		t.Fatalf("the file has %d rows", len(rows))
	}
	if rows[0][4] != "Competência" || rows[1][4] != "31/10/2026" {
		t.Errorf("the competence is %q", rows[1])
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("%q is a formula", cell)
			}
		}
	}
	if !strings.Contains(file.body, "'=cmd|") || !strings.Contains(file.body, "150,00") {
		t.Errorf("the file is %s", file.body)
	}
	viewer.get(t, s.at("/notes.csv")+"&state=x").expect(t, http.StatusSeeOther)
	key := strings.Repeat("35503081", 6) + "00"
	s.Exec(t, `UPDATE notes SET status = 'cancelled', issued_at = now(), authority_issued_at = now(), access_key = $1,
		cancelled_at = '2026-11-22 12:00Z', cancellation_status = 'accepted', cancellation_requested_at = now(),
		cancellation_resolved_at = now() WHERE reference = '+'`, key)
	viewer.get(t, s.at("/notes.csv")+"&month=2026-10&sort=amount").expect(t, http.StatusOK, ";NFS"+key+";",
		"22/11/2026 09:00", "Cancelada em")
}

func TestNote_DANFSe(t *testing.T) {
	t.Parallel()
	s, _, issued, rejected := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	page := viewer.get(t, s.at("/notes/"+issued+"/danfse")).expect(t, http.StatusOK, "%PDF-")
	number := s.Text(t, `SELECT authority_number FROM notes WHERE id = $1`, issued)
	if said := page.header.Get("Content-Disposition"); !strings.Contains(said, `filename="NFS-e `+number+" - ") {
		t.Errorf("it is called %s", said)
	}
	viewer.get(t, s.at("/notes/"+rejected+"/danfse")).expect(t, http.StatusNotFound)
}

// A replaced note's page says at once that it is replaced, though no event of it is known yet.
func TestNote_DANFSeOfReplaced(t *testing.T) {
	t.Parallel()
	s, _, issued, rejected := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.Exec(t, `UPDATE notes SET status = 'cancelled', cancelled_at = now(), cancellation_status = 'accepted',
		cancellation_requested_at = now(), cancellation_resolved_at = now(), replaced_by = $2, replacement_text = '',
		replacement_at = now() WHERE id = $1`, issued, rejected)
	stored, err := s.Store.Notes.NoteDocument(t.Context(), issued)
	must(t, err)
	var expected bytes.Buffer
	must(t, danfse.Draw(&expected, danfse.Document{XML: stored.XML, Events: stored.Events, Replaced: true}))
	page := viewer.get(t, s.at("/notes/"+issued+"/danfse")).expect(t, http.StatusOK)
	if page.body != expected.String() {
		t.Error("its page does not say that it is replaced")
	}
}

func TestOverview(t *testing.T) {
	t.Parallel()
	s, _, _, _ := newSettled(t)
	must(t, s.workerStore(t).Operate.RollUp(t.Context()))
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	viewer.get(t, s.at("/")).expect(t, http.StatusOK, "<svg", `class="bar issued"`,
		`class="bar rejected"`, "mediana ", "95 %",
		"E0207", "Confira o CPF ou CNPJ com o tomador", "R$\u00a0150,00", "1 nota rejeitada nos últimos 7 dias",
		"Valor simulado, sem valor fiscal")
	viewer.get(t, s.of("/", s.Organization.ID, "live")).expect(t, http.StatusOK, "Primeiros passos", "Perfil fiscal",
		"Certificado A1", "Nenhuma nota nos últimos 30 dias")
	developer := s.signedIn(t, "developer@example.com", s.Organization.ID, nfse.RoleDeveloper)
	developer.get(t, s.of("/", s.Organization.ID, "live")).expect(t, http.StatusOK, "curl -sS")
	other, _, _ := s.NewOrganization(t, "Escola")
	theirs := s.signedIn(t, "theirs@example.com", other.ID, nfse.RoleViewer)
	if body := theirs.get(t, s.of("/", other.ID, "test")).body; strings.Contains(body, `class="bar`) {
		t.Error("another's notes are drawn")
	}
}

// A note that the city of São Paulo issued leads to the city's page, and has no DANFSe.
func TestNote_OfSaoPaulo(t *testing.T) {
	t.Parallel()
	s, _, issued, _ := newSettled(t)
	s.Exec(t, `INSERT INTO fiscal_exchanges (note_id, kind, state, authority, production, tax_id, municipality_code,
			series, number, profile, access_key, xml, issued_at)
		VALUES ($1, 'issue', 'accepted', 'sao-paulo', true, '11222333000181', '3550308', 1, 1,
			'{"authority": "sao-paulo", "municipal_registration": "31000000"}', 'key', 'xml', now())`, issued)
	s.Exec(t, `UPDATE notes SET authority_number = '9', verification_code = 'ABCD1234' WHERE id = $1`, issued)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	shown := viewer.get(t, s.at("/notes/"+issued)).expect(t, http.StatusOK,
		"notaprint.aspx?inscricao=31000000&amp;nf=9&amp;verificacao=ABCD1234", "não têm DANFSe", "Baixar XML")
	if strings.Contains(shown.body, "Baixar DANFSe") || strings.Contains(shown.body, "www.nfse.gov.br") {
		t.Errorf("the page is\n%s", shown.body)
	}
	viewer.get(t, s.at("/notes/"+issued+"/danfse")).expect(t, http.StatusNotFound, "Esta nota não tem DANFSe")
}

// A note that the engine does not take says so in words, in both languages, and can be
// tried at once.
func TestNote_NotStarted(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	id := s.noteOf(t, s.TestKey, "Nota nº 1")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	address := s.at("/notes/" + id)
	editor.get(t, address).expect(t, http.StatusOK, "início no motor de workflows")
	found := editor.get(t, s.at("/notes")+"&q="+url.QueryEscape("Nota nº 1")).expect(t, http.StatusOK)
	if !strings.Contains(found.body, "/notes/"+id) {
		t.Error("the note is not found by its reference")
	}
	for failure, says := range map[outbox.StartFailure][2]string{
		outbox.EngineAway:    {"não está respondendo", "does not answer"},
		outbox.StartRefused:  {"não a aceitou", "did not take it"},
		outbox.StartTimedOut: {"demora demais", "takes too long"},
		outbox.StartInternal: {"um erro nosso", "an error of ours"},
	} {
		s.Exec(t, `UPDATE outbox SET failure = $1, failures = $2, last_error = 'rpc error: code = Internal'`, failure,
			map[bool]int{true: 3}[failure.Own()])
		page := editor.get(t, address).expect(t, http.StatusOK, "Ainda não começou", says[0])
		if strings.Contains(page.body, "rpc error") {
			t.Errorf("the page has the engine's own words")
		}
		if form := strings.Contains(page.body, "/notes/"+id+"/redrive"); form != failure.Own() {
			t.Errorf("%s: that it can be tried at once is %v", failure, form)
		}
		editor.reads(t, address, "en").has(t, "Not begun yet", says[1])
	}
}

// Where too many takers have the words, those with just this name are meant; otherwise more is asked for.
func TestNotes_TakerOfManyByWholeName(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.onRecord(t, s.TestKey, "11144477735", "Rosa Prado")
	s.Exec(t, `INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
		SELECT 'cus_' || lpad(i::text, 26, '0'), organization_id, livemode, lpad(i::text, 11, '0'), name || ' ' || i, false
		FROM customers, generate_series(1, 101) i`)
	viewer.get(t, s.at("/notes")+"&taker=Rosa").expect(t, http.StatusUnprocessableEntity, "Mais de 100 tomadores")
	for _, query := range []string{"&taker=Rosa+Prado", "&q=Rosa+Prado"} {
		viewer.get(t, s.at("/notes")+query).expect(t, http.StatusOK)
	}
}
