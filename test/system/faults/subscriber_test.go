//go:build faults

package faults

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store/webhooks"
	"emissor/test/testkit"
)

// subscriber hears of events, and refuses every thirtieth call, but no event twice: by luck one could be refused so
// often that its next attempt comes after the test's end.
type subscriber struct {
	mu             sync.Mutex
	calls          int
	heard, refused map[string]bool // by event id
}

// subscribe adds a webhook endpoint of a scope, and returns the keyset that its
// secret is sealed under.
func subscribe(t *testing.T, database *testkit.Database, scope nfse.Scope) (*subscriber, string) {
	t.Helper()
	s := &subscriber{heard: map[string]bool{}, refused: map[string]bool{}}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	keyset, err := seal.NewKeyset()
	if err != nil {
		t.Fatal(err)
	}
	sealer, err := seal.New(keyset)
	if err != nil {
		t.Fatal(err)
	}
	id := nfse.NewID(nfse.PrefixEndpoint)
	secret, err := sealer.Seal([]byte("whsec_faults"), scope.OrganizationID, id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := database.Changes().Webhooks.CreateEndpoint(t.Context(), webhooks.Endpoint{
		ID: id, Scope: scope, URL: server.URL, Secret: secret,
	}); err != nil {
		t.Fatal(err)
	}
	return s, string(keyset)
}

// ServeHTTP implements http.Handler.
func (s *subscriber) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var event struct{ ID string }
	if err != nil || json.Unmarshal(body, &event) != nil {
		return // a worker was killed in the middle of a call
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls++; s.calls%30 == 0 && !s.refused[event.ID] {
		s.refused[event.ID] = true
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	s.heard[event.ID] = true
}

// expectAll fails the test unless every event was heard.
func (s *subscriber) expectAll(t *testing.T, database *testkit.Database) {
	t.Helper()
	var ids []string
	if err := database.SQL.Select(&ids, `SELECT id FROM events`); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		if !s.heard[id] {
			t.Errorf("the subscriber never heard of %s", id)
		}
	}
	t.Logf("%d events, %d calls", len(ids), s.calls)
}
