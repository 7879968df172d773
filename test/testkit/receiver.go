package testkit

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/store/webhooks"
)

// Receiver is a subscriber's server: a real one, on loopback.
type Receiver struct {
	URL string

	mu     sync.Mutex
	calls  []Call
	answer func(w http.ResponseWriter, call int)
}

// Call is what a receiver got.
type Call struct {
	Header http.Header
	Body   []byte
}

// IsSigned reports whether the call is signed with these secrets, as a receiver verifies it.
func (c Call) IsSigned(secrets ...string) bool {
	signature := c.Header.Get(webhook.SignatureHeader)
	moment, _, _ := strings.Cut(strings.TrimPrefix(signature, "t="), ",")
	seconds, err := strconv.ParseInt(moment, 10, 64)
	return err == nil && signature == webhook.Sign(secrets, time.Unix(seconds, 0), c.Body)
}

// NewReceiver starts a receiver that answers by a function; nil is 200. Calls count
// from 1.
func NewReceiver(t testing.TB, answer func(w http.ResponseWriter, call int)) *Receiver {
	t.Helper()
	r := &Receiver{answer: answer}
	server := httptest.NewServer(r)
	t.Cleanup(server.Close)
	r.URL = server.URL + "/hook"
	return r
}

// ServeHTTP implements http.Handler.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	r.mu.Lock()
	r.calls = append(r.calls, Call{Header: request.Header.Clone(), Body: body})
	call, answer := len(r.calls), r.answer
	r.mu.Unlock()
	if answer != nil {
		answer(w, call)
	}
}

// Answer changes how the receiver answers from now on.
func (r *Receiver) Answer(answer func(w http.ResponseWriter, call int)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// Calls is what it got so far.
func (r *Receiver) Calls() []Call {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Call(nil), r.calls...)
}

// NewEndpoint adds a webhook endpoint of the system's organization and returns
// its id and secret.
func (s *System) NewEndpoint(t testing.TB, url string, livemode bool) (id, secret string) {
	t.Helper()
	return s.NewEndpointOf(t, nfse.Scope{OrganizationID: s.Organization.ID, Livemode: livemode}, url)
}

// NewEndpointOf is NewEndpoint for any scope.
func (s *System) NewEndpointOf(t testing.TB, scope nfse.Scope, url string) (id, secret string) {
	t.Helper()
	id, secret = nfse.NewID(nfse.PrefixEndpoint), webhook.NewSecret()
	sealed, err := s.Sealer.Seal([]byte(secret), scope.OrganizationID, id)
	must(t, err)
	_, err = s.Changes().Webhooks.CreateEndpoint(t.Context(), webhooks.Endpoint{ID: id, Scope: scope, URL: url,
		Secret: sealed})
	must(t, err)
	return id, secret
}
