package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

const nothingWaits = "Nenhuma pendência."

// What needs a person is told on the first page of its own side, with where to look; one
// that is only on its way is not.
func TestOverview_WhatWaits(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		happens func(t *testing.T, s *site)
		calm    string // makes it nothing to look at
		env     string
		says    string
		link    string
	}{
		"queued for minutes": {func(t *testing.T, s *site) {
			t.Helper()
			s.noteOf(t, s.LiveKey, "x")
			s.Exec(t, `DELETE FROM outbox`)
			s.Exec(t, `UPDATE notes SET created_at = now() - interval '6 minutes'`)
		}, `UPDATE notes SET created_at = now() - interval '4 minutes'`, "live",
			"1 nota na fila há mais de 5 minutos", "/notes?env=live&amp;org=ORG&amp;state=queued"},
		"in processing for minutes": {func(t *testing.T, s *site) {
			t.Helper()
			s.noteOf(t, s.TestKey, "x")
			s.Exec(t, `DELETE FROM outbox`)
			s.Exec(t, `UPDATE notes SET status = 'processing', created_at = now() - interval '1 hour',
				processing_at = now() - interval '6 minutes'`)
		}, `UPDATE notes SET processing_at = now() - interval '4 minutes'`, "test",
			"1 nota em processamento há mais de 5 minutos", "/notes?env=test&amp;org=ORG&amp;state=processing"},
		"rejected": {func(t *testing.T, s *site) {
			t.Helper()
			s.noteOf(t, s.LiveKey, "x")
			s.Exec(t, `DELETE FROM outbox`)
			s.Exec(t, `UPDATE notes SET status = 'rejected', rejected_at = now() - interval '6 days',
				rejection = '{"source": "authority", "code": "E0001", "message": "x"}'`)
		}, `UPDATE notes SET rejected_at = now() - interval '8 days'`, "live",
			"1 nota rejeitada nos últimos 7 dias", "/notes?env=live&amp;org=ORG&amp;state=rejected"},
		"a month of a recurring note that was missed": {func(t *testing.T, s *site) {
			t.Helper()
			s.recurrence(t)
		}, `UPDATE recurring_months SET status = 'left'`, "test",
			"1 mês de nota recorrente não foi emitido", "/recurring?env=test&amp;org=ORG"},
		"a mail server that fails": {func(t *testing.T, s *site) {
			t.Helper()
			s.email(t, s.noteOf(t, s.LiveKey, "x"), "pending", fact.EmailWithoutServer.Fact())
			s.Exec(t, `DELETE FROM outbox`)
		}, `UPDATE emails SET last_problem = NULL`, "live",
			"1 e-mail não consegue sair", "/emails?env=live&amp;org=ORG&amp;state=pending"},
		"an e-mail that failed": {func(t *testing.T, s *site) {
			t.Helper()
			s.email(t, s.noteOf(t, s.LiveKey, "x"), "failed",
				fact.EmailGivenUpAtOnce.With("why", fact.MailNotSent.Fact()))
			s.Exec(t, `DELETE FROM outbox`)
		}, `UPDATE emails SET status = 'sent'`, "live",
			"1 e-mail falhou", "/emails?env=live&amp;org=ORG&amp;state=failed"},
		"a delivery that failed four times": {func(t *testing.T, s *site) {
			t.Helper()
			endpoint, _ := s.NewEndpoint(t, "https://127.0.0.1:9/hook", false)
			id := s.delivery(t, endpoint, "pending", time.Now())
			s.Exec(t, `INSERT INTO delivery_attempts (delivery_id, started_at, duration_ms, status, answer, problem)
				SELECT $1, now(), 22, 503, '', $2::jsonb FROM generate_series(2, 4)`, id,
				fact.ReceiverAnswered.With("status", 503))
			s.Exec(t, `DELETE FROM outbox`)
		}, `DELETE FROM delivery_attempts WHERE id = (SELECT min(id) FROM delivery_attempts)`, "test",
			"1 entrega falhou quatro vezes ou mais", "/integrations/deliveries?env=test&amp;org=ORG&amp;state=pending"},
		"a delivery that was given up": {func(t *testing.T, s *site) {
			t.Helper()
			endpoint, _ := s.NewEndpoint(t, "https://127.0.0.1:9/hook", false)
			s.delivery(t, endpoint, "failed", time.Now())
			s.Exec(t, `DELETE FROM outbox`)
		}, `UPDATE deliveries SET status = 'delivered'`, "test",
			"1 entrega falhou", "/integrations/deliveries?env=test&amp;org=ORG&amp;state=failed"},
		"a note that is held": {func(t *testing.T, s *site) {
			t.Helper()
			s.noteOf(t, s.LiveKey, "x")
			s.Exec(t, `DELETE FROM outbox`)
			s.Exec(t, `UPDATE notes SET held_reason = $1, held_since = now(), created_at = now() - interval '1 hour'`,
				fact.NoFiscalProfile.Fact())
		}, `UPDATE notes SET held_reason = NULL, held_since = NULL, created_at = now()`, "live",
			"1 nota espera por algo seu", "/notes?env=live&amp;org=ORG&amp;state=held"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, nil)
			other, _, _ := s.NewOrganization(t, "Vizinha")
			viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
			neighbour := s.signedIn(t, "neighbour@example.com", other.ID, nfse.RoleViewer)
			overview := s.of("/", s.Organization.ID, one.env)
			viewer.get(t, overview).expect(t, http.StatusOK, nothingWaits)
			one.happens(t, s)
			shown := viewer.get(t, overview).expect(t, http.StatusOK, one.says,
				`<li><a href="`+strings.ReplaceAll(one.link, "ORG", s.Organization.ID)+`">`)
			if strings.Contains(shown.body, nothingWaits) {
				t.Error("it says that nothing waits all the same")
			}
			if told := strings.Count(shown.body[strings.Index(shown.body, `id="waiting"`):strings.Index(shown.body,
				`id="days"`)], "<li>"); told != 1 {
				t.Errorf("%d things are told", told)
			}
			elsewhere := map[string]string{"test": "live", "live": "test"}[one.env]
			viewer.get(t, s.of("/", s.Organization.ID, elsewhere)).expect(t, http.StatusOK, nothingWaits)
			neighbour.get(t, s.of("/", other.ID, one.env)).expect(t, http.StatusOK, nothingWaits)
			s.Exec(t, one.calm)
			viewer.get(t, overview).expect(t, http.StatusOK, nothingWaits)
		})
	}
}

