package dashboard_test

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/testkit"
)

// A rejection is stored in English, as the API answers it, and every reader has it in
// their own language.
func TestNote_RejectionInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	refused := testkit.Issuance(s.NewService(t, s.TestKey), "ruim")
	refused["sandbox_scenario"] = "rejected"
	rejected := s.Issue(t, s.TestKey, refused)
	note := s.Await(t, s.TestKey, rejected, nfse.StatusRejected)
	message, action := note.Text("rejection", "message"), note.Text("rejection", "action")
	path := s.at("/notes/" + rejected)
	portuguese := viewer.reads(t, path, "pt-BR")
	portuguese.has(t, message, "O CPF do tomador não consta do cadastro federal na data de competência. (Simulado: "+
		"esta nota pediu uma rejeição.)", "Confira o CPF ou CNPJ com o tomador e corrija-o em Clientes. "+
		"Depois, emita de novo com outra referência.", "pela autoridade: E0207")
	portuguese.hasNot(t, action, "(Simulated")
	viewer.reads(t, path, "en").has(t, message, action, "(Simulated: this note asked for a rejection.)")
}

func TestNote_RefusalAndStepsInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s := newSiteOf(t, testkit.Options{Worker: true}, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	id := s.note(t)
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	explanation, action, _ := rules.Catalogue.Explain(fiscal.Cancel, "E0822")
	s.Exec(t, `UPDATE notes SET cancellation_status = 'refused', cancellation_reason_code = '1',
		cancellation_requested_at = now(), cancellation_resolved_at = now(), cancellation_refusal = $2,
		held_reason = $3, held_since = now() WHERE id = $1`, id,
		nfse.Refusal{Code: "E0822", Message: "Prazo encerrado.", Explanation: explanation, Action: action,
			Wording: nfse.Wording{Catalogue: rules.Name}}, fact.NoFiscalProfile.Fact())
	for _, step := range []fact.Fact{
		fact.Waits.With("why", fact.ExternalRejectedByTaker.Fact()), fact.WaitsNoMore.Fact(),
		fact.CancellationRefused.With("code", "E0822"), fact.Alarm.With("what", fact.EffectBlocksCancellation.Fact()),
		fact.InWords("said by somebody"), fact.Code("of_a_later_version").Fact(),
	} {
		s.Exec(t, `INSERT INTO note_steps (note_id, fact) VALUES ($1, $2)`, id, step)
	}
	path := s.at("/notes/" + id)
	portuguese := viewer.reads(t, path, "pt-BR")
	portuguese.has(t, "Prazo encerrado.", "O prazo do município para cancelar a nota terminou.",
		"A nota continua emitida. Peça ao município a análise fiscal", "preencha-o em Empresa › Perfil fiscal",
		"rejeitada pelo tomador", "ALERTA: nenhum cancelamento pelo emitente é aceito", "“said by somebody”",
		"of_a_later_version")
	portuguese.hasNot(t, explanation, action, "no cancellation", "no fiscal profile", "aguarda: ")
	viewer.reads(t, path, "en").has(t, explanation, action, "ALARM: no cancellation by the issuer", "no fiscal profile")
}

// What the city of São Paulo rejects, refuses and asks for is said in Portuguese by the
// city's own catalogue.
func TestNote_OfSaoPauloInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	s, _, issued, rejected := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	reject := func(code string) (explanation, action string) {
		explanation, action, field := saopaulo.Catalogue.Explain(fiscal.Issue, code)
		s.Exec(t, `UPDATE notes SET rejection = $2 WHERE id = $1`, rejected, nfse.Rejection{
			Source: nfse.RejectedByAuthority, Code: code, Message: "Recusado.", Field: field, Explanation: explanation,
			Action: action, Wording: nfse.Wording{Catalogue: saopaulo.Name}})
		return explanation, action
	}
	path := s.at("/notes/" + rejected)
	explanation, action := reject("amount_out_of_range") // a code of both authorities
	viewer.reads(t, path, "pt-BR").has(t, "O valor é maior do que uma nota pode ter.", "Informe um valor menor.")
	viewer.reads(t, path, "en").has(t, explanation, action)
	explanation, action = reject("268")
	portuguese := viewer.reads(t, path, "pt-BR")
	portuguese.has(t, "O código NBS não é válido.", "corrija-a em Serviços", "Abrir o serviço")
	portuguese.hasNot(t, explanation, action)
	must(t, s.workerStore(t).Operate.RollUp(t.Context()))
	s.Exec(t, `UPDATE note_figures SET name = '268' WHERE kind = 'rejection'`)
	viewer.reads(t, s.at("/"), "pt-BR").has(t, "Esclareça com o contador a classificação de IBS e CBS")

	explanation, action, _ = saopaulo.Catalogue.Explain(fiscal.Cancel, "323")
	s.Exec(t, `UPDATE notes SET cancellation_status = 'refused', cancellation_reason_code = '1',
		cancellation_requested_at = now(), cancellation_resolved_at = now(), cancellation_refusal = $2,
		held_reason = $3, held_since = now() WHERE id = $1`, issued,
		nfse.Refusal{Code: "323", Message: "Não permitido.", Explanation: explanation, Action: action,
			Wording: nfse.Wording{Catalogue: saopaulo.Name}},
		fact.SeriesHeld.With("why", fact.NumberUsedInLostTime.With("number", 5, "series", 7)))
	portuguese = viewer.reads(t, s.at("/notes/"+issued), "pt-BR")
	portuguese.has(t, "A prefeitura não permite cancelar esta nota", "A nota continua emitida. Cancele-a no site",
		"a série está retida: o número 5 da série 7 está usado na autoridade", "Empresa › Numeração",
		s.at("/company"))
	portuguese.hasNot(t, explanation, action, "series is held")
	viewer.reads(t, s.at("/notes/"+issued), "en").has(t, explanation, action, "the series is held")

	s.Exec(t, `UPDATE notes SET held_reason = $2 WHERE id = $1`, issued, fact.RefusedForSettings.With("code", "E0160",
		"subject", "opSimpNac", "whose", string(fiscal.OfProfile), "act", string(fiscal.CorrectSimples)))
	viewer.reads(t, s.at("/notes/"+issued), "pt-BR").has(t,
		"a autoridade recusa o documento pela regra E0160 (opSimpNac), "+
			"por algo que é da configuração da empresa: compare o perfil fiscal com a situação "+
			"da empresa no Simples Nacional")
	viewer.reads(t, s.at("/notes/"+issued), "en").has(t,
		"refuses the document by its rule E0160 (opSimpNac), for what is "+
			"of the company's settings: compare the fiscal profile", "the note is not rejected")
}

// read is the text of a page, without what HTML makes of it.
type read string

func (p *person) reads(t *testing.T, path, language string) read {
	t.Helper()
	page := p.send(t, http.MethodGet, path, http.Header{"Accept-Language": {language}}, "", nil)
	return read(html.UnescapeString(page.expect(t, http.StatusOK).body))
}

func (r read) has(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(string(r), text) {
			t.Errorf("%q is not in the page\n%s", text, r)
		}
	}
}

func (r read) hasNot(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(string(r), text) {
			t.Errorf("%q is in the page\n%s", text, r)
		}
	}
}
