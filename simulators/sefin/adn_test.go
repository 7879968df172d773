package sefin_test

import (
	"net/http"
	"strings"
	"testing"
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
