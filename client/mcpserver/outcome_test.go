package mcpserver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/client/mcpserver"
	"emissor/nfse"
)

// answeringAPI answers every request the same.
func answeringAPI(t *testing.T, status int, body string) string {
	t.Helper()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(api.Close)
	return api.URL
}

// An act that makes another record each time is never said to be repeatable where nobody knows whether
// it was done; what may be called twice as if once is.
func TestFailures_OfActsOfWhichNobodyKnowsTheEnd(t *testing.T) {
	t.Parallel()
	const refusal = `{"error":{"code":"service_unavailable","message":"words","field":null,"retryable":true,` +
		`"request_id":"req_1"}}`
	for name, c := range map[string]struct{ address, code string }{
		"no API":             {"http://127.0.0.1:1", "unreachable"},
		"half an answer":     {answeringAPI(t, 201, `{"id":`), "unreachable"},
		"a 503":              {answeringAPI(t, 503, refusal), "service_unavailable"},
		"a proxy's 502":      {answeringAPI(t, 502, "bad gateway"), "unexpected_answer"},
		"a record of others": {answeringAPI(t, 201, `{"id":7}`), "unreachable"},
	} {
		a := connect(t, c.address, nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
		said := a.isRefused(t, c.code, "create_service", newService)
		if said["retryable"] != false || !strings.Contains(textAt(said, "message"), "list what is there first") {
			t.Errorf("%s: %v", name, said)
		}
	}
	limited := connect(t, answeringAPI(t, 409, strings.Replace(refusal, "service_unavailable", "limit", 1)),
		nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
	if said := limited.isRefused(t, "limit", "create_service", newService); said["retryable"] != true {
		t.Errorf("what was refused is %v", said)
	}
	half := connect(t, answeringAPI(t, 201, `{"id":`), nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
	if said := half.isRefused(t, "unreachable", "save_customer", maria); said["retryable"] != true {
		t.Errorf("what may be done twice is %v", said)
	}
}

// A result that does not fit its schema is not quoted outside data, nor anywhere.
func TestMisfit_QuotesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range demands {
		body, err := nfse.Marshal(object{"id": "nfse_1", "status": text, "reference": text})
		must(t, err)
		a := connect(t, answeringAPI(t, 200, string(body)), nfse.NewAPIKeyText(false), mcpserver.Options{}, nobody)
		said := a.isRefused(t, "unexpected_answer", "show_note", object{"id": "nfse_01m0w42mhrfrtr5k9vysj1qpre"})
		if said["retryable"] != false || said["detail"] != nil {
			t.Errorf("%v", said)
		}
		isOurs(t, textAt(said, "message"), text)
	}
}
