package testkit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"

	"emissor/api"
	"emissor/nfse"
)

// Answer is an answer of the API that agrees with api/openapi.yaml.
type Answer struct {
	Status int
	Header http.Header
	Raw    []byte
	JSON   map[string]any // nil when the answer is not JSON
}

// Call sends a request with a key and checks the answer against the OpenAPI
// description. A body that is a string is sent as it is, anything else as JSON.
func (s *System) Call(t testing.TB, method, path, key string, body any) Answer {
	t.Helper()
	header := http.Header{}
	if key != "" {
		header.Set("Authorization", "Bearer "+key)
	}
	if body != nil {
		header.Set("Content-Type", "application/json")
	}
	return s.Send(t, method, path, header, body)
}

// Send is Call with headers of one's own.
func (s *System) Send(t testing.TB, method, path string, header http.Header, body any) Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(context.WithoutCancel(t.Context()), method, s.URL+path, encode(t, body))
	must(t, err)
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	raw, err := io.ReadAll(response.Body)
	must(t, err)
	_ = response.Body.Close()
	answer := Answer{Status: response.StatusCode, Header: response.Header, Raw: raw}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") && method != http.MethodHead {
		must(t, json.Unmarshal(raw, &answer.JSON))
	}
	checkAnswer(t, request, answer)
	return answer
}

func encode(t testing.TB, body any) io.Reader {
	t.Helper()
	switch body := body.(type) {
	case nil:
		return nil
	case string:
		return strings.NewReader(body)
	default:
		encoded, err := json.Marshal(body)
		must(t, err)
		return bytes.NewReader(encoded)
	}
}

var description = sync.OnceValues(func() (*openapi3.T, error) {
	openapi3filter.RegisterBodyDecoder("application/xml", openapi3filter.FileBodyDecoder)
	// What the description promises in words, because generators stumble over it as a pattern: a date-time has
	// milliseconds and is UTC, and a reference has no control characters beyond ASCII either.
	openapi3.DefineStringFormatValidator("date-time", openapi3.NewRegexpFormatValidator(
		`^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$`))
	openapi3.DefineStringFormatValidator("reference", openapi3.NewRegexpFormatValidator(
		`^[^\x00-\x20\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\x9f])?$`))
	document, err := openapi3.NewLoader().LoadFromData(api.OpenAPI)
	if err != nil {
		return nil, err
	}
	document.Servers = nil
	return document, document.Validate(context.Background())
})

var router = sync.OnceValues(func() (routers.Router, error) {
	document, err := description()
	if err != nil {
		return nil, err
	}
	return gorillamux.NewRouter(document)
})

// Description is the OpenAPI description, valid.
func Description(t testing.TB) *openapi3.T {
	t.Helper()
	document, err := description()
	must(t, err)
	return document
}

// checkAnswer fails the test when the answer is not what the description says.
// Paths and methods that it does not have are checked as the error they must be.
func checkAnswer(t testing.TB, request *http.Request, answer Answer) {
	t.Helper()
	if !nfse.IsID(nfse.PrefixRequest, answer.Header.Get("X-Request-Id")) {
		t.Errorf("%s %s: X-Request-Id is %q", request.Method, request.URL.Path, answer.Header.Get("X-Request-Id"))
	}
	if failure, ok := answer.JSON["error"].(map[string]any); ok &&
		failure["request_id"] != answer.Header.Get("X-Request-Id") {
		t.Errorf("%s %s: error.request_id is %v, X-Request-Id %q", request.Method, request.URL.Path,
			failure["request_id"], answer.Header.Get("X-Request-Id"))
	}
	routes, err := router()
	must(t, err)
	route, parameters, err := routes.FindRoute(request)
	if err != nil {
		if answer.Status != http.StatusNotFound && answer.Status != http.StatusMethodNotAllowed {
			t.Errorf("%s %s answered %d, but the description has no such operation", request.Method, request.URL.Path,
				answer.Status)
		}
		return
	}
	if answer.Status == http.StatusNotModified || request.Method == http.MethodHead {
		return // no body to check
	}
	err = openapi3filter.ValidateResponse(request.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, PathParams: parameters,
			Route: route},
		Status:  answer.Status,
		Header:  answer.Header,
		Body:    io.NopCloser(bytes.NewReader(answer.Raw)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true},
	})
	if err != nil {
		t.Errorf("%s %s answered %d, which is not as described: %v\n%s", request.Method, request.URL.Path,
			answer.Status, err, answer.Raw)
	}
	if failure, ok := answer.JSON["error"].(map[string]any); ok {
		code, _ := failure["code"].(string)
		retryable, described := ErrorCodes(t, route.Operation.Responses.Status(answer.Status))[code]
		if !described || retryable != nil && failure["retryable"] != retryable {
			t.Errorf("%s %s answered %d, which has not this error: %s", request.Method, request.URL.Path,
				answer.Status, answer.Raw)
		}
	}
}

