package rules

import (
	"testing"

	"emissor/fiscal/cities"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// A service needs the city's own code where the row of the day wants one, of as many digits.
func TestMunicipalCodeDefect(t *testing.T) {
	table := cities.BuiltIn()
	rows := table.OfName("campinas")
	for code, want := range map[string]fact.Code{
		"": fact.CityCodeMissing, "01": fact.CityCodeDigits, "001": "", "0101": fact.CityCodeDigits,
		"٠٠١": fact.CityCodeDigits, "a01": fact.CityCodeDigits,
	} {
		for _, day := range []nfse.Day{"2026-01-01", "2026-11-24"} { // before the first row its own counts
			if defect := describe(rows).MunicipalCodeDefect("srv_1", code, day); defect.Code != want {
				t.Errorf("%q: %+v, expected %s", code, defect, want)
			}
		}
	}
	rows[0].MunicipalCode = nil
	if defect := describe(rows).MunicipalCodeDefect("srv_1", "", "2026-11-24"); !defect.None() {
		t.Errorf("a city that wants none: %+v", defect)
	}
}
