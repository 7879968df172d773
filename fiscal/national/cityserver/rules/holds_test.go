package rules

import (
	"testing"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// What only a person can give or decide holds a note of a city, in words of both languages; a note that
// lacks nothing is held for nothing.
func TestHolds(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*fiscal.Declaration)
		want   fact.Code
	}{
		"nothing":        {func(*fiscal.Declaration) {}, ""},
		"before the row": {func(d *fiscal.Declaration) { d.Note.Competence = "2026-09-20" }, fact.CityNotOnDay},
		"an individual":  {func(d *fiscal.Declaration) { d.Issuer.TaxID = "52998224725" }, fact.CityOfIndividual},
		"in Simples":     {func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesME }, fact.CityOfSimples},
		"an MEI":         {func(d *fiscal.Declaration) { d.Issuer.Simples = nfse.SimplesMEI }, fact.CityOfMEI},
		"no registration": {func(d *fiscal.Declaration) { d.Issuer.MunicipalRegistration = nil },
			fact.CityRegistrationMissing},
		"a series of the city":  {func(d *fiscal.Declaration) { d.Issuer.Series = 10000 }, fact.CitySeries},
		"a series that is high": {func(d *fiscal.Declaration) { d.Issuer.Series = 50000 }, fact.CitySeries},
		"a replacement":         {func(d *fiscal.Declaration) { d.Details.Replaces = &nfse.Replaced{} }, fact.CityReplaces},
		"no code":               {func(d *fiscal.Declaration) { d.Taxation.Service = nil }, fact.CityCodeMissing},
		"a short code": {func(d *fiscal.Declaration) { d.Taxation.Service.MunicipalCode = "1" },
			fact.CityCodeDigits},
	} {
		d := fiscal.Declaration{
			Note: nfse.Note{Competence: "2026-11-24"},
			Issuer: nfse.FiscalProfile{TaxID: "11222333000181", Simples: nfse.SimplesNone, Series: 10001,
				MunicipalRegistration: new("123")},
			Taxation: nfse.Taxation{Service: &nfse.ServiceTaxation{MunicipalCode: "001"}},
		}
		c.change(&d)
		hold := Holds(cities.BuiltIn().OfName("campinas"), d)
		if hold.Code != c.want || !hold.None() && hold.English() == hold.Portuguese() {
			t.Errorf("%s: %s, expected %q", name, hold.English(), c.want)
		}
	}
	off := fiscal.Declaration{Note: nfse.Note{Competence: "2026-11-24"}, Issuer: nfse.FiscalProfile{Simples: 1}}
	if hold := Holds(cities.BuiltIn().OfName("belem"), off); !hold.Is(fact.CityOff) {
		t.Errorf("a row that is off: %+v", hold)
	}
}

// Where a city takes no cancellation from programs, that is said before anybody asks; and that its server
// does not tell of cancellations by others.
func TestLimits(t *testing.T) {
	for name, cancels := range map[string]bool{"teresina": true, "campinas": false} {
		limits := describe(cities.BuiltIn().OfName(name)).Limits("2026-11-24")
		if limits.Cancelling.None() != cancels || limits.Replacing.None() || limits.Telling.None() {
			t.Errorf("%s: %+v", name, limits)
		}
	}
}
