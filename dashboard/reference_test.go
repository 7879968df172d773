package dashboard_test

import (
	"net/http"
	"testing"

	"emissor/api"
)

// Anybody reads the reference, and fetches the description, without an account.
func TestReference(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.stranger(t).get(t, "/reference").expect(t, http.StatusOK, "Referência da API", `<h2 id="createNfse">`,
		"POST /v1/nfse", `href="#Nfse"`, "idempotency_conflict", `lang="en"`)
	if fetched := s.stranger(t).get(t, "/openapi.yaml").expect(t, http.StatusOK); fetched.body != string(api.OpenAPI) {
		t.Errorf("the description has %d bytes of %d", len(fetched.body), len(api.OpenAPI))
	}
}