// ErrorCodes are the codes that a response of the description has, each with whether it is retryable; nil where that
// depends.
func ErrorCodes(t testing.TB, response *openapi3.ResponseRef) map[string]any {
	t.Helper()
	if response == nil {
		return nil
	}
	codes, ok := response.Value.Extensions["x-error-codes"].(map[string]any)
	if !ok {
		t.Errorf("a response says not by x-error-codes which errors it has: %v", *response.Value.Description)
	}
	return codes
}

// Expect fails the test when the status is another.
func (a Answer) Expect(t testing.TB, status int) Answer {
	t.Helper()
	if a.Status != status {
		t.Fatalf("the answer is %d, expected %d: %s", a.Status, status, a.Raw)
	}
	return a
}

// ExpectError fails the test when the answer is not this error.
func (a Answer) ExpectError(t testing.TB, status int, code nfse.Code, field string) Answer {
	t.Helper()
	failure, _ := a.JSON["error"].(map[string]any)
	var expected any
	if field != "" {
		expected = field
	}
	if a.Status != status || failure["code"] != string(code) || failure["field"] != expected {
		t.Fatalf("the answer is %d %s, expected %d %s with field %q", a.Status, a.Raw, status, code, field)
	}
	return a
}

// Text reads a text of the answer by its path: Text("customer", "address", "street").
func (a Answer) Text(path ...string) string {
	text, _ := a.At(path...).(string)
	return text
}

// At reads a value of the answer by its path.
func (a Answer) At(path ...string) any {
	var value any = a.JSON
	for _, name := range path {
		members, _ := value.(map[string]any)
		value = members[name]
	}
	return value
}

// Eventually asks until the condition holds, and fails the test after a while.
// It waits for what happens in other processes; it asserts nothing about time.
func Eventually(t testing.TB, what string, condition func() bool) {
	t.Helper()
	deadline := time.Now().Add(2 * time.Minute) // a busy machine is slow, not wrong
	pause := shortestPause
	for !condition() {
		if time.Now().After(deadline) {
			t.Fatalf("it never happened: %s", what)
		}
		time.Sleep(pause)
		pause = min(pause*5/4, longestPause)
	}
}

// The pauses of Eventually grow: what takes seconds is asked about less often, because many
// tests that ask at once take the processor from what they wait for.
const (
	shortestPause = 10 * time.Millisecond
	longestPause  = 60 * time.Millisecond
)

// Body is the body of a request in a test.
type Body = map[string]any

// NewService puts a service into the catalogue and returns its id.
func (s *System) NewService(t testing.TB, key string) string {
	t.Helper()
	return s.Call(t, http.MethodPost, "/v1/services", key, Body{
		"name": "Consulta", "description": "Consulta médica", "municipality_code": "3550308",
		"default_amount_cents": 15000, "national_tax_code": "04.01.01", "iss_rate": 2.01,
	}).Expect(t, http.StatusCreated).Text("id")
}

// Issuance is a valid body for POST /v1/nfse: a taker in São Paulo.
func Issuance(serviceID, reference string) Body {
	return Body{
		"reference": reference, "service_id": serviceID, "amount_cents": 15000,
		"customer": Body{
			"document": "529.982.247-25", "name": "Maria da Silva",
			"address": Body{"zip_code": "01310-100", "street": "Avenida Paulista", "number": "1578",
				"district": "Bela Vista"},
		},
	}
}

// Issue issues a note and returns its id.
func (s *System) Issue(t testing.TB, key string, body Body) string {
	t.Helper()
	return s.Call(t, http.MethodPost, "/v1/nfse", key, body).Expect(t, http.StatusAccepted).Text("id")
}

// Await waits until a note stands there, and returns what the API says of it then. Until
// its row says so the API is not asked, whose answers cost a hundred times as much.
func (s *System) Await(t testing.TB, key, id string, status nfse.Status) Answer {
	t.Helper()
	var note Answer
	Eventually(t, fmt.Sprintf("%s becomes %s", id, status), func() bool {
		if s.Text(t, `SELECT status FROM notes WHERE id = $1`, id) != string(status) {
			return false
		}
		note = s.Call(t, http.MethodGet, "/v1/nfse/"+id, key, nil).Expect(t, http.StatusOK)
		return note.Text("status") == string(status)
	})
	return note
}
