package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"emissor/client"
	"emissor/nfse"
	"emissor/test/testkit"
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
func says(status int, code client.ErrorCode, header ...string) func(http.ResponseWriter) {
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

func clientOver(transport http.RoundTripper) *client.Client {
	api, err := client.New(client.Options{URL: "https://api.example.com/emissor/", Key: nfse.NewAPIKeyText(false),
		Transport: transport})
	if err != nil {
		panic(err)
	}
	return api
}

// What is repeated depends on the answer and on what the call does.
func TestClient_RepeatsWhatIsSafe(t *testing.T) {
	health := func(ctx context.Context, c *client.Client) error { return c.Health(ctx) }
	issue := func(ctx context.Context, c *client.Client) error {
		_, err := c.Issue(ctx, client.CreateNfse{Reference: "a"})
		return err
	}
	newService := func(ctx context.Context, c *client.Client) error {
		_, err := c.CreateService(ctx, client.CreateService{Name: "a"})
		return err
	}
	for name, c := range map[string]struct {
		call   func(context.Context, *client.Client) error
		answer func(http.ResponseWriter)
		calls  int
	}{
		"429 of a read":             {health, says(429, client.ErrorCodeRateLimited), 2},
		"429 of an issuance":        {issue, says(429, client.ErrorCodeRateLimited), 2},
		"429 of a new service":      {newService, says(429, client.ErrorCodeRateLimited), 2},
		"503 of an issuance":        {issue, says(503, client.ErrorCodeServiceUnavailable), 2},
		"503 of a new service":      {newService, says(503, client.ErrorCodeServiceUnavailable), 1},
		"a proxy's 502":             {issue, func(w http.ResponseWriter) { w.WriteHeader(502) }, 2},
		"broken read":               {health, nil, 2},
		"broken issuance":           {issue, nil, 2},
		"broken new service":        {newService, nil, 1},
		"400":                       {issue, says(400, client.ErrorCodeInvalidRequest), 1},
		"409 that is retryable":     {issue, says(409, client.ErrorCodeCancellationInProgress), 1},
		"500 of an issuance":        {issue, says(500, client.ErrorCodeInternalError), 2},
		"500 of a new service":      {newService, says(500, client.ErrorCodeInternalError), 1},
		"500 of others":             {issue, func(w http.ResponseWriter) { w.WriteHeader(500) }, 1},
		"429 for longer than is ok": {issue, says(429, client.ErrorCodeRateLimited, "Retry-After", "61"), 1},
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
			says(429, client.ErrorCodeRateLimited, "Retry-After", "7"),
			says(503, client.ErrorCodeServiceUnavailable, "Retry-After", date),
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
		transport := &answers{list: []func(http.ResponseWriter){says(429, client.ErrorCodeRateLimited, "Retry-After", "2")}}
		err := clientOver(transport).Health(t.Context())
		if !client.IsCode(err, client.ErrorCodeRateLimited) || len(transport.calls) != 5 {
			t.Errorf("%d calls, %v", len(transport.calls), err)
		}
	})
}

// An issuance is the same bytes each time, as they were stored, and who wants to know hears of each pause.
func TestClient_SameBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent, told []string
		transport := &answers{list: []func(http.ResponseWriter){says(503, client.ErrorCodeServiceUnavailable), nil,
			says(500, client.ErrorCodeInternalError), says(429, client.ErrorCodeRateLimited, "Retry-After", "2"), nil, nil,
			nil}}
		api := newClient(t, client.Options{URL: "https://api.example.com", Attempts: 7, Transport: reading{transport, &sent},
			Again: func(pause time.Duration, err error) { told = append(told, pause.Round(time.Second).String()) }})
		stored := json.RawMessage("{ \"reference\": \"a<b\" }\n")
		_, err := api.Issue(t.Context(), stored)
		if err == nil || !slices.Equal(sent, slices.Repeat([]string{string(stored)}, 7)) || len(told) != 6 ||
			told[0] != "1s" {
			t.Errorf("%v after %q, and %v", err, sent, told)
		}
	})
}

// reading is a transport that notes the bodies.
type reading struct {
	*answers
	bodies *[]string
}

func (r reading) RoundTrip(request *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	*r.bodies = append(*r.bodies, string(body))
	return r.answers.RoundTrip(request)
}

// Each operation of the description has a method, and each method is one of it.
func TestClient_EveryOperation(t *testing.T) {
	transport := &answers{list: []func(http.ResponseWriter){says200("{}")}}
	api, ctx, page := clientOver(transport), t.Context(), client.Page{}
	_ = api.Health(ctx)
	_, _ = api.Issue(ctx, client.CreateNfse{})
	_, _ = api.Notes(ctx, page)
	_, _ = api.Note(ctx, "{id}")
	_, _ = api.CancelNote(ctx, "{id}", client.CancelNfse{})
	_, _ = api.XML(ctx, "{id}")
	_, _ = api.Services(ctx, page)
	_, _ = api.Service(ctx, "{id}")
	_, _ = api.CreateService(ctx, client.CreateService{})
	_, _ = api.UpdateService(ctx, "{id}", client.UpdateService{})
	_, _ = api.Customers(ctx, page)
	_, _ = api.Customer(ctx, "{id}")
	_, _ = api.SaveCustomer(ctx, client.CreateCustomer{})
	_, _ = api.UpdateCustomer(ctx, "{id}", client.UpdateCustomer{})
	var called, described []string
	for _, request := range transport.sent {
		called = append(called, request.Method+" "+strings.TrimPrefix(request.URL.Path, "/emissor"))
	}
	for path, item := range testkit.Description(t).Paths.Map() {
		for method := range item.Operations() {
			if method != http.MethodHead && path != "/llms-full.txt" {
				described = append(described, method+" "+path)
			}
		}
	}
	slices.Sort(called)
	slices.Sort(described)
	if !slices.Equal(called, described) {
		t.Errorf("called are\n%q, described\n%q", called, described)
	}
}

