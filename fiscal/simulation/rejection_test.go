package simulation_test

import (
	"os"
	"strings"
	"testing"

	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/test/reference"
)

func TestSimulation_Reject(t *testing.T) {
	for id, code := range map[nfse.TaxID]string{"52998224725": "E0207", "12ABC34501DE35": "E0190"} {
		note := note()
		note.Customer.TaxID = id
		rejection := simulation.Reject(note)
		if rejection.Code != code || rejection.Source != nfse.RejectedByAuthority || rejection.Field == nil ||
			*rejection.Field != "customer.document" {
			t.Errorf("%s is rejected with %+v", id, rejection)
		}
		if !strings.Contains(rejection.Explanation, "Simulated") || rejection.Action == "" {
			t.Errorf("%s does not say that it is simulated, or what to do: %+v", code, rejection)
		}
		if words := rejection.Message + rejection.Explanation + rejection.Action; strings.Contains(words, string(id)) {
			t.Errorf("%s repeats the tax id: %+v", code, rejection)
		}
	}
}

// The messages are the authority's own words.
func TestSimulation_RejectAsTheRules(t *testing.T) {
	table, err := os.ReadFile(reference.National(t, "data", "sefin-rules-anexoI-v1.01-20260209.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string]string{}
	for line := range strings.Lines(string(table)) {
		if cells := strings.Split(line, "\t"); len(cells) > 4 {
			messages[cells[1]] = cells[4]
		}
	}
	for _, id := range []nfse.TaxID{"52998224725", "11222333000181"} {
		note := note()
		note.Customer.TaxID = id
		rejection := simulation.Reject(note)
		if message, known := messages[rejection.Code]; !known || message != rejection.Message {
			t.Errorf("%s says %q, the authority says %q", rejection.Code, rejection.Message, message)
		}
	}
}
