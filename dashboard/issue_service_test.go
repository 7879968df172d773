package dashboard_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// A company with many services issues with its oldest one too.
func TestIssue_OldService(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	oldest := s.NewService(t, s.TestKey)
	s.Exec(t, `UPDATE services SET name = 'Consulta de Ortopedia'`)
	note := s.Issue(t, s.TestKey, testkit.Issuance(oldest, "velha"))
	s.Exec(t, `INSERT INTO services SELECT (jsonb_populate_record(v, jsonb_build_object('id',
		'svc_z' || lpad(i::text, 25, '0'), 'name', 'Aula ' || i))).* FROM services v, generate_series(1, 120) i`)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	option := `<option value="` + oldest + `"`
	if body := editor.get(t, s.at("/notes/new")).expect(t, http.StatusOK, "Outro serviço, por palavras").body; strings.
		Contains(body, option) {
		t.Fatal("the oldest is among the newest")
	}
	editor.get(t, s.at("/notes/new")+"&from="+note).expect(t, http.StatusOK, option+" selected")
	editor.get(t, s.at("/notes")+"&service="+oldest+"&since=2020-01-01").expect(t, http.StatusOK, option+" selected",
		"velha")
	sent := issueForm("", "nova")
	sent.Set("service_words", "ortopedia CONSULTA")
	sent.Set("find", "service_words")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, `value="service=`+oldest+`"`, `value="nova"`)
	sent.Set("service_words", "%")
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, "Nenhum serviço ativo")
	sent.Del("find")
	sent.Set("set", "service="+oldest)
	editor.post(t, s.at("/notes"), sent).expect(t, http.StatusOK, option+" selected")
	sent.Del("set")
	editor.issues(t, s.at("/notes"), issueForm(oldest, "nova")).expect(t, http.StatusSeeOther)
	// One that is gone is not silently another one.
	gone := nfse.NewID(nfse.PrefixService)
	editor.post(t, s.at("/notes"), issueForm(gone, "outra")).expect(t, http.StatusUnprocessableEntity,
		`<select id="service" name="service"><option value="">—</option>`)
	s.Exec(t, `UPDATE services SET retired_at = now() WHERE id = $1`, oldest)
	editor.get(t, s.at("/notes/new")+"&from="+note).expect(t, http.StatusOK,
		`<select id="service" name="service"><option value="">—</option>`)
}
