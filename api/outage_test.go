package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"emissor/nfse"
	"emissor/store"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// behindProxy is a system whose database can be cut off.
func behindProxy(t *testing.T) (*testkit.System, *toxiproxy.Proxy) {
	t.Helper()
	var proxy *toxiproxy.Proxy
	s := testkit.NewSystem(t, testkit.Options{Connect: func(t testing.TB, databaseURL string) *store.Store {
		address, err := url.Parse(databaseURL)
		if err != nil {
			t.Fatal(err)
		}
		server := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
		proxy = toxiproxy.NewProxy(server, "database", "127.0.0.1:0", address.Host)
		start(t, proxy)
		t.Cleanup(proxy.Stop)
		address.Host = proxy.Listen
		opened, err := store.Open(t.Context(), postgres.Config{
			URL: address.String(), MaxConnections: 20, Application: "emissor-test",
			StatementTimeout: time.Hour, // so that no wait is ended by the store but only by the API itself
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = opened.Close() })
		return opened
	}})
	return s, proxy
}

func start(t testing.TB, proxy *toxiproxy.Proxy) {
	t.Helper()
	if err := proxy.Start(); err != nil {
		t.Fatal(err)
	}
}

func poison(t *testing.T, proxy *toxiproxy.Proxy, toxic string) {
	t.Helper()
	if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(toxic)); err != nil {
		t.Fatal(err)
	}
}

// expectOut fails the test unless the service is said to be out for the moment.
func expectOut(t *testing.T, answer testkit.Answer) {
	t.Helper()
	answer.ExpectError(t, http.StatusServiceUnavailable, nfse.CodeServiceUnavailable, "")
	same(t, "retryable", retryable(answer), true)
	same(t, "Retry-After", answer.Header.Get("Retry-After"), "2")
}

func TestHealth_OK(t *testing.T) {
	s := newSystem(t)
	for _, key := range []string{"", "nonsense", s.TestKey} {
		answer := s.Call(t, "GET", "/v1/health", key, nil).Expect(t, http.StatusOK)
		same(t, "the answer", string(answer.Raw), `{"status":"ok"}`)
	}
}

func TestHealth_DatabaseOut(t *testing.T) {
	s, proxy := behindProxy(t)
	health := func() testkit.Answer { return s.Call(t, "GET", "/v1/health", "", nil) }
	health().Expect(t, http.StatusOK)
	becomes := func(status int) testkit.Answer { // what was true a second ago is repeated
		var answer testkit.Answer
		testkit.Eventually(t, fmt.Sprintf("health is %d", status), func() bool {
			answer = health()
			return answer.Status == status
		})
		return answer
	}
	proxy.Stop()
	expectOut(t, becomes(http.StatusServiceUnavailable))
	start(t, proxy)
	becomes(http.StatusOK)
	poison(t, proxy, `{"name": "silence", "type": "timeout", "stream": "downstream", "attributes": {"timeout": 0}}`)
	expectOut(t, becomes(http.StatusServiceUnavailable))
	expectOut(t, health())
	proxy.Stop() // so that nothing waits for the silent network any longer
}

func TestOutage_EveryOperation(t *testing.T) {
	s, proxy := behindProxy(t)
	proxy.Stop()
	for _, operation := range keyed {
		expectOut(t, s.Call(t, operation.method, operation.path, s.TestKey, nil))
	}
	s.Call(t, "GET", "/llms-full.txt", "", nil).Expect(t, http.StatusOK)
	s.Call(t, "GET", "/v1/services", "", nil).ExpectError(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
}

func TestOutage_IssuanceCutOff(t *testing.T) {
	s, proxy := behindProxy(t)
	service := s.NewService(t, s.TestKey)
	const step = 10 // bytes; the answer to COMMIT has 18, and where it begins varies a little
	lost := 0       // notes that were committed although the caller was told otherwise
	for i := 0; ; i++ {
		body := with(testkit.Issuance(service, fmt.Sprint("order-", i)), Body{"customer.document": cpf(i)})
		poison(t, proxy,
			fmt.Sprintf(`{"name": "cut", "type": "limit_data", "stream": "downstream", "attributes": {"bytes": %d}}`,
				step*i))
		first := post(t, s, "/v1/nfse", body)
		proxy.Stop() // and every connection with it
		if err := proxy.Toxics.RemoveToxic(t.Context(), "cut"); err != nil {
			t.Fatal(err)
		}
		start(t, proxy)

		again := post(t, s, "/v1/nfse", body).Expect(t, http.StatusAccepted)
		same(t, "notes", s.Count(t, `SELECT count(*) FROM notes`), i+1)
		same(t, "outbox rows", s.Count(t, `SELECT count(*) FROM outbox`), i+1)
		same(t, "customers", s.Count(t, `SELECT count(*) FROM customers`), i+1)
		if first.Status == http.StatusAccepted {
			same(t, "the note", again.JSON, with(first.JSON, Body{"idempotent": true}))
			break
		}
		expectOut(t, first)
		if again.At("idempotent") == true {
			lost++
		}
	}
	if lost == 0 {
		t.Error("no cut fell between the commit and its answer")
	}
}
