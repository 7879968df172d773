package api_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"emissor/api"
	"emissor/internal/metrics/metricstest"
	"emissor/nfse"
	"emissor/store/operate"
	"emissor/test/testkit"
)

func requestsOf(t *testing.T, s *testkit.System, search operate.RequestSearch) []operate.APIRequest {
	t.Helper()
	s.API.WriteRequests(t.Context())
	search.Limit = 50
	page, err := s.Store.Operate.SearchRequests(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID}, search)
	if err != nil {
		t.Fatal(err)
	}
	return page.Requests
}

// The log says of each request with a valid key what became of it, and nothing that the caller wrote.
func TestRequestLog_WhatIsKept(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{})
	service := s.NewService(t, s.TestKey)
	issued := post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-secret"), Body{
		"customer.address.street": "Avenida Secreta"})).Expect(t, http.StatusAccepted)
	note := issued.Text("id")
	get(t, s, "/v1/nfse/"+note)
	get(t, s, "/v1/nfse?starting_after=52998224725")
	get(t, s, "/v1/customers/52998224725")
	post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-2"), Body{"amount_cents": "segredo"}))
	post(t, s, "/v1/nfse", with(testkit.Issuance(service, "order-3"), Body{"Maria da Silva": "52998224725"}))

	found := requestsOf(t, s, operate.RequestSearch{})
	if len(found) != 7 { // with the service that was made
		t.Fatalf("%d requests are on record", len(found))
	}
	of := func(at int) operate.APIRequest { return found[len(found)-1-at] }
	if r := of(1); r.ID != issued.Header.Get("X-Request-Id") || r.Method != "POST" || r.Path() != "/v1/nfse" ||
		r.Status != 202 || r.NoteID != note || r.BodyBytes == 0 || r.OtherFields != 0 || r.Took() <= 0 {
		t.Errorf("the issuance: %+v", r)
	} else {
		sizes := map[string]int{}
		for _, field := range r.Fields {
			sizes[field.Name] = field.Bytes
		}
		if sizes["reference"] != len(`"order-secret"`) || sizes["customer.address.street"] != len(`"Avenida Secreta"`) {
			t.Errorf("the fields of the issuance: %+v", r.Fields)
		}
	}
	if r := of(2); r.Path() != "/v1/nfse/"+note || r.NoteID != note || r.Status != 200 {
		t.Errorf("the reading: %+v", r)
	}
	if r := of(3); r.Path() != "/v1/nfse" || r.ErrorField != "starting_after" || r.Status != 400 {
		t.Errorf("the list: %+v", r)
	}
	if r := of(4); r.Path() != "/v1/customers/{id}" || r.ErrorCode != nfse.CodeCustomerNotFound || r.Status != 404 {
		t.Errorf("the customer: %+v", r)
	}
	if r := of(5); r.ErrorCode != nfse.CodeInvalidRequest || r.ErrorField != "amount_cents" || r.NoteID != "" {
		t.Errorf("the wrong amount: %+v", r)
	}
	if r := of(6); r.ErrorCode != nfse.CodeInvalidRequest || r.ErrorField != "" || r.OtherFields != 1 {
		t.Errorf("the unknown field: %+v", r)
	}
	all := s.Text(t, `SELECT string_agg(r::text, ' ') FROM api_requests r`)
	for _, secret := range []string{"secret", "Secreta", "segredo", "Maria", "52998224725", "order-", "svc_test"} {
		if strings.Contains(all, secret) {
			t.Errorf("the log has %q", secret)
		}
	}

	for what, search := range map[string]operate.RequestSearch{
		"2 of an error": {StatusClass: 4, Code: nfse.CodeInvalidRequest, Route: "/v1/nfse", Method: "POST"},
		"2 of the note": {NoteIDs: []string{note}},
		"4 failed":      {StatusClass: 4},
		"1 list":        {Method: "GET", Route: "/v1/nfse"},
		"0 of a key":    {APIKeyID: "key_x"},
		"2 after":       {After: of(2).ID},
		"1 before":      {Before: of(5).ID},
	} {
		if n := len(requestsOf(t, s, search)); n != int(what[0]-'0') {
			t.Errorf("%s: there are %d", what, n)
		}
	}
}

// Refused keys are counted, those on record by the day, and leave no line.
func TestRequestLog_RefusedKeys(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{API: api.Options{}})
	s.Exec(t, `UPDATE api_keys SET revoked_at = now() WHERE NOT livemode`)
	for range 3 {
		get(t, s, "/v1/nfse")
	}
	s.Call(t, "GET", "/v1/nfse", nfse.NewAPIKeyText(false), nil)
	s.API.WriteRequests(t.Context())
	get(t, s, "/v1/nfse")
	s.API.WriteRequests(t.Context())
	if found := s.Text(t, `SELECT (SELECT count(*) FROM api_requests) || ' ' ||
		(SELECT string_agg(refusals::text, ',') FROM refused_keys)`); found != "0 4" {
		t.Errorf("lines and refusals are %s", found)
	}
	for key, expected := range map[string]float64{"known": 4, "unknown": 1} {
		if n := metricstest.Value(t, s.Metrics, "emissor_refused_keys_total", key); n != expected {
			t.Errorf("%s keys that were refused: %v", key, n)
		}
	}
}

// Only so many requests wait to be written: others are dropped, and counted. What waits is written when
// the process stops.
func TestRequestLog_BoundAndEnd(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{})
	get(t, s, "/v1/nfse")
	like := requestsOf(t, s, operate.RequestSearch{})[0]
	waiting := make([]operate.APIRequest, api.MostWaiting)
	for i := range waiting {
		waiting[i] = like
		waiting[i].ID = nfse.NewID(nfse.PrefixRequest)
	}
	s.API.Wait(waiting[1:])
	get(t, s, "/v1/nfse").Expect(t, http.StatusOK) // the last that there is room for
	dropped := func() float64 { return metricstest.Value(t, s.Metrics, "emissor_requests_not_logged_total", "") }
	if n := dropped(); n != 0 {
		t.Errorf("with room for one, %v are dropped", n)
	}
	get(t, s, "/v1/nfse").Expect(t, http.StatusOK)
	get(t, s, "/v1/nfse").Expect(t, http.StatusOK)
	if n := dropped(); n != 2 {
		t.Errorf("without room, %v of two are dropped", n)
	}

	stopping, stop := context.WithCancel(t.Context())
	stop()
	s.API.KeepRequestLog(stopping) // returns once all is written
	if n := s.Count(t, `SELECT count(*) FROM api_requests`); n != 1+api.MostWaiting {
		t.Errorf("%d requests are on record", n)
	}
	get(t, s, "/v1/nfse").Expect(t, http.StatusOK)
	if found := requestsOf(t, s, operate.RequestSearch{}); len(found) == 0 || dropped() != 2 {
		t.Errorf("once there is room again, %v are dropped", dropped())
	}
}

// Names that the API reads are names of the contract to the log.
func TestRequestLog_NamesOfTheContract(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	reads := regexp.MustCompile(`\.(?:required|optional|change|amount|boolean|rate|object|take)\("([a-z_]+)"`)
	n := 0
	for _, path := range sources {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range reads.FindAllStringSubmatch(string(source), -1) {
			if n++; !api.IsContractField(found[1]) {
				t.Errorf("%s reads %s, which is no name of the contract", path, found[1])
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d names were found", n)
	}
}
