package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/api"
	"emissor/nfse"
	"emissor/test/testkit"
)

// keyed are the operations that need a key, with paths that name nothing.
var keyed = []struct{ method, path string }{
	{"GET", "/v1/services"}, {"POST", "/v1/services"}, {"GET", "/v1/services/1"}, {"PATCH", "/v1/services/1"},
	{"GET", "/v1/customers"}, {"POST", "/v1/customers"}, {"GET", "/v1/customers/1"}, {"PATCH", "/v1/customers/1"},
	{"GET", "/v1/nfse"}, {"POST", "/v1/nfse"}, {"GET", "/v1/nfse/1"}, {"GET", "/v1/nfse/1/xml"},
	{"POST", "/v1/nfse/1/cancel"},
}

func TestAuthentication_InvalidKey(t *testing.T) {
	s := newSystem(t)
	revoked := s.NewKey(t, s.Organization.ID, false)
	s.Exec(t, `UPDATE api_keys SET revoked_at = now() WHERE hash = $1`, nfse.HashAPIKey(revoked))
	valid := s.TestKey
	headers := map[string]http.Header{
		"missing":           {},
		"empty":             {"Authorization": {""}},
		"scheme alone":      {"Authorization": {"Bearer"}},
		"scheme and space":  {"Authorization": {"Bearer "}},
		"no scheme":         {"Authorization": {valid}},
		"basic":             {"Authorization": {"Basic " + valid}},
		"token":             {"Authorization": {"Token " + valid}},
		"two spaces":        {"Authorization": {"Bearer  " + valid}},
		"quoted":            {"Authorization": {`Bearer "` + valid + `"`}},
		"something behind":  {"Authorization": {"Bearer " + valid + " x"}},
		"another header":    {"X-Api-Key": {valid}},
		"malformed":         {"Authorization": {"Bearer svc_test_nothing"}},
		"one letter off":    {"Authorization": {"Bearer " + mistyped(valid)}},
		"other environment": {"Authorization": {"Bearer " + strings.Replace(valid, "svc_test_", "svc_live_", 1)}},
		"other case":        {"Authorization": {"Bearer " + strings.ToUpper(valid)}},
		"unknown":           {"Authorization": {"Bearer " + nfse.NewAPIKeyText(false)}},
		"unknown, live":     {"Authorization": {"Bearer " + nfse.NewAPIKeyText(true)}},
		"revoked":           {"Authorization": {"Bearer " + revoked}},
		"very long":         {"Authorization": {"Bearer svc_test_" + strings.Repeat("x", 8000)}},
	}
	expected := s.Send(t, "GET", "/v1/services", http.Header{}, nil).
		ExpectError(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	same(t, "retryable", retryable(expected), false)
	for name, header := range headers {
		for _, operation := range keyed {
			answer := s.Send(t, operation.method, operation.path, header, nil)
			sameAnswer(t, name+" on "+operation.method+" "+operation.path, answer, expected)
			same(t, "WWW-Authenticate", answer.Header.Get("WWW-Authenticate"), "Bearer")
			names := slices.Sorted(maps.Keys(answer.Header))
			same(t, "the names of the headers", names, slices.Sorted(maps.Keys(expected.Header)))
		}
	}
	for _, scheme := range []string{"Bearer", "bearer", "BEARER"} {
		s.Send(t, "GET", "/v1/services", http.Header{"Authorization": {scheme + " " + valid}}, nil).
			Expect(t, http.StatusOK)
	}
}

// mistyped changes one character of a key, so that its checksum is wrong.
func mistyped(key string) string {
	last := key[len(key)-1]
	if last == 'a' {
		return key[:len(key)-1] + "b"
	}
	return key[:len(key)-1] + "a"
}

func TestAuthentication_Scope(t *testing.T) {
	s := newSystem(t)
	_, otherTest, otherLive := s.NewOrganization(t, "Outra")
	for _, key := range []string{s.TestKey, s.LiveKey, otherTest, otherLive} {
		service := s.NewService(t, key)
		note := s.Issue(t, key, testkit.Issuance(service, "order-1"))
		same(t, "services", ids(s.Call(t, "GET", "/v1/services", key, nil)), []string{service})
		same(t, "customers", len(ids(s.Call(t, "GET", "/v1/customers", key, nil))), 1)
		same(t, "notes", ids(s.Call(t, "GET", "/v1/nfse", key, nil)), []string{note})
	}
}

func TestAuthentication_RevokedKey(t *testing.T) {
	s := newSystem(t)
	get(t, s, "/v1/services").Expect(t, http.StatusOK)
	keys, err := s.Store.Access.APIKeys(t.Context(), s.Organization.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range keys {
		if !key.Livemode {
			if _, err := s.Changes().Access.RevokeAPIKey(t.Context(), key.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	get(t, s, "/v1/services").ExpectError(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	s.Call(t, "GET", "/v1/services", s.LiveKey, nil).Expect(t, http.StatusOK)
}

func TestAuthentication_MistypedKeyCostsNoQuery(t *testing.T) {
	s := newSystem(t)
	if err := s.Store.Close(); err != nil { // who asks now fails otherwise than by 401
		t.Fatal(err)
	}
	for _, key := range []string{"", "nothing", mistyped(s.TestKey)} {
		s.Call(t, "GET", "/v1/services", key, nil).ExpectError(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	}
}

// untilLimited repeats a request until it is answered with 429.
func untilLimited(t *testing.T, what string, request func() testkit.Answer) testkit.Answer {
	t.Helper()
	for range 1000 {
		if answer := request(); answer.Status == http.StatusTooManyRequests {
			answer.ExpectError(t, http.StatusTooManyRequests, nfse.CodeRateLimited, "")
			same(t, "retryable", retryable(answer), true)
			same(t, "Retry-After", answer.Header.Get("Retry-After"), "1")
			same(t, "RateLimit-Remaining", answer.Header.Get("RateLimit-Remaining"), "0")
			return answer
		}
	}
	t.Fatalf("%s: never limited", what)
	return testkit.Answer{}
}

// standingStill is a clock by which no limit has anything back, however long a test takes.
func standingStill() func() time.Time {
	now := time.Now()
	return func() time.Time { return now }
}

func TestRateLimit_PerKey(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{RateLimit: 1, Now: standingStill()}})
	first := get(t, s, "/v1/services").Expect(t, http.StatusOK)
	same(t, "RateLimit-Limit", first.Header.Get("RateLimit-Limit"), "2") // a burst of two seconds
	same(t, "RateLimit-Remaining", first.Header.Get("RateLimit-Remaining"), "1")
	same(t, "RateLimit-Reset", first.Header.Get("RateLimit-Reset"), "1")

	limited := untilLimited(t, "the test key", func() testkit.Answer { return get(t, s, "/v1/services") })
	same(t, "RateLimit-Limit", limited.Header.Get("RateLimit-Limit"), "2")
	s.Call(t, "GET", "/v1/services", s.LiveKey, nil).Expect(t, http.StatusOK)
	s.Call(t, "GET", "/v1/services", s.NewKey(t, s.Organization.ID, false), nil).Expect(t, http.StatusOK)
	for range 20 { // neither limits the other
		s.Call(t, "GET", "/v1/health", "", nil).Expect(t, http.StatusOK)
		s.Call(t, "GET", "/v1/services", "", nil).Expect(t, http.StatusUnauthorized)
	}
}

// All keys of an organization and environment share its rate; neither its other
// environment nor a neighbour does.
func TestRateLimit_PerOrganization(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{RateLimit: 1000, ScopeRateLimit: 2, Now: standingStill()}})
	_, neighbour, _ := s.NewOrganization(t, "Vizinha")
	keys := []string{s.TestKey, s.NewKey(t, s.Organization.ID, false), s.NewKey(t, s.Organization.ID, false)}
	first := get(t, s, "/v1/services").Expect(t, http.StatusOK)
	same(t, "RateLimit-Limit", first.Header.Get("RateLimit-Limit"), "4") // a burst of two seconds: less than the key's
	same(t, "RateLimit-Remaining", first.Header.Get("RateLimit-Remaining"), "3")

	next := 0
	untilLimited(t, "the organization", func() testkit.Answer {
		next++
		return s.Call(t, "GET", "/v1/services", keys[next%len(keys)], nil)
	})
	if next > 50 {
		t.Errorf("the organization was limited after %d requests", next)
	}
	for range 3 {
		s.Call(t, "GET", "/v1/services", s.LiveKey, nil).Expect(t, http.StatusOK)
		s.Call(t, "GET", "/v1/services", neighbour, nil).Expect(t, http.StatusOK)
	}
}

// The headers describe the limit that is nearer.
func TestRateLimit_DescribesTheNearer(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{RateLimit: 1, ScopeRateLimit: 1000, Now: standingStill()}})
	same(t, "RateLimit-Limit of the key", get(t, s, "/v1/services").Header.Get("RateLimit-Limit"), "2")
	s = testkit.NewSystem(t, testkit.Options{API: api.Options{ScopeRateLimit: 1000}})
	same(t, "RateLimit-Limit of the organization", get(t, s, "/v1/services").Header.Get("RateLimit-Limit"), "2000")
}

func TestRateLimit_Off(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{FailedAuthLimit: 1000}})
	for range 300 {
		answer := get(t, s, "/v1/services/1").Expect(t, http.StatusNotFound)
		for _, name := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			same(t, name, answer.Header.Values(name), []string(nil))
		}
	}
	stranger := s.Call(t, "GET", "/v1/health", "", nil)
	same(t, "RateLimit-Limit of the address", stranger.Header.Get("RateLimit-Limit"), "10000")
	s = testkit.NewSystem(t, testkit.Options{API: api.Options{RateLimit: 1000}})
	same(t, "RateLimit-Limit of no address", s.Call(t, "GET", "/v1/health", "", nil).Header.Values("RateLimit-Limit"),
		[]string(nil))
}

