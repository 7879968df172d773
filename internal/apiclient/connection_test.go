package apiclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"emissor/internal/apiclient"
	"emissor/nfse"
)

// answers is a transport that answers at once, one after the other; the last repeats. A nil one
// is a connection that breaks.
type answers struct {
	list  []func(http.ResponseWriter)
	calls []time.Time
	sent  []*http.Request
}

func (a *answers) RoundTrip(request *http.Request) (*http.Response, error) {
	answer := a.list[min(len(a.calls), len(a.list)-1)]
	a.calls, a.sent = append(a.calls, time.Now()), append(a.sent, request)
	if answer == nil {
		return nil, errors.New("the connection broke")
	}
	recorder := httptest.NewRecorder()
	answer(recorder)
	return recorder.Result(), nil
}

// says is an answer with an envelope.
func says(status int, code nfse.Code, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		fmt.Fprintf(w, `{"error":{"code":%q,"message":"words","field":"a.b","retryable":true,"request_id":"req_1"}}`, code)
	}
}

func says200(body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { _, _ = w.Write([]byte(body)) }
}

func clientOver(transport http.RoundTripper) *apiclient.Client {
	base := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/emissor/"}
	return apiclient.NewClient(apiclient.NewConnection(base, nfse.NewAPIKeyText(false),
		apiclient.Options{Transport: transport}))
}

// What is repeated depends on the answer and on what the call does.
func TestClient_RepeatsWhatIsSafe(t *testing.T) {
	health := func(ctx context.Context, c *apiclient.Client) error { return c.Health(ctx) }
	issue := func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.Issue(ctx, apiclient.Issuance{Reference: "a"})
		return err
	}
	newService := func(ctx context.Context, c *apiclient.Client) error {
		_, err := c.CreateService(ctx, apiclient.NewService{Name: "a"})
		return err
	}
	for name, c := range map[string]struct {
		call   func(context.Context, *apiclient.Client) error
		answer func(http.ResponseWriter)
		calls  int
	}{
		"429 of a read":             {health, says(429, nfse.CodeRateLimited), 2},
		"429 of an issuance":        {issue, says(429, nfse.CodeRateLimited), 2},
		"429 of a new service":      {newService, says(429, nfse.CodeRateLimited), 2},
		"503 of an issuance":        {issue, says(503, nfse.CodeServiceUnavailable), 2},
		"503 of a new service":      {newService, says(503, nfse.CodeServiceUnavailable), 1},
		"a proxy's 502":             {issue, func(w http.ResponseWriter) { w.WriteHeader(502) }, 2},
		"broken read":               {health, nil, 2},
		"broken issuance":           {issue, nil, 2},
		"broken new service":        {newService, nil, 1},
		"400":                       {issue, says(400, nfse.CodeInvalidRequest), 1},
		"409 that is retryable":     {issue, says(409, nfse.CodeCancellationInProgress), 1},
		"500":                       {issue, says(500, nfse.CodeInternal), 1},
		"429 for longer than is ok": {issue, says(429, nfse.CodeRateLimited, "Retry-After", "61"), 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			transport := &answers{list: []func(http.ResponseWriter){c.answer, says200("{}")}}
			err := c.call(t.Context(), clientOver(transport))
			if len(transport.calls) != c.calls || (err == nil) != (c.calls == 2) {
				t.Errorf("%s: %d calls, expected %d, and %v", name, len(transport.calls), c.calls, err)
			}
		})
	}
}

// A pause is as long as the server asks for, and attempts end.
func TestClient_HonoursRetryAfter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		date := time.Now().Add(30 * time.Second).UTC().Format(http.TimeFormat)
		transport := &answers{list: []func(http.ResponseWriter){
			says(429, nfse.CodeRateLimited, "Retry-After", "7"), says(503, nfse.CodeServiceUnavailable, "Retry-After", date),
			says200(`{"status":"ok"}`)}}
		if err := clientOver(transport).Health(t.Context()); err != nil || len(transport.calls) != 3 {
			t.Fatalf("%d calls, %v", len(transport.calls), err)
		}
		if pause := transport.calls[1].Sub(transport.calls[0]); pause < 7*time.Second || pause > 9*time.Second {
			t.Errorf("the pause is %s", pause)
		}
		if after := transport.calls[2].Sub(transport.calls[0]); after < 29*time.Second || after > 33*time.Second {
			t.Errorf("the third comes after %s", after)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		transport := &answers{list: []func(http.ResponseWriter){says(429, nfse.CodeRateLimited, "Retry-After", "2")}}
		err := clientOver(transport).Health(t.Context())
		if !apiclient.IsCode(err, nfse.CodeRateLimited) || len(transport.calls) != 5 {
			t.Errorf("%d calls, %v", len(transport.calls), err)
		}
	})
}

// A context that ends during a pause ends the call, and the error says both.
func TestClient_EndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		transport := &answers{list: []func(http.ResponseWriter){says(503, nfse.CodeServiceUnavailable, "Retry-After", "20")}}
		err := clientOver(transport).Health(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !apiclient.IsCode(err, nfse.CodeServiceUnavailable) {
			t.Errorf("%v", err)
		}
	})
}

