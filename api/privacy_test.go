package api_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"emissor/api"
	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/test/testkit"
)

// logbook keeps what is logged, from any goroutine.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

func TestLog_NothingPersonal(t *testing.T) {
	logs := &logbook{}
	zips := newZipServer(t)
	var commits atomic.Int64
	s := testkit.NewSystem(t, testkit.Options{
		Services: []municipality.Service{zips.viaCEP(t), zips.brasilAPI(t)},
		API: api.Options{
			Logger: slog.New(slog.NewTextHandler(logs,
				&slog.HandlerOptions{Level: slog.LevelDebug, AddSource: true})),
			RateLimit: 1000, FailedAuthLimit: 1,
			Accepted: func() {
				if commits.Add(1) == 3 {
					panic("a bug")
				}
			},
		},
	})
	secrets := []string{
		s.TestKey, s.LiveKey, "52998224725", "529.982.247-25", "Maria da Silva", "maria@example.com", "Avenida Secreta",
		"1578-B", "Bairro Secreto",
		zipSaoPaulo, "01310-100", zipOfNoRange, "order-secret", "Consulta secreta", "Nome Secreto",
	}
	unknown, malformed := nfse.NewAPIKeyText(true), "svc_test_not-a-key"
	secrets = append(secrets, unknown, malformed)
	for _, key := range []string{s.TestKey, s.LiveKey, unknown} {
		secrets = append(secrets, strings.TrimPrefix(key, key[:9]))
	}

	service := post(t, s, "/v1/services", with(serviceBody(), Body{"name": "Nome Secreto",
		"description": "Consulta secreta"})).Text("id")
	secret := func(reference string) Body {
		return with(testkit.Issuance(service, reference), Body{
			"customer.address.street": "Avenida Secreta", "customer.address.number": "1578-B",
			"customer.address.district": "Bairro Secreto", "service.description": "Consulta secreta",
		})
	}
	customer := post(t, s, "/v1/customers", customerBody()).Text("id")
	issued := post(t, s, "/v1/nfse", secret("order-secret")).Expect(t, http.StatusAccepted)
	zips.resets()
	statuses := map[int]bool{}
	for _, answer := range []testkit.Answer{
		issued,
		post(t, s, "/v1/nfse", secret("order-secret")),
		post(t, s, "/v1/nfse", with(secret("order-secret"), Body{"amount_cents": 1})),
		post(t, s, "/v1/nfse", with(secret("order-secret-2"), Body{"customer.document": "529.982.247-26"})),
		post(t, s, "/v1/nfse", with(secret("order-secret-3"), Body{"customer.address.zip_code": zipOfNoRange})),
		post(t, s, "/v1/nfse", with(secret("order-secret-4"), Body{"customer.municipality_code": rio})),
		post(t, s, "/v1/nfse", secret("order-secret-5")),
		post(t, s, "/v1/nfse", secret("order-secret-6")), // the third commit: the bug
		post(t, s, "/v1/customers", with(customerBody(), Body{"email": "maria@example.com maria@example.com"})),
		patch(t, s, "/v1/customers/"+customer, Body{"email": nil, "maria@example.com": 1}),
		get(t, s, "/v1/customers/52998224725"),
		get(t, s, "/v1/customers?document=52998224725"),
		get(t, s, "/v1/52998224725/"+s.TestKey),
		s.Call(t, "DELETE", "/v1/customers/maria@example.com", s.TestKey, nil),
		s.Call(t, "GET", "/v1/services", unknown, nil),
		s.Call(t, "GET", "/v1/services", malformed, nil),
		untilLimited(t, "the address", func() testkit.Answer { return s.Call(t, "GET", "/v1/services", unknown, nil) }),
		post(t, s, "/v1/nfse", `{"name":"Maria da Silva","name":"Maria da Silva"}`),
		post(t, s, "/v1/nfse", strings.Repeat("Maria da Silva", 10_000)),
		get(t, s, "/v1/nfse/"+issued.Text("id")),
	} {
		statuses[answer.Status] = true
	}
	say(t, s, "GET /v1/52998224725 HTTP/1.1\r\nHost: Maria da Silva\r\nAuthorization: Bearer "+s.TestKey+"\r\n\r\n")
	s.Exec(t, `ALTER TABLE customers RENAME TO customers_gone`) // what the database says of it is logged
	statuses[post(t, s, "/v1/nfse", secret("order-secret-7")).Status] = true
	for _, status := range []int{200, 202, 400, 401, 404, 405, 409, 413, 422, 429, 500, 503} {
		if !statuses[status] {
			t.Errorf("the session has no %d", status)
		}
	}

	text := logs.String()
	for _, sign := range []string{"level=ERROR", "level=WARN", "level=INFO", "a handler panicked", "customers",
		issued.Text("id"), s.Organization.ID, issued.Header.Get("X-Request-Id")} {
		if !strings.Contains(text, sign) {
			t.Errorf("the log does not hold %q: is all of it captured?", sign)
		}
	}
	for _, secret := range secrets {
		if at := strings.Index(text, secret); at >= 0 {
			line := text[strings.LastIndex(text[:at], "\n")+1:]
			t.Errorf("%q is logged: %s", secret, strings.SplitN(line, "\n", 2)[0])
		}
	}
}

func TestLog_Requests(t *testing.T) {
	logs := &logbook{}
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{Logger: slog.New(slog.NewJSONHandler(logs, nil))}})
	answer := get(t, s, "/v1/customers/"+unknownID(nfse.PrefixCustomer)+"?x=y")
	s.Call(t, "FOO", "/nothing", "", nil)
	// An answer may arrive before its line is written: the next request on the same connection comes after it.
	s.Call(t, "GET", "/v1/health", "", nil)

	type line struct {
		Message      string `json:"msg"`
		RequestID    string `json:"request_id"`
		Method       string `json:"method"`
		Route        string `json:"route"`
		Status       int    `json:"status"`
		Organization string `json:"organization_id"`
	}
	var found, strange int
	for text := range strings.Lines(logs.String()) {
		var read line
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Fatal(err)
		}
		switch {
		case read.RequestID == answer.Header.Get("X-Request-Id"):
			found++
			same(t, "the line", read, line{"request", read.RequestID, "GET", "/v1/customers/{id}", http.StatusNotFound,
				s.Organization.ID})
		case read.Method == "other":
			strange++
			same(t, "the line of a stranger", read,
				line{"request", read.RequestID, "other", "", http.StatusNotFound, ""})
		}
	}
	same(t, "lines of the request", found, 1)
	same(t, "lines of the stranger's", strange, 1)
}
