package rules

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	dsf "emissor/fiscal/national/dsf/rules"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// A city of a family that grants numbers takes no profile without a range of them, and holds its notes;
// of another family none is needed.
func TestGrantsNumbers(t *testing.T) {
	const granting cities.Family = "granting"
	Families[granting] = Family{GrantsNumbers: true}
	t.Cleanup(func() { delete(Families, granting) })
	campinas := cities.Current().OfName("campinas")
	profile := nfse.FiscalProfile{Authority: "campinas", TaxID: "11222333000181", MunicipalityCode: "3509502",
		MunicipalRegistration: new("123456"), Simples: nfse.SimplesNone, Series: 10001}
	for _, c := range []struct {
		family  cities.Family
		granted *nfse.NumberRange
		right   bool
	}{
		{dsf.Name, nil, true}, {granting, nil, false}, {granting, &nfse.NumberRange{First: 1, Last: 500}, true},
	} {
		rows := append([]cities.Row(nil), campinas...)
		for i := range rows {
			rows[i].Family, rows[i].MunicipalCode = c.family, nil
		}
		profile.GrantedNumbers = c.granted
		err := validateProfile(rows[0], profile)
		if (err == nil) != c.right {
			t.Errorf("%s with %v: %v", c.family, c.granted, err)
		}
		declaration := fiscal.Declaration{Issuer: profile, Note: nfse.Note{Competence: rows[0].From}}
		if hold := Holds(rows, declaration); hold.Is(fact.CityNumbersMissing) == c.right || c.right && !hold.None() {
			t.Errorf("%s with %v is held: %v", c.family, c.granted, hold)
		}
	}
}
