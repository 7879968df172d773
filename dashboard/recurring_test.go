package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/test/testkit"
)

// recurrence is one that a person has, with a month of each state.
func (s *site) recurrence(t *testing.T) string { return s.recurrenceOf(t, s.TestKey) }

func (s *site) recurrenceOf(t *testing.T, key string) string {
	t.Helper()
	id := nfse.NewID(nfse.PrefixRecurrence)
	service, who := s.NewService(t, key), s.member(t, strings.ToLower(id)+"@example.com", s.Organization.ID,
		nfse.RoleEditor)
	customer := s.Call(t, http.MethodPost, "/v1/customers", key,
		testkit.Body{"document": "52998224725", "name": "Maria da Silva"}).Text("id")
	s.Exec(t, `INSERT INTO recurrences (id, organization_id, livemode, customer_id, service_id, amount_cents,
			iss_withheld, email_customer, register_ledger, confirm_municipal_operation, day, next_month, wanted_by,
			wanted_from, request_id)
		VALUES ($1, $2, $6, $3, $4, 15000, false, false, false, false, 31, '2099-02-01', $5, '192.0.2.1', 'req_x')`,
		id, s.Organization.ID, customer, service, who, key == s.LiveKey)
	s.Exec(t, `INSERT INTO recurring_months (id, recurrence_id, organization_id, livemode, month, day, status, reason,
			service_id, amount_cents, iss_withheld, email_customer, register_ledger, confirm_municipal_operation,
			wanted_by, wanted_from, request_id)
		SELECT r.id || '-2026-0' || n, r.id, r.organization_id, r.livemode, ('2026-0' || n || '-01')::date,
			('2026-0' || n || '-28')::date, state, CASE WHEN state = 'missed' THEN 'away' END, r.service_id,
			r.amount_cents, false, false, false, false, r.wanted_by, r.wanted_from, r.request_id
		FROM recurrences r, unnest('{missed,skipped,left}'::text[]) WITH ORDINALITY AS x (state, n) WHERE r.id = $1`, id)
	return id
}

func aRecurrence(after string) func(*testing.T, *site) string {
	return func(t *testing.T, s *site) string { return "/recurring/" + s.recurrence(t) + after }
}

// creates sends the form of a recurrence, and returns its id.
func (p *person) creates(t *testing.T, s *site, customer, service, amount string, day int) (id string) {
	t.Helper()
	sent := p.post(t, s.at("/recurring"), form("customer", customer, "service", service, "amount_cents", amount,
		"day", fmt.Sprint(day))).expect(t, http.StatusSeeOther)
	path, _, _ := strings.Cut(sent.header.Get("Location"), "?")
	return strings.TrimPrefix(path, "/recurring/")
}

// today is the day in Brasília, and its number in the month.
func today() (nfse.Day, int) {
	now := time.Now().In(nfse.Brasilia)
	return nfse.DayOf(now), now.Day()
}

