package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"emissor/api"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

// requestLine is what the log says of a request.
type requestLine struct {
	Message      string `json:"msg"`
	RequestID    string `json:"request_id"`
	Status       int    `json:"status"`
	Client       string `json:"client"`
	KeyID        string `json:"key_id"`
	Refusal      string `json:"refusal"`
	Organization string `json:"organization_id"`
}

// lineOf waits for the line of an answer: it is written after the answer.
func (l *logbook) lineOf(t *testing.T, answer testkit.Answer) (found requestLine) {
	t.Helper()
	testkit.Eventually(t, "the request is logged", func() bool {
		lines := bufio.NewScanner(strings.NewReader(l.String()))
		for lines.Scan() {
			var line requestLine
			if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "request" &&
				line.RequestID == answer.Header.Get("X-Request-Id") {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

// forwarding is a system with a logbook whose callers come through a proxy.
func forwarding(t *testing.T) (*testkit.System, *logbook) {
	t.Helper()
	logs := &logbook{}
	return testkit.NewSystem(t, testkit.Options{API: api.Options{
		Logger:         slog.New(slog.NewJSONHandler(logs, nil)),
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
	}}), logs
}

// from asks with a key from an address, as the proxy tells it.
func from(t *testing.T, s *testkit.System, address, key string) testkit.Answer {
	t.Helper()
	return s.Send(t, "GET", "/v1/services", http.Header{
		"Authorization": {"Bearer " + key}, "X-Forwarded-For": {address},
	}, nil)
}

// limited makes a key with limits.
func limited(t *testing.T, s *testkit.System, limits nfse.APIKey) (id, text string) {
	t.Helper()
	text = nfse.NewAPIKeyText(false)
	limits.OrganizationID = s.Organization.ID
	created, err := s.Changes().Access.CreateAPIKey(t.Context(), limits, text)
	if err != nil {
		t.Fatal(err)
	}
	return created.ID, text
}

// A key that may not be used is to its caller one that does not exist; the log says
// whose it is and why it is refused.
func TestKey_Refused(t *testing.T) {
	s, logs := forwarding(t)
	home, elsewhere := "203.0.113.7", "198.51.100.7"
	revokedID, revoked := limited(t, s, nfse.APIKey{})
	if _, err := s.Changes().Access.RevokeAPIKey(t.Context(), revokedID); err != nil {
		t.Fatal(err)
	}
	expiredID, expired := limited(t, s, nfse.APIKey{})
	s.Exec(t, `UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1`, expiredID)
	networksID, networks := limited(t, s, nfse.APIKey{AllowedNetworks: nfse.Networks{
		netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("2001:db8::/48")}})

	unknown := from(t, s, home, nfse.NewAPIKeyText(false)).
		ExpectError(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	for name, refused := range map[string]struct{ address, key, id, why string }{
		"revoked":        {home, revoked, revokedID, "the key is revoked"},
		"expired":        {home, expired, expiredID, "the key has expired"},
		"elsewhere":      {elsewhere, networks, networksID, "the key is not allowed from this address"},
		"elsewhere, v6":  {"2001:db8:1::7", networks, networksID, "the key is not allowed from this address"},
		"the proxy's":    {"127.0.0.1", networks, networksID, "the key is not allowed from this address"},
		"a lie before":   {home + ", " + elsewhere, networks, networksID, "the key is not allowed from this address"},
		"unknown":        {home, nfse.NewAPIKeyText(true), "", "the key is unknown"},
		"malformed":      {home, "svc_test_x", "", "the key is missing or malformed"},
		"one of no text": {home, "", "", "the key is missing or malformed"},
	} {
		answer := from(t, s, refused.address, refused.key)
		sameAnswer(t, name, answer, unknown)
		same(t, name+", WWW-Authenticate", answer.Header.Get("WWW-Authenticate"), "Bearer")
		_, client, lied := strings.Cut(refused.address, ", ")
		if !lied {
			client = refused.address
		}
		same(t, name+", the line", logs.lineOf(t, answer), requestLine{Message: "request", Status: 401, Client: client,
			RequestID: answer.Header.Get("X-Request-Id"), KeyID: refused.id, Refusal: refused.why})
	}
	for _, address := range []string{home, "::ffff:" + home, "2001:db8:0:1::7"} {
		answer := from(t, s, address, networks).Expect(t, http.StatusOK)
		same(t, "the line", logs.lineOf(t, answer), requestLine{Message: "request", Status: 200,
			Client: netip.MustParseAddr(address).Unmap().String(), RequestID: answer.Header.Get("X-Request-Id"),
			KeyID: networksID, Organization: s.Organization.ID})
	}
	// Limits and their end take effect on the next request.
	for _, allowed := range []string{"198.51.100.0/24", "203.0.113.0/24"} {
		if _, err := s.Changes().Access.SetAPIKey(t.Context(), networksID, func(key *nfse.APIKey) error {
			key.AllowedNetworks = nfse.Networks{netip.MustParsePrefix(allowed)}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		same(t, "elsewhere while "+allowed+" is allowed", from(t, s, elsewhere, networks).Status == http.StatusOK,
			allowed == "198.51.100.0/24")
	}
}

// A cancellation by a key is in the audit log, with the request and the address it
// came from, and without the reason in words. Asked for again it is no change.
func TestAudit_Cancellation(t *testing.T) {
	s, _ := forwarding(t)
	note := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "order-1"))
	cancel := func(text string) testkit.Answer {
		return s.Send(t, "POST", "/v1/nfse/"+note+"/cancel", http.Header{"Authorization": {"Bearer " + s.TestKey},
			"X-Forwarded-For": {"203.0.113.7"}, "Content-Type": {"application/json"}},
			`{"reason_code":"2","reason_text":"`+text+`"}`)
	}
	first := cancel("Maria da Silva desistiu da consulta").Expect(t, http.StatusAccepted)
	cancel("Maria da Silva desistiu da consulta").Expect(t, http.StatusAccepted)
	cancel("outra coisa, bem diferente").Expect(t, http.StatusConflict)
	entries, _, err := s.Store.Audit.Log(t.Context(), audit.Filter{SubjectID: note, Page: postgres.Page{Limit: 10}})
	if err != nil || len(entries) != 1 {
		t.Fatalf("the entries are %+v, %v", entries, err)
	}
	entry := entries[0]
	same(t, "who", entry.Actor, nfse.Actor{Kind: nfse.ActorKey, From: "203.0.113.7",
		ID: s.Text(t, `SELECT api_key_id FROM notes`), RequestID: first.Header.Get("X-Request-Id")})
	same(t, "what", entry.Action, audit.NoteCancel)
	same(t, "where", *entry.OrganizationID, s.Organization.ID)
	same(t, "before", string(entry.Before), `{"status": "queued"}`)
	same(t, "after", string(entry.After), `{"status": "queued", "reason_code": "2", "cancellation": "pending"}`)
}

// When a key was last used is kept once in minutes, and not for each request.
func TestKey_LastUsed(t *testing.T) {
	s := newSystem(t)
	service := api.New(api.Options{Store: s.Store, Resolver: s.Resolver, Metrics: s.Metrics, Logger: testkit.Logger(t)})
	handler := service.Handler()
	_, foreign := limited(t, s, nfse.APIKey{AllowedNetworks: nfse.Networks{netip.MustParsePrefix("198.51.100.0/24")}})
	use := func() {
		t.Helper()
		for _, key := range []string{s.TestKey, s.TestKey, foreign} {
			request := httptest.NewRequest("GET", "/v1/services", nil)
			request.Header.Set("Authorization", "Bearer "+key)
			handler.ServeHTTP(httptest.NewRecorder(), request)
		}
		ended, end := context.WithCancel(t.Context())
		end()
		service.KeepKeyUses(ended) // writes what is left
	}
	written := func() string {
		return s.Text(t, `SELECT string_agg(xmin || ' ' || coalesce(last_used_at > now() - interval '1 minute', false),
			';' ORDER BY id) FROM api_keys`)
	}
	before := written()
	use()
	first := written()
	if first == before || strings.Count(first, "true") != 1 {
		t.Errorf("of three keys, of which one was used, it is kept %s", first)
	}
	use()
	same(t, "after more uses", written(), first)
	s.Exec(t, `UPDATE api_keys SET last_used_at = now() - interval '4 minutes' WHERE last_used_at IS NOT NULL`)
	aged := written()
	use()
	same(t, "after a use four minutes later", written(), aged)
	s.Exec(t, `UPDATE api_keys SET last_used_at = now() - interval '6 minutes' WHERE last_used_at IS NOT NULL`)
	use()
	same(t, "keys used", strings.Count(written(), "true"), 1)
}