func TestRateLimit_FailedAuthentications(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{RateLimit: 1000, FailedAuthLimit: 1, Now: standingStill()}})
	fail := func() testkit.Answer { return s.Call(t, "GET", "/v1/services", nfse.NewAPIKeyText(false), nil) }
	get(t, s, "/v1/services").Expect(t, http.StatusOK)
	for range 25 { // keys that the process sees for the first time are no failures
		s.Call(t, "GET", "/v1/services", s.NewKey(t, s.Organization.ID, false), nil).Expect(t, http.StatusOK)
	}
	first := fail().Expect(t, http.StatusUnauthorized)
	same(t, "RateLimit-Limit", first.Header.Get("RateLimit-Limit"), "10") // a burst of ten seconds
	same(t, "RateLimit-Remaining", first.Header.Get("RateLimit-Remaining"), "9")
	limited := untilLimited(t, "the address", fail)
	same(t, "WWW-Authenticate", limited.Header.Get("WWW-Authenticate"), "")

	answer := get(t, s, "/v1/services").Expect(t, http.StatusOK)
	same(t, "RateLimit-Limit of the key", answer.Header.Get("RateLimit-Limit"), "2000")
	s.Call(t, "GET", "/v1/health", "", nil).Expect(t, http.StatusOK)
}

