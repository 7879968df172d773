package sefin_test

import (
	"net/http"
	"testing"

	"emissor/test/simulators/sefin"
)

// An intermediary is a party of the note: it may read it, and the ADN hands it out.
func TestIntermediary_IsAParty(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1, broker(platform)))
	c.issued(c.dps(2))
	intermediary := newClient(t, simulator, sefin.Subject{TaxID: "12345678000195"})
	if found := intermediary.get("/nfse/" + key); found.status != http.StatusOK {
		t.Errorf("%d %s", found.status, found.text)
	}
	lot := intermediary.must("GET", simulator.ADNURL()+"/contribuintes/DFe/0", nil)
	entries, _ := lot.body["LoteDFe"].([]any)
	if len(entries) != 1 || entries[0].(map[string]any)["ChaveAcesso"] != key {
		t.Errorf("%s", lot.text)
	}
}
