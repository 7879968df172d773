package dashboard_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/operate"
	"emissor/test/testkit"
)

// request puts a request to the API on record, and returns its id.
func (s *site) request(t *testing.T) string {
	t.Helper()
	id := nfse.NewID(nfse.PrefixRequest)
	must(t, s.Store.Operate.AddRequests(t.Context(), []operate.APIRequest{{ID: id,
		Scope: nfse.Scope{OrganizationID: s.Organization.ID}, At: nfse.Timestamp{Time: time.Now()},
		APIKeyID: "key_1", Method: "GET", Route: "/v1/nfse", Status: 200}},
		func(_ operate.APIRequest, err error) { t.Fatal(err) }))
	return id
}

// refused sends a request that the API refuses, and returns its id once it is on record.
func (s *site) refused(t *testing.T) string {
	t.Helper()
	answer := s.Call(t, http.MethodPost, "/v1/nfse", s.TestKey,
		testkit.Body{"reference": "pedido-segredo", "amount_cents": "dez"})
	answer.Expect(t, http.StatusBadRequest)
	s.API.WriteRequests(t.Context())
	return answer.Header.Get("X-Request-Id")
}

// A developer finds the request of an error, sees which field it was, and from a note's page the
// request that made it; nothing that was sent is there.
func TestRequests_Pages(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	developer := s.signedIn(t, "dev@example.com", s.Organization.ID, nfse.RoleDeveloper)
	developer.get(t, s.at("/integrations/requests")).expect(t, http.StatusOK, "Nenhuma requisição com uma chave")
	service := s.NewService(t, s.TestKey)
	issued := s.Call(t, http.MethodPost, "/v1/nfse", s.TestKey, testkit.Issuance(service, "pedido-1")).
		Expect(t, http.StatusAccepted)
	note, made := issued.Text("id"), issued.Header.Get("X-Request-Id")
	bad := s.refused(t)
	s.Exec(t, `INSERT INTO refused_keys SELECT organization_id, livemode, id, current_date, 7 FROM api_keys
		WHERE NOT livemode`)

	list := developer.get(t, s.at("/integrations/requests"))
	list.expect(t, http.StatusOK, made, bad, "invalid_request", "service_id", "dias: 7.", "últimos 2 segundos")
	for name, expected := range map[string]map[string]bool{
		"status=4":                      {bad: true, made: false},
		"code=invalid_request":          {bad: true, made: false},
		"op=POST+%2Fv1%2Fnfse&status=2": {bad: false, made: true},
		"q=pedido-1":                    {bad: false, made: true},
		"q=" + note:                     {bad: false, made: true},
		"q=nenhuma":                     {bad: false, made: false},
		"since=2020-01-01":              {bad: true, made: true},
		"until=2020-01-01":              {bad: false, made: false},
	} {
		found := developer.get(t, s.at("/integrations/requests")+"&"+name)
		for id, there := range expected {
			if strings.Contains(found.body, "/integrations/requests/"+id) != there {
				t.Errorf("%s: %s is there: %v", name, id, !there)
			}
		}
	}
	for _, wrong := range []string{"q=" + nfse.NewID(nfse.PrefixRequest), "op=x", "status=9", "key=x", "code=X",
		"since=x"} {
		developer.get(t, s.at("/integrations/requests")+"&"+wrong).expect(t, http.StatusUnprocessableEntity)
	}
	to := developer.get(t, s.at("/integrations/requests")+"&q="+bad).header.Get("Location")
	if !strings.Contains(to, bad) {
		t.Errorf("a request's id leads to %q", to)
	}
	one := developer.get(t, s.at("/integrations/requests/"+bad))
	one.expect(t, http.StatusOK, "invalid_request", "<code>reference</code>", "<code>amount_cents</code>", bad)
	for _, secret := range []string{"pedido-segredo", "dez"} {
		if strings.Contains(one.body, secret+`"`) || strings.Contains(one.body, "pedido-segredo") {
			t.Errorf("the page shows %q", secret)
		}
	}
	developer.get(t, s.at("/integrations/requests/"+made)).expect(t, http.StatusOK, "/notes/"+note)
	developer.get(t, s.at("/notes/"+note)).expect(t, http.StatusOK, "/integrations/requests/"+made)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	if strings.Contains(viewer.get(t, s.at("/notes/"+note)).body, "/integrations/requests/") {
		t.Error("who may not see requests is led to one")
	}
	developer.get(t, s.of("/integrations/requests/"+bad, s.Organization.ID, "live")).expect(t, http.StatusNotFound)
}

// More requests than a page has go on older ones, and back.
func TestRequests_Pager(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	developer := s.signedIn(t, "dev@example.com", s.Organization.ID, nfse.RoleDeveloper)
	s.Exec(t, `INSERT INTO api_requests (id, organization_id, livemode, at, api_key_id, method, route, status,
			microseconds, body_bytes, fields, other_fields)
		SELECT 'req_' || lpad(i::text, 26, '0'), $1, false, now(), 'key_1', 'GET',
			CASE WHEN i = 3 THEN '/v1/services' ELSE '/v1/nfse' END, 200, 1, 0, '[]', 0
		FROM generate_series(1, 10100) i`, s.Organization.ID)
	id := func(n int) string { return fmt.Sprintf("/integrations/requests/req_%026d?", n) }
	first := developer.get(t, s.at("/integrations/requests"))
	first.expect(t, http.StatusOK, id(10100), id(10051), "older=req_"+fmt.Sprintf("%026d", 10051))
	second := developer.get(t, s.at("/integrations/requests")+"&older=req_"+fmt.Sprintf("%026d", 10051))
	second.expect(t, http.StatusOK, id(10050), id(10001), "newer=req_"+fmt.Sprintf("%026d", 10050))
	rare := "&op=GET+%2Fv1%2Fservices"
	developer.get(t, s.at("/integrations/requests")+rare).expect(t, http.StatusOK, "Nenhuma entre as 10 mil",
		"older=req_"+fmt.Sprintf("%026d", 101))
	developer.get(t, s.at("/integrations/requests")+rare+"&older=req_"+fmt.Sprintf("%026d", 101)).
		expect(t, http.StatusOK, id(3))
}
