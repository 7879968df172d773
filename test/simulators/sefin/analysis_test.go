package sefin_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/test/reference"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
)

// A city refuses a cancellation by what it decided, for which an analysis is asked.
func TestCancelPolicy(t *testing.T) {
	now := new(clock)
	simulator := start(t, sefin.Options{Options: server.Options{Clock: now.Now}})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	number := 0
	issue := func(changes ...change) string { number++; return c.issued(c.dps(number, changes...)) }
	noTaker := change{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"}
	collected := issue()
	for name, test := range map[string]struct {
		key                 string
		refuses, neighbours sefin.Registry
		code                string
	}{
		"the city's term": {
			key: issue(), code: "E0822", refuses: *rio(sefin.Agreement{CancelDays: 30}),
			neighbours: *rio(sefin.Agreement{CancelDays: 31}),
		},
		"another city's term": {
			key: issue(), code: "E0822", refuses: *rio(sefin.Agreement{CancelDays: 1}),
			neighbours: sefin.Registry{Municipalities: map[string]sefin.Agreement{"3509502": {CancelDays: 1}}},
		},
		"the city's limit": {
			key: issue(), code: "E0823", refuses: *rio(sefin.Agreement{CancelUpTo: 149_999}),
			neighbours: *rio(sefin.Agreement{CancelUpTo: 150_000}),
		},
		"the lower of two limits": {
			key: issue(), code: "E0823",
			refuses: sefin.Registry{CancelUpTo: 200_000, Municipalities: map[string]sefin.Agreement{
				"3304557": {CancelUpTo: 149_999},
			}},
			neighbours: sefin.Registry{CancelUpTo: 200_000},
		},
		"without a taker": {
			key: issue(noTaker), code: "E0824", refuses: *rio(sefin.Agreement{CancelNeedsTaker: true}),
		},
		"collected": {
			key: collected, code: "E0827", refuses: sefin.Registry{Collected: []string{collected}},
			neighbours: sefin.Registry{Collected: []string{noTaker.from}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			now.Advance(30*24*time.Hour + time.Second)
			defer now.Advance(-30*24*time.Hour - time.Second)
			simulator.SetRegistry(test.refuses)
			if answer := c.cancel(test.key, c.eventRequest(test.key, "101101")); answer.codes() != test.code {
				t.Errorf("%q: %s", answer.codes(), answer.text)
			}
			simulator.SetRegistry(test.neighbours)
			answer := c.cancel(test.key, c.eventRequest(test.key, "101101"))
			if answer.status != http.StatusCreated {
				t.Errorf("its neighbour: %s", answer.text)
			}
		})
	}
}

// An analysis is asked once ever, and waits for the city.
func TestAnalysis(t *testing.T) {
	simulator, c := startWithIssuer(t)
	control := controller{simulator.Control()}
	for _, test := range []struct {
		answer    string
		cancelled bool
		words     string
	}{
		{"105104", true, "CANCELAMENTO_DEFERIDO_ANALISE_FISCAL"},
		{"105105", false, "CANCELAMENTO_INDEFERIDO_ANALISE_FISCAL"},
	} {
		t.Run(test.answer, func(t *testing.T) {
			simulator.SetRegistry(*rio(sefin.Agreement{CancelUpTo: 1}))
			key := c.issued(c.dps(len(simulator.Ledger()) + 1))
			if refused := c.cancel(key, c.eventRequest(key, "101101")); refused.codes() != "E0823" {
				t.Fatalf("%s", refused.text)
			}
			answerEvent := func(kind string) int {
				body := `{"access_key":"` + key + `","type":"` + kind + `","reason":"1",` +
					`"text":"Decidido pelo fisco municipal"}`
				return control.call("POST", "/events", body).Code
			}
			if code := answerEvent(test.answer); code != http.StatusConflict {
				t.Errorf("an answer to nothing: %d", code)
			}
			request := c.eventRequest(key, "101103")
			if asked := c.cancel(key, request); asked.status != http.StatusCreated {
				t.Fatalf("%s", asked.text)
			}
			if again := c.cancel(key, request); again.codes() != "E0802" {
				t.Errorf("the same again: %s", again.text)
			}
			another := []change{{"Erro na emissao", "Outro motivo"}}
			asked := func(kind string) string { return c.cancel(key, c.eventRequest(key, kind, another...)).codes() }
			if code := asked("101103"); code != "E0848" {
				t.Errorf("another request: %s", code)
			}
			if code := asked("101101"); code != "E0840" {
				t.Errorf("a cancellation meanwhile: %s", code)
			}
			if code := answerEvent(test.answer); code != http.StatusNoContent {
				t.Fatalf("the city's answer: %d", code)
			}
			for _, other := range []string{"105104", "105105"} {
				if code := answerEvent(other); code != http.StatusConflict {
					t.Errorf("a second answer: %d", code)
				}
			}
			if code := asked("101103"); code != "E0848" {
				t.Errorf("another request afterwards: %s", code)
			}
			for _, kind := range []string{"101103", test.answer} {
				if found := c.get("/nfse/" + key + "/eventos/" + kind + "/1"); found.status != http.StatusOK {
					t.Errorf("%s: %d", kind, found.status)
				}
			}
			notes := simulator.Ledger()
			if notes[len(notes)-1].Cancelled != test.cancelled {
				t.Errorf("%+v", notes[len(notes)-1])
			}
			events := c.must("GET", simulator.ADNURL()+"/contribuintes/NFSe/"+key+"/Eventos", nil)
			for _, kind := range []string{"SOLICITACAO_CANCELAMENTO_ANALISE_FISCAL", test.words} {
				if !strings.Contains(string(events.text), kind) {
					t.Errorf("the ADN has no %s", kind)
				}
			}
		})
	}
}

// What is barred is what the official matrix bars, of all that a client asks and of what the
// system makes of a replacement.
func TestEventMatrix(t *testing.T) {
	rows := map[string]string{ // by what was registered
		"6": "101101", "7": "105102", "8": "101103", "9": "105104", "10": "105105", "11": "202201", "12": "203202",
		"13": "204203", "14": "205204", "15": "202205", "16": "203206", "17": "204207", "18": "205208", "19": "305101",
	}
	before := map[string]string{"105104": "101103", "105105": "101103", "205208": "203206"}
	byRule := []string{"202201", "203202", "204203", "205204"} // E0070, E0072
	simulator, c := startWithIssuer(t)
	number := 0
	issue := func(changes ...change) reply { number++; return c.issue(c.dps(number, changes...)) }
	for line := range strings.Lines(string(reference.ReadNational(t, "data/sefin-event-matrix.tsv"))) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
		registered := rows[row[0]]
		if registered == "" {
			continue
		}
		for column, kind := range map[int]string{5: "101101", 6: "105102", 7: "101103"} {
			key := issue().body["chaveAcesso"].(string)
			if first := before[registered]; first != "" {
				if err := simulator.RegisterEvent(key, first); err != nil {
					t.Fatal(err)
				}
			}
			if err := simulator.RegisterEvent(key, registered); err != nil {
				t.Fatal(err)
			}
			var answer reply
			if kind == "105102" {
				answer = issue(replacing(key, otherReason))
			} else {
				answer = c.cancel(key, c.eventRequest(key, kind))
			}
			allowed := row[column] == "V" && (kind != "105102" || !slices.Contains(byRule, registered))
			if before[registered] == "101103" {
				allowed = false // by the request that was before
			}
			if (answer.status == http.StatusCreated) != allowed {
				t.Errorf("%s after %s: %s, but the matrix says %s", kind, registered, answer.text, row[column])
			}
		}
	}
	if number < 14*3 {
		t.Errorf("%d notes", number)
	}
}
