package sefin_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/test/harness"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
)

// startWithFaults runs a simulator with faults, with the client of a company that
// issues.
func startWithFaults(t *testing.T, faults ...sefin.Fault) (*sefin.Simulator, *client) {
	t.Helper()
	simulator, c := startWithIssuer(t)
	setFaults(t, simulator, faults...)
	return simulator, c
}

func setFaults(t *testing.T, simulator *sefin.Simulator, faults ...sefin.Fault) {
	t.Helper()
	if err := simulator.SetFaultProfile(sefin.FaultProfile{Seed: 7, Faults: faults}); err != nil {
		t.Fatal(err)
	}
}

func TestFault(t *testing.T) {
	t.Run("CutsTheConnection", faultsThatCut)
	t.Run("AnswersAStatus", faultsWithAStatus)
	t.Run("Rejects", faultsThatReject)
	t.Run("Lasts", faultsThatLast)
	t.Run("Delays", faultsThatDelay)
}

func faultsThatCut(t *testing.T) {
	for name, test := range map[string]struct {
		fault  sefin.Fault
		issued int
	}{
		"drop before":  {sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, Next: 1}, 0},
		"drop after":   {sefin.Fault{Kind: sefin.Drop, Scope: sefin.Issue, Next: 1, After: true}, 1},
		"reset before": {sefin.Fault{Kind: sefin.Reset, Next: 1}, 0},
		"reset after":  {sefin.Fault{Kind: sefin.Reset, Next: 1, After: true}, 1},
		"half answer":  {sefin.Fault{Kind: sefin.HalfAnswer, Next: 1}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			simulator, c := startWithFaults(t, test.fault)
			document := c.dps(1)
			if answer, err := c.post(document); err == nil {
				t.Fatalf("an answer came: %d %s", answer.status, answer.text)
			}
			if n := len(simulator.Ledger()); n != test.issued {
				t.Errorf("%d notes were issued, want %d", n, test.issued)
			}
			if left := simulator.FaultProfile().Faults; len(left) != 0 {
				t.Errorf("the fault is not spent: %+v", left)
			}
			again := c.issue(document)
			if want := []string{"", "E0014"}[test.issued]; again.codes() != want {
				t.Errorf("the same again: %d %s, want %q", again.status, again.text, want)
			}
			posts := simulator.Posts()
			if len(posts) != 2 || posts[0].ID != posts[1].ID || posts[0].Digest == "" ||
				posts[0].Digest != posts[1].Digest {
				t.Fatalf("posts: %+v", posts)
			}
			if posts[0].Issued != (test.issued == 1) || posts[1].Issued == posts[0].Issued ||
				posts[0].Status != 0 || posts[1].Status != again.status || len(posts[0].Faults) != 1 {
				t.Errorf("posts: %+v", posts)
			}
		})
	}
}

func faultsWithAStatus(t *testing.T) {
	noBody := func(r reply) bool { return len(r.text) == 0 }
	code := func(code string) func(reply) bool { return func(r reply) bool { return r.codes() == code } }
	retryAfter := func(value string) func(reply) bool {
		return func(r reply) bool { return r.header.Get("Retry-After") == value }
	}
	isHTML := func(r reply) bool {
		kind := r.header.Get("Content-Type")
		return strings.HasPrefix(kind, "text/html") && strings.HasPrefix(string(r.text), "<html>")
	}
	for name, test := range map[string]struct {
		fault  sefin.Fault
		check  func(reply) bool
		issued int
	}{
		"500 without a body": {sefin.Fault{Status: 500}, noBody, 0},
		"500 with erros":     {sefin.Fault{Status: 500, Body: "erros", Code: "E1206"}, code("E1206"), 0},
		"502 HTML":           {sefin.Fault{Status: 502, Body: "html"}, isHTML, 0},
		"200 HTML":           {sefin.Fault{Status: 200, Body: "html"}, isHTML, 0},
		"201 HTML, issued":   {sefin.Fault{Status: 201, Body: "html", After: true}, isHTML, 1},
		"503, issued":        {sefin.Fault{Status: 503, After: true}, noBody, 1},
		"429":                {sefin.Fault{Status: 429}, retryAfter(""), 0},
		"429 and when":       {sefin.Fault{Status: 429, RetryAfter: "30"}, retryAfter("30"), 0},
		"403 of a proxy":     {sefin.Fault{Status: 403, Body: "html"}, isHTML, 0},
	} {
		t.Run(name, func(t *testing.T) {
			test.fault.Kind = sefin.Status
			simulator, c := startWithFaults(t, test.fault)
			if answer := c.issue(c.dps(1)); answer.status != test.fault.Status || !test.check(answer) {
				t.Errorf("%d %v %s", answer.status, answer.header, answer.text)
			}
			if n := len(simulator.Ledger()); n != test.issued {
				t.Errorf("%d notes were issued, want %d", n, test.issued)
			}
		})
	}
}

