package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// What is wrong in any company leads the operators' page, by names, each with the act that corrects it.
func TestOperations_LeadsWithWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	operator.get(t, "/operations").expect(t, http.StatusOK, "Nada está errado agora")

	held, slow := s.noteOf(t, s.LiveKey, "parada"), s.noteOf(t, s.LiveKey, "lenta")
	failed := s.noteOf(t, s.LiveKey, "sem-carta")
	s.Exec(t, `UPDATE notes SET held_reason = $1, held_since = now() WHERE id = $2`, fact.NoFiscalProfile.Fact(), held)
	hoursAgo := nfse.FirstID(nfse.PrefixNote, time.Now().Add(-3*time.Hour))
	s.Exec(t, `DELETE FROM outbox`)
	s.Exec(t, `DELETE FROM note_steps`)
	s.Exec(t, `DELETE FROM note_references WHERE note_id = $1`, slow) // a move to another year's part inserts it again
	s.Exec(t, `UPDATE notes SET id = $2, created_at = now() - interval '3 hours' WHERE id = $1`, slow, hoursAgo)
	s.Exec(t, `UPDATE notes SET status = 'issued', processing_at = now(), issued_at = now(), authority_issued_at = now()
		WHERE id = $1`, failed)
	s.Exec(t, `INSERT INTO emails (id, organization_id, livemode, note_id, status, reason, resolved_at)
		VALUES ($1, $2, true, $3, 'failed', $4, now())`, nfse.NewID(nfse.PrefixEmail), s.Organization.ID, failed,
		fact.InWords("caixa cheia"))
	endpoint, _ := s.NewEndpoint(t, "https://loja.example.com/hook", true)
	s.Exec(t, `UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $1 WHERE id = $2`,
		fact.InWords("410"), endpoint)
	s.NewCertificate(t)
	s.Exec(t, `UPDATE certificates SET not_after = now() + interval '5 days'`)
	page := operator.get(t, "/operations").expect(t, http.StatusOK, "O que está errado agora",
		"Notas aguardando uma pessoa: 1", "há mais de uma hora: 1<", "lenta",
		"E-mails que falharam: 1", "caixa cheia", "Webhooks com falhas: 1",
		"Certificados que vencem: 1", "/notes/"+held+"/redrive?org=", "/emails/retry-failed?org=",
		"/integrations/endpoints/"+endpoint+"/enable?org=")
	lead, health := strings.Index(page.body, `id="wrong"`), strings.Index(page.body, `id="health"`)
	if lead < 0 || health < lead {
		t.Errorf("what is wrong stands at %d, how the database is at %d", lead, health)
	}
	s.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', left(id, -1) || i,
		'reference', 'lenta-' || i))).* FROM notes n, generate_series(1, 2) i WHERE id = $1`, hoursAgo)
	operator.get(t, "/operations?org="+s.Organization.ID+"&env=live").expect(t, http.StatusOK,
		"há mais de uma hora: 2&#43;")
	for address, confirmed := range map[string]string{
		s.of("/notes/"+held+"/redrive", s.Organization.ID, "live"):                     "yes",
		s.of("/emails/retry-failed", s.Organization.ID, "live"):                        "",
		s.of("/integrations/endpoints/"+endpoint+"/enable", s.Organization.ID, "live"): "",
	} {
		operator.post(t, address, form("env", "live", "confirmed", confirmed)).expect(t, http.StatusSeeOther)
	}
	if left := s.Count(t, `SELECT (SELECT count(*) FROM emails WHERE status = 'failed')
		+ (SELECT count(*) FROM webhook_endpoints WHERE disabled_at IS NOT NULL)`); left != 0 {
		t.Errorf("%d are as they were", left)
	}
}

// A held series is released by an operator, who sees which it is first.
func TestOperations_ReleasesASeries(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.NewProfile(t, "sao-paulo")
	operator := s.signedIn(t, "operator@example.com", "", "")
	s.Exec(t, `INSERT INTO tax_id_claims (authority, production, tax_id, organization_id, owner, source)
		VALUES ('sao-paulo', true, '11222333000181', $1, true, 'operator') ON CONFLICT DO NOTHING`, s.Organization.ID)
	s.Exec(t, `INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
		held_reason, held_at) VALUES ('sao-paulo', true, '11222333000181', '3550308', 1, '1', $1, now())`,
		fact.InWords("dois documentos"))
	operator.get(t, "/operations").expect(t, http.StatusOK, "Séries bloqueadas: 1", "dois documentos", "Clínica")
	form := form("series", "sao-paulo/production/11222333000181/3550308/1/1", "organization", s.Organization.ID)
	operator.post(t, "/operations/series/release", form).expect(t, http.StatusOK, "Liberar a série", "dois documentos")
	if s.Count(t, `SELECT count(*) FROM fiscal_series WHERE held_reason IS NULL`) != 0 {
		t.Error("it was released before it was confirmed")
	}
	form.Set("confirmed", "yes")
	for _, says := range []string{"Série liberada", "não estava bloqueada"} {
		operator.post(t, "/operations/series/release", form).expect(t, http.StatusSeeOther)
		operator.get(t, "/operations").expect(t, http.StatusOK, says)
	}
	if s.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'series.release'`) != 1 {
		t.Error("the release left no entry, or two")
	}
}

func TestOperations_CreatesAndRenamesACompany(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	operator := s.signedIn(t, "operator@example.com", "", "")
	for _, wrong := range []string{" ", strings.Repeat("á", 151)} {
		operator.post(t, "/operations/companies", form("name", wrong)).expect(t, http.StatusUnprocessableEntity,
			"Informe o nome da empresa")
	}
	created := operator.post(t, "/operations/companies", form("name", " Padaria <b>Sol</b> "))
	created.expect(t, http.StatusSeeOther)
	operator.get(t, created.header.Get("Location")).expect(t, http.StatusOK, "Empresa criada", "Convidar",
		"Padaria &lt;b&gt;Sol")
	id := s.Text(t, `SELECT max(id) FROM organizations`)
	operator.get(t, created.header.Get("Location")).expect(t, http.StatusOK, `<option value="owner" selected>`)
	operator.get(t, "/operations/companies/"+id).expect(t, http.StatusOK, `value="Padaria &lt;b&gt;Sol&lt;/b&gt;"`)
	operator.post(t, "/operations/companies/"+id, form("name", "Padaria Lua")).expect(t, http.StatusSeeOther)
	operator.get(t, "/operations").expect(t, http.StatusOK, "Padaria Lua", "Nome alterado")
	operator.get(t, "/operations/companies/org_x").expect(t, http.StatusNotFound)
	if entries := s.Count(t, `SELECT count(*) FROM audit_log WHERE subject_id = $1
		AND action IN ('organization.create', 'organization.rename')`, id); entries != 2 {
		t.Errorf("they left %d entries", entries)
	}
	operator.get(t, s.at("/audit")+"&of=all").expect(t, http.StatusOK, "mudou o nome da organização")
	if strings.Contains(s.Text(t, `SELECT string_agg(audit_log::text, ' ') FROM audit_log`), "Padaria") {
		t.Error("the name is in the audit log")
	}
}