func TestRateLimit_StrangersCostNoLookUps(t *testing.T) {
	tap := &testkit.Wiretap{}
	s := testkit.NewSystem(t, testkit.Options{Connect: tap.Connect,
		API: api.Options{FailedAuthLimit: 1, Now: standingStill()}})
	revoked := s.NewKey(t, s.Organization.ID, false)
	s.Call(t, "GET", "/v1/services", revoked, nil).Expect(t, http.StatusOK)
	get(t, s, "/v1/services").Expect(t, http.StatusOK)
	stranger := func() testkit.Answer { return s.Call(t, "GET", "/v1/services", nfse.NewAPIKeyText(false), nil) }
	untilLimited(t, "the address", stranger)
	tap.Take()
	limited := 0
	for range 100 {
		if stranger().Status == http.StatusTooManyRequests {
			limited++
		}
	}
	if lookUps := len(tap.Take()); limited == 0 || lookUps != 100-limited {
		t.Errorf("%d of 100 requests were refused by the limit, and %d statements made", limited, lookUps)
	}

	get(t, s, "/v1/services").Expect(t, http.StatusOK) // its neighbours lock no known key out
	s.Exec(t, `UPDATE api_keys SET revoked_at = now() WHERE hash = $1`, nfse.HashAPIKey(revoked))
	s.Call(t, "GET", "/v1/services", revoked, nil).ExpectError(t, http.StatusUnauthorized, nfse.CodeInvalidAPIKey, "")
	untilLimited(t, "a revoked key", func() testkit.Answer { return s.Call(t, "GET", "/v1/services", revoked, nil) })
}

