package clients

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// standIn stands between a client and the API, and disturbs the first issuances: one is limited by the API and one by a
// proxy, of one the answer is lost after it was accepted, and two are answered by proxies that have lost the API.
type standIn struct {
	URL string

	api    *httputil.ReverseProxy
	mu     sync.Mutex
	bodies [][]byte // of the issuances
}

// disturbed is how many issuances are not answered well.
const disturbed = 5

func newStandIn(t *testing.T, api string) *standIn {
	t.Helper()
	target, err := url.Parse(api)
	must(t, err)
	s := &standIn{api: httputil.NewSingleHostReverseProxy(target)}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// ServeHTTP implements http.Handler.
func (s *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/nfse" {
		s.api.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	s.bodies = append(s.bodies, body)
	number := len(s.bodies)
	s.mu.Unlock()
	switch number {
	case 1:
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Retry-After", "2")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":{"code":"rate_limited","message":"too many requests","field":null,`+
			`"retryable":true,"request_id":"req_01m0w42mawfnrscgnq4tr480b2"}}`)
	case 2:
		w.Header().Set("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")
		http.Error(w, "<h1>Too Many Requests</h1>", http.StatusTooManyRequests)
	case 3:
		s.api.ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler) // the connection is cut
	case 4:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadGateway)
		_, _ = io.WriteString(w, `{"error":"bad gateway"}`)
	case disturbed:
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusServiceUnavailable)
		_, _ = io.WriteString(w, "<h1>Service Unavailable</h1>")
	default:
		s.api.ServeHTTP(w, r)
	}
}

// newRedirecting is a server that answers every request by sending it to another one, and counts what comes there.
func newRedirecting(t *testing.T) (s *standIn, elsewhere *atomic.Int64) {
	t.Helper()
	elsewhere = new(atomic.Int64)
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) }))
	t.Cleanup(other.Close)
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusFound))
	t.Cleanup(server.Close)
	return &standIn{URL: server.URL}, elsewhere
}

// Issuances are the bodies that came so far.
func (s *standIn) Issuances() [][]byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]byte(nil), s.bodies...)
}