// A context that ends during a pause ends the call, and the error says both.
func TestClient_EndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		transport := &answers{list: []func(http.ResponseWriter){
			says(503, client.ErrorCodeServiceUnavailable, "Retry-After", "20")}}
		err := clientOver(transport).Health(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !client.IsCode(err, client.ErrorCodeServiceUnavailable) {
			t.Errorf("%v", err)
		}
	})
}

func TestClient_ReadsTheEnvelope(t *testing.T) {
	transport := &answers{list: []func(http.ResponseWriter){
		says(422, client.ErrorCodeMunicipalityCodeConflict, "Retry-After", "3")}}
	_, err := clientOver(transport).Issue(t.Context(), client.CreateNfse{})
	var refused *client.Error
	expected := client.Error{Status: 422, Code: client.ErrorCodeMunicipalityCodeConflict, Message: "words", Field: "a.b",
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
	api := clientOver(transport)
	_, _ = api.CancelNote(t.Context(), "../../services?x", client.CancelNfse{ReasonCode: "1", ReasonText: "a & b"})
	_, _ = api.Services(t.Context(), client.Page{Limit: 3, StartingAfter: "srv_1"})
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
	var body client.CancelNfse
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
	api := newClient(t, client.Options{URL: server.URL, Key: nfse.NewAPIKeyText(true)})
	if err := api.Health(t.Context()); err == nil || !strings.Contains(err.Error(), "redirect, which is not followed") {
		t.Errorf("%v", err)
	}
	if _, err := api.XML(t.Context(), "nfse_1"); err == nil || !strings.Contains(err.Error(), "more than 8 MiB") {
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
		note, err := clientOver(transport).WaitForEnd(t.Context(), "nfse_1")
		if err != nil || note.Status != client.NfseStatusIssued || len(transport.calls) != 3 {
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
		note, err := clientOver(transport).WaitForEnd(ctx, "nfse_1")
		if note.Status != client.NfseStatusProcessing || err == nil ||
			err.Error() != "the note is still processing: time is up" {
			t.Errorf("%+v, %v", note, err)
		}
		if len(transport.calls) < 12 || len(transport.calls) > 20 {
			t.Errorf("it was asked %d times in a minute", len(transport.calls))
		}
	})
}

// An API that is out for longer than a call repeats does not end a wait; what is refused does.
func TestClient_WaitsForTheAPIToo(t *testing.T) {
	issued := says200(`{"id":"nfse_1","status":"issued"}`)
	for name, out := range map[string]func(http.ResponseWriter){
		"broken": nil, "502": func(w http.ResponseWriter) { w.WriteHeader(502) },
		"503": says(503, client.ErrorCodeServiceUnavailable), "504": says(504, client.ErrorCodeServiceUnavailable),
		"429":          says(429, client.ErrorCodeRateLimited),
		"429 for long": says(429, client.ErrorCodeRateLimited, "Retry-After", "90"),
	} {
		synctest.Test(t, func(t *testing.T) {
			transport := &answers{list: append(slices.Repeat([]func(http.ResponseWriter){out}, 23), issued)}
			note, err := clientOver(transport).WaitForEnd(t.Context(), "nfse_1")
			if err != nil || note.Status != client.NfseStatusIssued || len(transport.calls) != 24 {
				t.Errorf("%s: %+v, %v, after %d calls", name, note, err, len(transport.calls))
			}
			if pause := transport.calls[1].Sub(transport.calls[0]); name == "429 for long" && pause < 90*time.Second {
				t.Errorf("%s: it was asked again after %s", name, pause)
			}
		})
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("time is up"))
			defer cancel()
			transport := &answers{list: []func(http.ResponseWriter){says200(`{"id":"nfse_1","status":"processing"}`), out}}
			note, err := clientOver(transport).WaitForEnd(ctx, "nfse_1")
			if note.Status != client.NfseStatusProcessing || err == nil || strings.Count(err.Error(), "time is up") != 1 {
				t.Errorf("%s: %+v, %v", name, note, err)
			}
		})
	}
	for code, calls := range map[client.ErrorCode]int{client.ErrorCodeNfseNotFound: 1, client.ErrorCodeInternalError: 5} {
		synctest.Test(t, func(t *testing.T) {
			transport := &answers{list: []func(http.ResponseWriter){says(map[int]int{1: 404, 5: 500}[calls], code)}}
			_, err := clientOver(transport).WaitForEnd(t.Context(), "nfse_1")
			if !client.IsCode(err, code) || len(transport.calls) != calls {
				t.Errorf("%v, after %d calls", err, len(transport.calls))
			}
		})
	}
}