func TestClient_ReadsTheEnvelope(t *testing.T) {
	transport := &answers{list: []func(http.ResponseWriter){says(422, nfse.CodeMunicipalityConflict, "Retry-After", "3")}}
	_, err := clientOver(transport).Issue(t.Context(), apiclient.Issuance{})
	var refused *apiclient.Error
	expected := apiclient.Error{Status: 422, Code: nfse.CodeMunicipalityConflict, Message: "words", Field: "a.b",
		Retryable: true, RequestID: "req_1", RetryAfter: 3 * time.Second}
	if !errors.As(err, &refused) || *refused != expected ||
		err.Error() != "municipality_code_conflict (a.b): words [req_1]" {
		t.Errorf("%v: %+v", err, refused)
	}
	for _, foreign := range []string{"", "<html>not found</html>", `{"error":"no"}`, `[]`} {
		transport := &answers{list: []func(http.ResponseWriter){func(w http.ResponseWriter) {
			w.WriteHeader(404)
			_, _ = w.Write([]byte(foreign))
		}}}
		_, err := clientOver(transport).Note(t.Context(), "nfse_1")
		if err == nil || err.Error() != "HTTP 404: the answer is not one of Emissor: is the address right?" {
			t.Errorf("%q: %v", foreign, err)
		}
	}
}

// The key goes where it was told to, in its header; ids stay one part of the path.
func TestClient_Requests(t *testing.T) {
	transport := &answers{list: []func(http.ResponseWriter){says200("{}")}}
	client := clientOver(transport)
	_, _ = client.CancelNote(t.Context(), "../../services?x", apiclient.Cancel{ReasonCode: "1", ReasonText: "a & b"})
	_, _ = client.Services(t.Context(), apiclient.Page{Limit: 3, StartingAfter: "srv_1"})
	cancel, list := transport.sent[0], transport.sent[1]
	if at := cancel.URL.String(); at != "https://api.example.com/emissor/v1/nfse/..%2F..%2Fservices%3Fx/cancel" {
		t.Errorf("cancelled is at %s", at)
	}
	if at := list.URL.String(); at != "https://api.example.com/emissor/v1/services?limit=3&starting_after=srv_1" {
		t.Errorf("listed is %s", at)
	}
	if list.Header.Get("Content-Type") != "" || cancel.Header.Get("Content-Type") != "application/json" ||
		!strings.HasPrefix(cancel.Header.Get("Authorization"), "Bearer svc_test_") {
		t.Errorf("the headers are %v and %v", cancel.Header, list.Header)
	}
	var body apiclient.Cancel
	if err := json.NewDecoder(cancel.Body).Decode(&body); err != nil || body.ReasonText != "a & b" {
		t.Errorf("%+v, %v", body, err)
	}
}

// A redirect would take the key to another host, and an answer without end the memory.
func TestConnection_RefusesRedirectsAndFloods(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the redirect was followed")
	}))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/xml") {
			for range 9 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
			return
		}
		http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	base, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := apiclient.NewClient(apiclient.NewConnection(base, nfse.NewAPIKeyText(true), apiclient.Options{}))
	if err := client.Health(t.Context()); err == nil || !strings.Contains(err.Error(), "redirect, which is not followed") {
		t.Errorf("%v", err)
	}
	if _, err := client.XML(t.Context(), "nfse_1"); err == nil || !strings.Contains(err.Error(), "more than 8 MiB") {
		t.Errorf("%v", err)
	}
}

// What is waited for is looked at as the API asks, and what was seen last is returned.
func TestClient_Wait(t *testing.T) {
	queued := func(w http.ResponseWriter) {
		w.Header().Set("Retry-After", "1")
		_, _ = w.Write([]byte(`{"id":"nfse_1","status":"processing"}`))
	}
	synctest.Test(t, func(t *testing.T) {
		transport := &answers{list: []func(http.ResponseWriter){queued, queued,
			says200(`{"id":"nfse_1","status":"issued"}`)}}
		note, err := clientOver(transport).Wait(t.Context(), "nfse_1")
		if err != nil || note.Status != nfse.StatusIssued || len(transport.calls) != 3 {
			t.Errorf("%+v, %v", note, err)
		}
		if took := transport.calls[2].Sub(transport.calls[0]); took < 2*time.Second {
			t.Errorf("it was asked again within %s", took)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("time is up"))
		defer cancel()
		transport := &answers{list: []func(http.ResponseWriter){queued}}
		note, err := clientOver(transport).Wait(ctx, "nfse_1")
		if note.Status != nfse.StatusProcessing || err == nil || err.Error() != "the note is still processing: time is up" {
			t.Errorf("%+v, %v", note, err)
		}
		if len(transport.calls) < 12 || len(transport.calls) > 20 {
			t.Errorf("it was asked %d times in a minute", len(transport.calls))
		}
	})
}