func TestRateLimit_ForwardedFor(t *testing.T) {
	fail := func(s *testkit.System, forwarded ...string) testkit.Answer {
		return s.Send(t, "GET", "/v1/services", http.Header{"X-Forwarded-For": forwarded}, nil)
	}
	remaining := func(answer testkit.Answer) string { return answer.Header.Get("RateLimit-Remaining") }

	t.Run("from anyone", func(t *testing.T) {
		s := testkit.NewSystem(t, testkit.Options{API: api.Options{FailedAuthLimit: 1, Now: standingStill()}})
		lies := 0
		untilLimited(t, "the address of the connection", func() testkit.Answer {
			lies++
			return fail(s, fmt.Sprintf("203.0.%d.%d", lies/250, lies%250))
		})
	})
	t.Run("from a proxy", func(t *testing.T) {
		trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
		s := testkit.NewSystem(t, testkit.Options{API: api.Options{FailedAuthLimit: 1, TrustedProxies: trusted,
			Now: standingStill()}})
		// Each of these is another address, so each has a full bucket but for the one it takes.
		for name, forwarded := range map[string][]string{
			"a client":                      {"203.0.113.1"},
			"a client that lies":            {"198.51.100.99, 203.0.113.2"},
			"in two headers":                {"198.51.100.99", "203.0.113.3"},
			"through another trusted proxy": {"203.0.113.4, 10.1.2.3"},
			"without spaces":                {"198.51.100.99,203.0.113.5,10.1.2.3,127.0.0.1"},
			"a client of IPv6":              {"2001:db8::1"},
			"another site of IPv6":          {"2001:db8:0:1::1"},
			"a mapped address":              {"::ffff:203.0.113.6"},
			"nothing":                       nil, // the proxy itself
		} {
			same(t, name, remaining(fail(s, forwarded...)), "9")
		}
		limited := func() testkit.Answer { return fail(s, "198.51.100.99, 203.0.113.77") }
		untilLimited(t, "a client behind the proxy", limited)
		for name, forwarded := range map[string][]string{
			"another lie": {"192.0.2.1, 203.0.113.77"}, "alone": {"203.0.113.77"}, "mapped": {"::ffff:203.0.113.77"},
			"another way": {"203.0.113.77, 10.9.9.9"},
		} {
			if answer := fail(s, forwarded...); answer.Status != http.StatusTooManyRequests {
				t.Errorf("%s: %d", name, answer.Status)
			}
		}
		same(t, "its neighbour", remaining(fail(s, "203.0.113.78")), "9")
		for i := range 3 { // one subscriber has all of a /64
			same(t, "a site of IPv6", remaining(fail(s, fmt.Sprintf("2001:db8:0:2:%d::1", i))), fmt.Sprint(9-i))
		}
	})
}
