package sefin_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/test/simulators/sefin"
)

// controller calls the control routes of a simulator.
type controller struct{ handler http.Handler }

func (c controller) call(method, path, body string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://127.0.0.1:8444"+path, strings.NewReader(body))
	recorder := httptest.NewRecorder()
	c.handler.ServeHTTP(recorder, request)
	return recorder
}

func TestControl(t *testing.T) {
	simulator, c := startWithIssuer(t)
	control := controller{simulator.Control()}
	t.Run("Faults", func(t *testing.T) { controlFaults(t, simulator, c, control) })
	key := c.issued(c.dps(1))
	t.Run("Ledger", func(t *testing.T) {
		var ledger struct {
			Issued []sefin.Entry
			Posts  []sefin.Post
		}
		if err := json.Unmarshal(control.call("GET", "/ledger", "").Body.Bytes(), &ledger); err != nil {
			t.Fatal(err)
		}
		if len(ledger.Issued) != 1 || ledger.Issued[0].AccessKey != key || ledger.Issued[0].CIntContrib != "nota42" ||
			ledger.Issued[0].AmountCents != 150_000 || len(ledger.Posts) != 2 {
			t.Errorf("%+v", ledger)
		}
	})
	t.Run("Certificates", func(t *testing.T) {
		if r := control.call("GET", "/roots.pem", ""); r.Body.String() != string(simulator.RootsPEM()) {
			t.Error("other roots")
		}
		pfx := control.call("POST", "/certificates", `{"document":"`+taker+`","name":"Acme","password":"p"}`)
		_, leaf, _, err := pkcs12.DecodeChain(pfx.Body.Bytes(), "p")
		if err != nil || leaf.Subject.CommonName != "ACME:"+taker {
			t.Errorf("the certificate: %v", err)
		}
		if r := control.call("POST", "/certificates", `{"document":"1"}`); r.Code != http.StatusBadRequest {
			t.Errorf("for no tax id: %d", r.Code)
		}
	})
	t.Run("Events", func(t *testing.T) {
		event := `{"access_key":"` + key + `","type":"305101"}`
		r := control.call("POST", "/events", event)
		if r.Code != http.StatusNoContent || !simulator.Ledger()[0].Cancelled {
			t.Errorf("%d %s", r.Code, r.Body)
		}
		if r := control.call("POST", "/events", event); r.Code != http.StatusConflict {
			t.Errorf("%d %s", r.Code, r.Body)
		}
	})
	t.Run("Registry", func(t *testing.T) {
		registry := `{"unknown_takers":["` + taker + `"],"cancel_within":"24h"}`
		if r := control.call("PUT", "/registry", registry); r.Code != http.StatusOK {
			t.Fatalf("%d %s", r.Code, r.Body)
		}
		if answer := c.issue(c.dps(2)); answer.codes() != "E0190" {
			t.Errorf("the registry is not used: %s", answer.text)
		}
		if r := control.call("GET", "/registry", ""); !strings.Contains(r.Body.String(), `"24h0m0s"`) {
			t.Errorf("%s", r.Body)
		}
	})
	t.Run("RefusesOtherOrigins", func(t *testing.T) {
		// A web page cannot use the browser of the person who runs a simulator.
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
	})
}

func controlFaults(t *testing.T, simulator *sefin.Simulator, c *client, control controller) {
	const profile = `{"seed":5,"faults":[
		{"kind":"status","scope":"issue","status":503,"next":2},{"kind":"latency","delay":"1ms"}]}`
	if r := control.call("PUT", "/faults", profile); r.Code != http.StatusOK {
		t.Fatalf("%d %s", r.Code, r.Body)
	}
	if answer := c.issue(c.dps(1)); answer.status != http.StatusServiceUnavailable {
		t.Errorf("a fault of the profile: %d", answer.status)
	}
	var left sefin.FaultProfile
	if err := json.Unmarshal(control.call("GET", "/faults", "").Body.Bytes(), &left); err != nil {
		t.Fatal(err)
	}
	if left.Seed != 5 || len(left.Faults) != 2 || left.Faults[0].Next != 1 {
		t.Errorf("%+v", left)
	}
	for _, wrong := range []string{`{"faults":[{"kind":"x"}]}`, `{"fault":[]}`, `[`} {
		if r := control.call("PUT", "/faults", wrong); r.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, r.Code)
		}
	}
	r := control.call("DELETE", "/faults", "")
	if r.Code != http.StatusNoContent || len(simulator.FaultProfile().Faults) != 0 {
		t.Errorf("%d", r.Code)
	}
}
