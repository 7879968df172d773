package fiscal_test

import (
	"testing"

	"emissor/fiscal"
	"emissor/nfse"
)

func TestHolder(t *testing.T) {
	const company nfse.TaxID = "11222333000181"
	for _, c := range []struct {
		issuer, named nfse.TaxID
		is, exactly   bool
	}{
		{company, company, true, true}, {company, "11222333000262", true, false},
		{company, "11222334000181", false, false}, {"12ABC34501DE35", "12ABC34599ZZ00", true, false},
		{"12ABC34501DE35", "12ABC34601DE35", false, false}, {"52998224725", "52998224725", true, true},
		{"52998224725", "52998224806", false, false}, {"11222333000", company, false, false},
		{company, "", false, false},
	} {
		for _, pair := range [][2]nfse.TaxID{{c.issuer, c.named}, {c.named, c.issuer}} {
			if (fiscal.Holder{TaxID: pair[0]}).Is(pair[1]) != c.is {
				t.Errorf("%s for %s: expected %v", pair[1], pair[0], c.is)
			}
			if (fiscal.Holder{TaxID: pair[0], Exact: true}).Is(pair[1]) != c.exactly {
				t.Errorf("%s for exactly %s: expected %v", pair[1], pair[0], c.exactly)
			}
		}
	}
}