// A note is issued on its day, once, no matter what dies between its acceptance and the record of it; one that cannot
// be accepted does not keep its neighbour.
func TestRecurring_IssuedOnce(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	customer := s.onRecord(t, s.TestKey, "11144477735", "Joana Prado da Silva")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	s.Exec(t, `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN IF NEW.amount_cents = 666 THEN RAISE 'poison'; END IF; RETURN NEW; END $$`)
	s.Exec(t, `CREATE TRIGGER refuse BEFORE INSERT ON notes FOR EACH ROW EXECUTE FUNCTION refuse()`)
	day, number := today()
	poison := editor.creates(t, s, customer, service, "6,66", number)
	id := editor.creates(t, s, customer, service, "1.250,50", number)
	worker := s.workerStore(t)
	start := func() {
		t.Helper()
		_, _, err := worker.Batches.StartRecurring(t.Context(), day, 10)
		must(t, err)
	}
	issued := func() bool {
		return s.Count(t, `SELECT count(*) FROM recurring_months WHERE recurrence_id = $1 AND status = 'issued'`, id) == 1
	}
	start()
	testkit.Eventually(t, "the note is accepted", issued)
	run := s.Text(t, `SELECT id FROM recurring_months WHERE recurrence_id = $1`, id)
	must(t, s.Temporal.GetWorkflow(t.Context(), run, "").Get(t.Context(), nil))
	s.Exec(t, `UPDATE recurring_months SET status = 'due', note_id = NULL WHERE recurrence_id = $1`, id) // it died
	s.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode)
		SELECT 'recurrence', id, organization_id, livemode FROM recurring_months WHERE recurrence_id = $1
		ON CONFLICT (kind, subject_id) DO UPDATE SET token = NULL, next_attempt_at = now(), restart = true`, id)
	start()
	testkit.Eventually(t, "it is recorded", issued)
	reference := "recorrente-" + id + "-" + string(day)[:7]
	if notes := s.Text(t, `SELECT string_agg(reference || ' ' || competence || ' ' || user_id, ', ') FROM notes`); notes !=
		reference+" "+string(day)+" "+editor.id {
		t.Errorf("the notes are %s", notes)
	}
	editor.get(t, s.at("/recurring/"+id)).expect(t, http.StatusOK, "Joana Prado da Silva", "1.250,50", "/notes/nfse_")
	editor.get(t, s.at("/recurring/"+poison)).expect(t, http.StatusOK, "Em emissão")
	editor.get(t, s.at("/audit")).expect(t, http.StatusOK, "criou a nota recorrente")
}

// While the service is inactive nothing is issued, and said why; the month is issued when a person asks.
func TestRecurring_ServiceInactive(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	service := s.NewService(t, s.TestKey)
	customer := s.onRecord(t, s.TestKey, "11144477735", "Joana Prado da Silva")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	day, number := today()
	id := editor.creates(t, s, customer, service, "100", number)
	s.Exec(t, `UPDATE services SET active = false`)
	editor.get(t, s.at("/recurring/"+id)).expect(t, http.StatusOK, "enquanto o serviço estiver inativo")
	_, _, err := s.workerStore(t).Batches.StartRecurring(t.Context(), day, 10)
	must(t, err)
	testkit.Eventually(t, "a person is asked", func() bool {
		return s.Text(t, `SELECT coalesce(reason, '') FROM recurring_months`) == "service_inactive"
	})
	month := string(day)[:7]
	editor.get(t, s.at("/recurring/"+id)).expect(t, http.StatusOK, "O serviço estava inativo.", "Emitir "+month)
	editor.get(t, s.at("/recurring")).expect(t, http.StatusOK, "1 mês a decidir", "Parada: serviço inativo")
	s.Exec(t, `UPDATE services SET active = true`)
	path := s.at("/recurring/" + id + "/months/" + month + "/issue")
	editor.post(t, path, form()).expect(t, http.StatusOK, "Joana Prado da Silva", "com a data de hoje")
	editor.post(t, path, form("confirmed", "yes")).expect(t, http.StatusSeeOther)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(s.Text(t, `SELECT m::text FROM recurring_months m`))
		}
	})
	testkit.Eventually(t, "the note is accepted", func() bool {
		return s.Text(t, `SELECT status FROM recurring_months`) == "issued"
	})
	if notes := s.Count(t, `SELECT count(*) FROM notes WHERE reference = $1`, "recorrente-"+id+"-"+month); notes != 1 {
		t.Errorf("there are %d notes", notes)
	}
}

// The form says what is wrong, creates once however often it is sent, and is changed, skipped, paused
// and ended on its page.
func TestRecurring_Form(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	service := s.NewService(t, s.TestKey)
	customer := s.onRecord(t, s.TestKey, "11144477735", "Joana Prado da Silva")
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	for _, wrong := range [][]string{
		{"day", "32", "O dia vai de 1 a 31"}, {"amount_cents", "x", "Escreva o valor"},
		{"until", "2026-01-01", "antes da próxima nota"}, {"customer", s.newTenantCustomer(t), "Escolha um tomador"},
		{"service", nfse.NewID(nfse.PrefixService), "Escolha um serviço"},
		{"day", `"><script>alert("hostile")</script>`, "O dia vai de 1 a 31"},
	} {
		sent := form("customer", customer, "service", service, "amount_cents", "150", "day", "31")
		sent.Set(wrong[0], wrong[1])
		answer := editor.post(t, s.at("/recurring"), sent).expect(t, http.StatusUnprocessableEntity, wrong[2])
		if strings.Contains(answer.body, "<script>alert") {
			t.Error("a script is on the page")
		}
	}
	twice := form("id", nfse.NewID(nfse.PrefixRecurrence), "customer_words", "prado joana", "service", service,
		"amount_cents", "150", "day", "31")
	for _, answer := range editor.postAtOnce(t, 2, s.at("/recurring"), twice) {
		answer.expect(t, http.StatusSeeOther)
	}
	if made := s.Count(t, `SELECT count(*) FROM recurrences`); made != 1 {
		t.Fatalf("%d are made", made)
	}
	path := "/recurring/" + twice.Get("id")
	shown := editor.get(t, s.at(path)).expect(t, http.StatusOK, "Joana Prado da Silva", "R$\u00a0150,00", "Pular a nota")
	_, version, _ := strings.Cut(shown.body, `name="version" value="`)
	version, _, _ = strings.Cut(version, `"`)
	change := form("version", version, "service", service, "amount_cents", "200", "day", "31")
	editor.post(t, s.at(path), change).expect(t, http.StatusSeeOther)
	editor.post(t, s.at(path), change).expect(t, http.StatusConflict)
	editor.get(t, s.at(path)).expect(t, http.StatusOK, "R$\u00a0200,00")
	next := s.Text(t, `SELECT to_char(next_month, 'YYYY-MM') FROM recurrences`)
	editor.post(t, s.at(path+"/skip"), form("month", next)).expect(t, http.StatusSeeOther)
	editor.post(t, s.at(path+"/skip"), form("month", next)).expect(t, http.StatusSeeOther)
	editor.get(t, s.at(path)).expect(t, http.StatusOK, "Pulada")
	if skipped := s.Count(t, `SELECT count(*) FROM recurring_months`); skipped != 1 {
		t.Errorf("%d months are skipped", skipped)
	}
	editor.post(t, s.at(path+"/pause"), form()).expect(t, http.StatusSeeOther)
	editor.get(t, s.at(path)).expect(t, http.StatusOK, "enquanto estiver pausada", "Retomar")
	editor.post(t, s.at(path+"/resume"), form()).expect(t, http.StatusSeeOther)
	editor.post(t, s.at(path+"/end"), form()).expect(t, http.StatusOK, "Nenhuma nota será mais emitida")
	editor.post(t, s.at(path+"/end"), form("confirmed", "yes")).expect(t, http.StatusSeeOther)
	editor.get(t, s.at(path)).expect(t, http.StatusOK, "Encerrada")
	editor.get(t, s.at("/recurring")+"&customer="+customer).expect(t, http.StatusOK, "Joana Prado da Silva")
	editor.get(t, s.of(path, s.Organization.ID, "live")).expect(t, http.StatusNotFound)
}