// What was issued at the authority's own test system is not said to be issued for good.
func TestFiscalValue_OfWhatWasIssued(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	profile := s.NewProfile(t, "national")
	note := s.noteOf(t, s.LiveKey, "restrita")
	s.Exec(t, `UPDATE notes SET status = 'issued', issued_at = now(), authority_issued_at = now(), access_key = '1',
		authority_number = '7'`)
	must(t, s.workerStore(t).Operate.RollUp(t.Context()))
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	issuedBy := func() {
		t.Helper()
		content, err := nfse.Marshal(profile)
		must(t, err)
		s.Exec(t, `DELETE FROM fiscal_exchanges`)
		s.Exec(t,
			`INSERT INTO fiscal_exchanges (message_id, note_id, kind, authority, production, tax_id, municipality_code,
				series, number, state, profile, layout, access_key, xml, issued_at)
				VALUES ('dps-1', $1, 'issue', 'national', $2, $3, $4, 1, 7, 'accepted', $5, '1.01', '1', '', now())`,
			note, profile.Production, profile.TaxID, profile.MunicipalityCode, string(content))
	}
	issuedBy()
	restricted := viewer.reads(t, s.live("/"), "pt-BR")
	restricted.has(t, "<dt>Valor em produção restrita, sem valor fiscal</dt>")
	restricted.hasNot(t, "Valor emitido")
	viewer.reads(t, s.live("/ledger"), "pt-BR").has(t, "está em produção restrita")
	page := viewer.reads(t, s.live("/notes/"+note), "pt-BR")
	page.has(t, "Emitida em produção restrita")
	page.hasNot(t, "ConsultaPublica")

	profile.Production = true
	must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	issuedBy()
	// What was issued before the change is in the sums: that it is all for good is not said.
	mixed := viewer.reads(t, s.live("/"), "pt-BR")
	mixed.has(t, "<dt>Valor emitido, em parte talvez em produção restrita, sem valor fiscal</dt>")
	mixed.hasNot(t, "<dt>Valor emitido</dt>")
	viewer.reads(t, s.live("/ledger"), "pt-BR").has(t, "os lançamentos podem ter notas de produção restrita")
	tomorrow := string(nfse.DayOf(time.Now().Add(24 * time.Hour)))
	viewer.reads(t, s.live("/ledger")+"&since="+tomorrow+"&until="+tomorrow, "pt-BR").hasNot(t, "produção restrita")
	profile.Production = false // which says no more of what was issued for good
	must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	viewer.reads(t, s.live("/"), "pt-BR").has(t, "em parte talvez em produção restrita")
	profile.Production = true
	must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	s.Exec(t, `UPDATE fiscal_profiles SET environment_changed_at = now() - interval '60 days'`)
	must(t, s.Changes().Companies.SetFiscalProfile(t.Context(), profile)) // that changes nothing of it
	viewer.reads(t, s.live("/"), "pt-BR").has(t, "<dt>Valor emitido</dt>")
	viewer.reads(t, s.live("/ledger"), "pt-BR").hasNot(t, "produção restrita")
	page = viewer.reads(t, s.live("/notes/"+note), "pt-BR")
	page.has(t, "ConsultaPublica")
	page.hasNot(t, "produção restrita")
}