func faultsThatReject(t *testing.T) {
	simulator, c := startWithFaults(t, sefin.Fault{Kind: sefin.Reject, Code: "E1217", Scope: sefin.Issue, Next: 2},
		sefin.Fault{Kind: sefin.Reject, Code: "E8888", Complement: "why", Scope: sefin.Cancel, Next: 1})
	for range 2 {
		if answer := c.issue(c.dps(1)); answer.status != http.StatusBadRequest || answer.codes() != "E1217" {
			t.Errorf("%d %s", answer.status, answer.text)
		}
	}
	key := c.issued(c.dps(1))
	if answer := c.cancel(key, c.eventRequest(key, "101101")); answer.codes() != "E8888" || answer.body["erro"] == nil {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	if answer := c.cancel(key, c.eventRequest(key, "101101")); answer.status != http.StatusCreated {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	setFaults(t, simulator, sefin.WrongLayout())
	if answer := c.issue(c.dps(2)); answer.codes() != "E1235" || !strings.Contains(answer.complement(), "finNFSe") {
		t.Errorf("%d %s", answer.status, answer.text)
	}
}

func faultsThatLast(t *testing.T) {
	clock := &clock{}
	simulator := start(t, sefin.Options{Options: server.Options{Clock: clock.Now}})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	setFaults(t, simulator, sefin.Fault{Kind: sefin.ClockSkew, Delay: sefin.Duration(-2 * time.Hour)})
	if answer := c.issue(c.dps(1)); answer.codes() != "E0008" {
		t.Errorf("a slow clock: %s", answer.text)
	}
	hide := sefin.Fault{Kind: sefin.Hide, Scope: sefin.Query, Delay: sefin.Duration(time.Minute)}
	setFaults(t, simulator, hide)
	c.issued(c.dps(1))
	id := "DPS33045572" + issuer + "00001000000000000001"
	if answer := c.get("/dps/" + id); answer.status != http.StatusNotFound {
		t.Errorf("at once: %d", answer.status)
	}
	clock.Advance(time.Minute)
	if answer := c.get("/dps/" + id); answer.status != http.StatusOK {
		t.Errorf("a minute later: %d", answer.status)
	}
	if answer := c.get("/dps/" + id[:44] + "2"); answer.status != http.StatusNotFound {
		t.Errorf("another: %d", answer.status)
	}
	if answer := c.get("/dps/1"); answer.status != http.StatusBadRequest {
		t.Errorf("no id: %d", answer.status)
	}
	if answer := c.get("/nfse/1"); answer.status != http.StatusBadRequest {
		t.Errorf("no key: %d", answer.status)
	}
}

// Latency is waited for: a client that gives up before gets nothing, and nothing
// is issued.
func faultsThatDelay(t *testing.T) {
	latency := sefin.Fault{
		Kind: sefin.Latency, Delay: sefin.Duration(time.Hour), Jitter: sefin.Duration(time.Second), Next: 1,
	}
	simulator, c := startWithFaults(t, latency)
	ctx, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	document, given := c.dps(1), make(chan error, 1)
	go func() {
		_, err := c.postWithin(ctx, document)
		given <- err
	}()
	waiting, end := context.WithTimeout(t.Context(), time.Minute)
	defer end()
	if err := harness.Await(waiting, "the request is delayed", func(context.Context) bool {
		return len(simulator.FaultProfile().Faults) == 0
	}); err != nil {
		t.Fatal(err)
	}
	giveUp()
	if err := <-given; err == nil {
		t.Error("an answer came within an hour")
	}
	c.issued(c.dps(2))
	if n := len(simulator.Ledger()); n != 1 {
		t.Errorf("%d notes were issued", n)
	}
}

func TestFaultProfile(t *testing.T) {
	t.Run("TheSameSeedMakesTheSameChoices", func(t *testing.T) {
		first := outcomesByChance(t)
		if again := outcomesByChance(t); again != first {
			t.Errorf("the same seed chose\n%s, then\n%s", first, again)
		}
		const everyThird = "400 400 500 400 400 500 "
		chosen, queried := strings.Count(first, "503"), first[len(first)-len(everyThird):]
		if chosen < 3 || chosen > 17 || queried != everyThird {
			t.Errorf("chosen: %s", first)
		}
	})
	t.Run("RefusesWhatIsWrong", func(t *testing.T) {
		simulator, _ := startWithIssuer(t)
		for _, fault := range []sefin.Fault{
			{}, {Kind: "flood"}, {Kind: sefin.Drop, Scope: "all"}, {Kind: sefin.Status},
			{Kind: sefin.Status, Status: 99}, {Kind: sefin.Status, Status: 500, Body: "xml"},
			{Kind: sefin.Reject}, {Kind: sefin.Variant, Variant: "x"},
			{Kind: sefin.Drop, Probability: 1.5}, {Kind: sefin.Drop, Next: -1},
		} {
			if err := simulator.SetFaultProfile(sefin.FaultProfile{Faults: []sefin.Fault{fault}}); err == nil {
				t.Errorf("%+v was accepted", fault)
			}
		}
		if _, err := sefin.ParseFaultProfile([]byte(`{"faults":[{"kind":"drop","probabilty":1}]}`)); err == nil {
			t.Error("a misspelt field was accepted")
		}
	})
	t.Run("IsReadFromJSON", func(t *testing.T) {
		read, err := sefin.ParseFaultProfile([]byte(`{"seed":3,"faults":[{"kind":"latency","delay":"1m30s"}]}`))
		if err != nil || read.Seed != 3 || read.Faults[0].Delay != sefin.Duration(90*time.Second) {
			t.Errorf("%+v %v", read, err)
		}
	})
}

// outcomesByChance are the statuses of 20 sendings, of which about half fail, and
// of 6 queries, of which each third fails.
func outcomesByChance(t *testing.T) string {
	t.Helper()
	_, c := startWithFaults(t, sefin.Fault{Kind: sefin.Status, Status: 503, Scope: sefin.Issue, Probability: 0.5},
		sefin.Fault{Kind: sefin.Status, Status: 500, Scope: sefin.Query, Every: 3})
	var text strings.Builder
	for range 20 {
		fmt.Fprint(&text, c.issue("").status, " ")
	}
	for range 6 {
		fmt.Fprint(&text, c.get("/nfse/1").status, " ")
	}
	return text.String()
}
