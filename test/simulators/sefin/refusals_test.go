package sefin_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
)

// The next documents of one issuer are refused, and consume nothing.
func TestRefusals(t *testing.T) {
	simulator, c := startWithIssuer(t)
	control := controller{simulator.Control()}
	ask := func(body string) int { return control.call("POST", "/refusals", body).Code }
	for _, body := range []string{
		`{"issuer":"` + issuer + `","code":"E0116","times":2}`, `{"issuer":"` + taker + `","code":"E0160"}`,
		`{"issuer":"` + issuer + `","code":"E0619","complement":"pAliq"}`,
	} {
		if code := ask(body); code != http.StatusNoContent {
			t.Fatalf("%s: %d", body, code)
		}
	}
	if listed := control.call("GET", "/refusals", "").Body.String(); !strings.Contains(listed, `"times": 2`) {
		t.Errorf("%s", listed)
	}
	document := c.dps(1)
	for _, code := range []string{"E0116", "E0116", "E0619"} {
		if answer := c.issue(document); answer.codes() != code || answer.status != http.StatusBadRequest {
			t.Errorf("%d %s, want %s", answer.status, answer.text, code)
		}
	}
	key := c.issued(document)
	if refused := simulator.Refusals(); len(refused) != 1 || refused[0].Issuer != taker {
		t.Errorf("what waits: %+v", refused)
	}
	// What was issued is answered as such, and takes no refusal.
	if err := simulator.RefuseNext(sefin.Refusal{Issuer: issuer, Code: "E0120"}); err != nil {
		t.Fatal(err)
	}
	if again := c.issue(document); again.codes() != "E0014" {
		t.Errorf("%s", again.text)
	}
	if code := control.call("DELETE", "/refusals", "").Code; code != http.StatusNoContent {
		t.Errorf("%d", code)
	}
	c.issued(c.dps(2))
	if found := c.get("/nfse/" + key); found.status != http.StatusOK {
		t.Errorf("%d", found.status)
	}
	for _, wrong := range []string{`{"code":"E0116"}`, `{"issuer":"1"}`, `{"issuer":"1","code":"E1","times":-1}`, `[`} {
		if code := ask(wrong); code != http.StatusBadRequest {
			t.Errorf("%s: %d", wrong, code)
		}
	}
}
