package nfse_test

import (
	"regexp"
	"testing"

	"emissor/nfse"
)

// A customer abroad is recognized by its number, and is nobody in Brazil.
func TestForeignTaxID(t *testing.T) {
	form, ids := regexp.MustCompile(`^[0-9A-Z]{12}[0-9]{2}$`), map[nfse.TaxID]bool{}
	for _, party := range []nfse.ForeignParty{
		{Country: "US", NIF: "1", Name: "Acme"}, {Country: "US", NIF: "2", Name: "Acme"}, {Country: "PT", NIF: "1"},
		{Country: "US", Name: "Acme"},
	} {
		id := nfse.ForeignTaxID(party)
		if _, err := nfse.ParseTaxID(string(id)); err == nil || !id.IsForeign() || !form.MatchString(string(id)) {
			t.Errorf("%+v is %s, %v", party, id, err)
		}
		ids[id] = true
	}
	if len(ids) != 4 || nfse.ForeignTaxID(nfse.ForeignParty{Country: "US", NIF: "1"}) !=
		nfse.ForeignTaxID(nfse.ForeignParty{Country: "US", NIF: "1", Name: "Acme"}) {
		t.Errorf("they are %v", ids)
	}
	if nfse.TaxID("11222333000181").IsForeign() || nfse.TaxID("").IsForeign() {
		t.Error("a CNPJ is foreign")
	}
}
