package sefin_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
)

func TestADN(t *testing.T) {
	simulator, c := startWithIssuer(t)
	lot := func(path string) (status int, result string, documents []any) {
		t.Helper()
		answer := c.must("GET", simulator.ADNURL()+"/contribuintes"+path, nil)
		documents, _ = answer.body["LoteDFe"].([]any)
		result, _ = answer.body["StatusProcessamento"].(string)
		return answer.status, result, documents
	}
	if status, result, _ := lot("/DFe/0"); status != http.StatusNotFound || result != "NENHUM_DOCUMENTO_LOCALIZADO" {
		t.Errorf("nothing yet: %d %s", status, result)
	}
	key, replaced := c.issued(c.dps(1)), c.issued(c.dps(2))
	if err := simulator.RegisterEvent(key, "305101"); err != nil {
		t.Fatal(err)
	}
	if err := simulator.RegisterEvent(replaced, "105102"); err != nil {
		t.Fatal(err)
	}
	status, result, documents := lot("/DFe/0?lote=true&cnpjConsulta=" + issuer)
	if status != http.StatusOK || result != "DOCUMENTOS_LOCALIZADOS" || len(documents) != 4 {
		t.Fatalf("all: %d %s %d", status, result, len(documents))
	}
	for i, want := range []struct{ key, kind, label string }{
		{key, "305101", "CANCELAMENTO_POR_OFICIO"}, {replaced, "105102", "CANCELAMENTO_POR_SUBSTITUICAO"},
	} {
		event := documents[2+i].(map[string]any)
		if event["NSU"] != float64(3+i) || event["ChaveAcesso"] != want.key ||
			event["TipoDocumento"] != "EVENTO" || event["TipoEvento"] != want.label {
			t.Errorf("%s: %v", want.kind, event)
		}
		if !strings.Contains(unpack(t, event["ArquivoXml"]), "<e"+want.kind+">") {
			t.Errorf("the event %s does not come with its document", want.kind)
		}
	}
	if _, _, documents := lot("/DFe/3"); len(documents) != 1 {
		t.Errorf("after 3: %d documents", len(documents))
	}
	status, result, _ = lot("/DFe/0?cnpjConsulta=" + taker)
	if status != http.StatusBadRequest || result != "REJEICAO" {
		t.Errorf("another company's: %d %s", status, result)
	}
	if status, _, documents := lot("/NFSe/" + key + "/Eventos"); status != http.StatusOK || len(documents) != 1 {
		t.Errorf("the events of a note: %d, %d documents", status, len(documents))
	}
}

// Pages of 50, by one establishment, with the numbers that a renumbering gives.
func TestADN_Pages(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	for range 60 {
		if err := simulator.RegisterEvent(key, "203206"); err != nil {
			t.Fatal(err)
		}
	}
	simulator.Distribute(issuer, key, "what is this")
	numbers := func(path string) (numbers []float64, archives []any) {
		t.Helper()
		documents, _ := c.must("GET", simulator.ADNURL()+"/contribuintes"+path, nil).body["LoteDFe"].([]any)
		for _, document := range documents {
			numbers = append(numbers, document.(map[string]any)["NSU"].(float64))
			archives = append(archives, document.(map[string]any)["ArquivoXml"])
		}
		return numbers, archives
	}
	if page, _ := numbers("/DFe/0?lote=true"); len(page) != 50 || page[49] != 50 {
		t.Errorf("the first page has %v", page)
	}
	page, archives := numbers("/DFe/50?lote=true")
	if len(page) != 12 || archives[11] != "what is this" {
		t.Errorf("the second page has %v %v", page, archives)
	}
	if page, _ := numbers("/DFe/0?lote=false"); len(page) != 1 {
		t.Errorf("without a lot there are %v", page)
	}
	if err := simulator.Renumber(7, 1000); err != nil {
		t.Fatal(err)
	}
	if page, _ := numbers("/DFe/0"); page[0] != 1007 || page[1] != 1014 {
		t.Errorf("renumbered are %v", page)
	}
	for _, wrong := range [][2]int64{{0, 0}, {1, -1}} {
		if simulator.Renumber(wrong[0], wrong[1]) == nil {
			t.Errorf("%v was taken", wrong)
		}
	}
}

// A block keeps off what it names, and nothing else, until it is lifted.
func TestEvent_Blocked(t *testing.T) {
	simulator, c := startWithIssuer(t)
	for _, step := range []struct {
		register, bars string
		cancelled      bool
	}{
		{"305102", "e105102", true}, {"305102", "e101101", false}, {"305103", "", true},
	} {
		note := c.issued(c.dps(len(simulator.Ledger()) + 1))
		if step.register == "305103" {
			if err := simulator.RegisterEvent(note, "305102"); err != nil {
				t.Fatal(err)
			}
		}
		if err := simulator.RegisterEventWith(note, step.register, sefin.EventDetails{Bars: step.bars}); err != nil {
			t.Fatal(err)
		}
		answer := c.cancel(note, c.eventRequest(note, "101101"))
		if (answer.status == http.StatusCreated) != step.cancelled {
			t.Errorf("after %+v: %d %s", step, answer.status, answer.codes())
		}
	}
}
