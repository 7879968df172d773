package cityserver_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/fiscal"
)

// A document is asked for by the key of 50 digits, and by the one with its prefix only where the city
// refuses the first as a key: not where it says that it has no such note.
func TestDSF_AsksByTheKeyWithItsPrefixOnce(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		refusal string
		paths   []string
	}{
		"refused as a key": {`{"erros":[{"mensagem":"A chave de acesso deve ter 53 caracteres"}]}`,
			[]string{"", "NFS"}},
		"no such note": {`{"erros":[{"codigo":"E0044","mensagem":"NFS-e não existe"}]}`, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var s scripted
			var asked []string
			s = newScripted(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				if strings.Contains(r.URL.Path, "/nfse/dps/") {
					_, _ = w.Write([]byte(`{"tipoAmbiente":"2","chaveAcesso":"NFS` + s.key + `"}`))
					return
				}
				prefix := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/notafiscal-ws/nfse/"), s.key)
				if asked = append(asked, prefix); prefix == "" {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = w.Write([]byte(one.refusal))
					return
				}
				_, _ = w.Write([]byte(fitted(`{"tipoAmbiente":"2","nfseXmlGZipB64": "H4sI…"}`, s)))
			})
			found := s.Find(t.Context(), s.access, s.issuing)
			if isThere := found.Outcome == fiscal.OutcomeAccepted; isThere != (len(one.paths) == 2) ||
				!slices.Equal(asked, one.paths) {
				t.Errorf("asked by %q: %s %s", asked, found.Outcome, found.Summary())
			}
		})
	}
}
