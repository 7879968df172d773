package saopaulo_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"
)

func TestControl(t *testing.T) {
	simulator, c := startWithIssuer(t)
	control := simulator.Control()
	call := func(method, path, body string) (int, string) {
		t.Helper()
		request := httptest.NewRequest(method, "http://127.0.0.1"+path, strings.NewReader(body))
		recorder := httptest.NewRecorder()
		control.ServeHTTP(recorder, request)
		return recorder.Code, recorder.Body.String()
	}
	for _, test := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"PUT", "/faults", `{"faults":[{"kind":"hide","scope":"query","delay":"1m"}]}`, 200, `"delay": "1m0s"`},
		{"PUT", "/faults", `{"faults":[{"kind":"hidden"}]}`, 400, "faults[0].kind"},
		{"PUT", "/faults", `{"faults":[{"kind":"drop","scope":"lot"}]}`, 400, "faults[0].scope"},
		{"PUT", "/faults", `{"faults":[{"kind":"variant","variant":"x"}]}`, 400, "faults[0].variant"},
		{"PUT", "/faults", `{"faults":[{"kind":"reject","code":"E1"}]}`, 400, "faults[0].code"},
		{"DELETE", "/faults", "", 204, ""},
		{"GET", "/faults", "", 200, `"faults": []`},
		{"PUT", "/registry", `{"taxpayers":{"31000000":{"document":"` + issuer + `"}},"cancel_width":20}`, 200, issuer},
		{"PUT", "/registry", `{"tax_payers":{}}`, 400, "tax_payers"},
		{"GET", "/registry", "", 200, `"cancel_width": 20`},
		{"PUT", "/registry", `{"taxpayers":{"1":{"document":"1","immunities":[]}}}`, 200, `"immunities": []`},
		{"PUT", "/registry", `{"services":{"2919":{"to":"2026-11-19","rate":290}}}`, 200, `"to": "2026-11-19"`},
		{"PUT", "/registry", `{}`, 200, "{}"},
		{"POST", "/certificates", `{"document":"1","password":"x"}`, 400, "CPF or a CNPJ"},
		{"POST", "/site/cancel", `{"registration":"31000000","number":9}`, 409, "no note 9"},
		{"GET", "/roots.pem", "", 200, "BEGIN CERTIFICATE"},
	} {
		if status, body := call(test.method, test.path, test.body); status != test.status ||
			!strings.Contains(body, test.says) {
			t.Errorf("%s %s %s: %d %s", test.method, test.path, test.body, status, body)
		}
	}
	c.issue(1)
	for _, test := range []struct{ path, body string }{
		{"/site/marks", `{"registration":"31000000","number":1,"mark":"guide"}`},
		{"/site/cancel", `{"registration":"31000000","number":1}`},
	} {
		if status, body := call("POST", test.path, test.body); status != 204 {
			t.Errorf("%s: %d %s", test.path, status, body)
		}
	}
	_, body := call("POST", "/site/notes", `{"registration":"31000000","series":"A","rps_number":"2",
		"document":"`+issuer+`","amount_cents":100,"service_code":"2919"}`)
	if !strings.Contains(body, `"on_site": true`) {
		t.Errorf("a note made on the site: %s", body)
	}
	var ledger struct {
		Issued   []struct{ CancelledBy string } `json:"issued"`
		Messages []struct{ Operation string }   `json:"messages"`
	}
	if _, body := call("GET", "/ledger", ""); json.Unmarshal([]byte(body), &ledger) != nil ||
		!strings.Contains(body, `"cancelled_by": "site"`) || len(ledger.Issued) != 2 || len(ledger.Messages) != 1 {
		t.Errorf("the ledger: %s", body)
	}
	_, pfx := call("POST", "/certificates", `{"document":"`+issuer+`","password":"segredo"}`)
	if _, _, _, err := pkcs12.DecodeChain([]byte(pfx), "segredo"); err != nil {
		t.Error(err)
	}
	request := httptest.NewRequest("GET", "http://example.com/ledger", nil)
	recorder := httptest.NewRecorder()
	control.ServeHTTP(recorder, request)
	if recorder.Code != http.StatusForbidden {
		t.Errorf("by another name: %d", recorder.Code)
	}
}
