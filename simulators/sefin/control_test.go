package sefin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/simulators/sefin"
)

func TestControl(t *testing.T) {
	simulator, c := startWithIssuer(t)
	control := simulator.Control()
	call := func(method, path, body string) *httptest.ResponseRecorder {
		t.Helper()
		request := httptest.NewRequest(method, "http://127.0.0.1:8444"+path, strings.NewReader(body))
		recorder := httptest.NewRecorder()
		control.ServeHTTP(recorder, request)
		return recorder
	}

	menu := `{"seed":5,"faults":[{"kind":"status","scope":"issue","status":503,"next":2},{"kind":"latency","delay":"1ms"}]}`
	if r := call("PUT", "/faults", menu); r.Code != http.StatusOK {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	if answer := c.issue(c.dps(1)); answer.status != http.StatusServiceUnavailable {
		t.Errorf("a fault of the menu: %d", answer.status)
	}
	var left sefin.FaultProfile
	if err := json.Unmarshal(call("GET", "/faults", "").Body.Bytes(), &left); err != nil || left.Seed != 5 || len(left.Faults) != 2 || left.Faults[0].Next != 1 {
		t.Errorf("%+v %v", left, err)
	}
	for _, wrong := range []string{`{"faults":[{"kind":"x"}]}`, `{"fault":[]}`, `[`} {
		if r := call("PUT", "/faults", wrong); r.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, r.Code)
		}
	}
	if r := call("DELETE", "/faults", ""); r.Code != http.StatusNoContent || len(simulator.FaultProfile().Faults) != 0 {
		t.Errorf("%d", r.Code)
	}

	key := c.issued(c.dps(1))
	var ledger struct {
		Issued []sefin.Entry
		Posts  []sefin.Post
	}
	if err := json.Unmarshal(call("GET", "/ledger", "").Body.Bytes(), &ledger); err != nil {
		t.Fatal(err)
	}
	if len(ledger.Issued) != 1 || ledger.Issued[0].AccessKey != key || ledger.Issued[0].CIntContrib != "nota42" ||
		ledger.Issued[0].AmountCents != 150_000 || len(ledger.Posts) != 2 {
		t.Errorf("%+v", ledger)
	}
	if r := call("GET", "/roots.pem", ""); r.Body.String() != string(simulator.RootsPEM()) {
		t.Error("other roots")
	}
	pfx := call("POST", "/certificates", `{"document":"`+taker+`","name":"Acme","password":"p"}`)
	if _, leaf, _, err := pkcs12.DecodeChain(pfx.Body.Bytes(), "p"); err != nil || leaf.Subject.CommonName != "ACME:"+taker {
		t.Errorf("the certificate: %v", err)
	}
	if r := call("POST", "/certificates", `{"document":"1"}`); r.Code != http.StatusBadRequest {
		t.Errorf("%d", r.Code)
	}
	if r := call("POST", "/events", `{"access_key":"`+key+`","type":"305101"}`); r.Code != http.StatusNoContent || !simulator.Ledger()[0].Cancelled {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	if r := call("POST", "/events", `{"access_key":"`+key+`","type":"305101"}`); r.Code != http.StatusConflict {
		t.Errorf("%d %s", r.Code, r.Body)
	}
	if r := call("PUT", "/registry", `{"unknown_takers":["`+taker+`"],"cancel_within":"24h"}`); r.Code != http.StatusOK {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	if answer := c.issue(c.dps(2)); answer.codes() != "E0190" {
		t.Errorf("the registry is not used: %s", answer.text)
	}
	if r := call("GET", "/registry", ""); !strings.Contains(r.Body.String(), `"24h0m0s"`) {
		t.Errorf("%s", r.Body)
	}
}

// A web page cannot use the browser of whoever runs a simulator.
func TestControl_RefusesOtherOrigins(t *testing.T) {
	simulator, _ := startWithIssuer(t)
	foreign := httptest.NewRequest("DELETE", "http://127.0.0.1:8444/faults", nil)
	foreign.Header.Set("Origin", "https://example.com")
	rebound := httptest.NewRequest("GET", "http://example.com/ledger", nil)
	for _, request := range []*http.Request{foreign, rebound} {
		recorder := httptest.NewRecorder()
		simulator.Control().ServeHTTP(recorder, request)
		if recorder.Code != http.StatusForbidden {
			t.Errorf("%s: %d", request.URL, recorder.Code)
		}
	}
}
