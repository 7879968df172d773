package dashboard_test

import (
	"html"
	"net/http"
	"strings"
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/internal/testkit"
	"emissor/nfse"
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
		"esta nota pediu uma rejeição.)", "Confira o CPF ou CNPJ com o tomador e corrija-o em Catálogo › Tomadores. "+
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
	explanation, action, _ := rules.Explain(fiscal.Cancel, "E0822")
	s.Exec(t, `UPDATE notes SET cancellation_status = 'refused', cancellation_reason_code = '1',
		cancellation_requested_at = now(), cancellation_resolved_at = now(), cancellation_refusal = $2,
		held_reason = 'the organization has no fiscal profile: set one with `+"`emissor fiscal-profile set`"+`',
		held_since = now() WHERE id = $1`, id, refusalOf("E0822", "Prazo encerrado.", explanation, action))
	for _, step := range []string{
		"waits: the worker is not configured for the environment production of the authority \"x\"", "waits no longer",
		"cancellation refused: E0822", "ALARM: the answer contradicts itself", "something that nobody knows",
	} {
		s.Exec(t, `INSERT INTO note_steps (note_id, what) VALUES ($1, $2)`, id, step)
	}
	path := s.at("/notes/" + id)
	portuguese := viewer.reads(t, path, "pt-BR")
	portuguese.has(t, "Prazo encerrado.", "O prazo do município para cancelar a nota terminou.",
		"A nota continua emitida. Peça o cancelamento à prefeitura", "preencha-o em Empresa › Perfil fiscal",
		"o worker não está configurado para a produção da autoridade \"x\"", "ALERTA: a resposta se contradiz",
		"something that nobody knows")
	portuguese.hasNot(t, explanation, action, "contradicts", "no fiscal profile")
	viewer.reads(t, path, "en").has(t, explanation, action, "the answer contradicts itself", "no fiscal profile")
}

func refusalOf(code, message, explanation, action string) string {
	written, err := nfse.Marshal(nfse.Refusal{Code: code, Message: message, Explanation: explanation, Action: action})
	if err != nil {
		panic(err)
	}
	return string(written)
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
