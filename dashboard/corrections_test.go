package dashboard

import (
	"testing"

	notepages "emissor/dashboard/notes"
	"emissor/nfse/fact"
)

// What a note waits for leads to the pages where it is kept, also where the authority would not take the note any
// more.
func TestCorrections_OfWaits(t *testing.T) {
	refusedFor := func(act string) fact.Fact { return fact.RefusedForSettings.With("code", "E0160", "act", act) }
	for name, c := range map[string]struct {
		why              fact.Fact
		company, service bool
	}{
		"no profile":          {fact.NoFiscalProfile.Fact(), true, false},
		"a series":            {fact.SeriesHeld.With("why", fact.InWords("x")), true, false},
		"a rate":              {fact.CityNeedsRate.With("municipality", "3550308"), true, true},
		"no classification":   {fact.ClassificationRequired.Fact(), false, true},
		"no code of the city": {fact.CityCodeMissing.With("city", "Campinas/SP"), false, true},
		"a code of no number": {fact.CityCodeNumber.With("city", "Brasília/DF"), false, true},
		"a city's series":     {fact.CitySeries.With("city", "Campinas/SP"), true, false},
		"a city that is off":  {fact.CityOff.With("city", "Belém/PA"), false, false},
		"a code of long ago": {fact.NoLongerTaken.With("code", "E0310",
			"why", fact.NationalTaxCodeUnknown.Fact()), false, true},
		"a profile of before":  {fact.NoLongerTaken.With("code", "x", "why", fact.ProfileRefused.Fact()), true, false},
		"the authority is out": {fact.CallNoConnection.Fact(), false, false},
		"refused: profile":     {refusedFor("simples"), true, false},
		"refused: service":     {refusedFor("taxation"), false, true},
		"refused: rate":        {refusedFor("months_rate"), true, true},
		"refused: program":     {refusedFor("report"), false, false},
		"of a later version":   {fact.NoLongerTaken.With("why", "words"), false, false},
	} {
		if notepages.CorrectedInCompany(c.why) != c.company || notepages.CorrectedInService(c.why) != c.service {
			t.Errorf("%s: company %v, service %v", name, notepages.CorrectedInCompany(c.why),
				notepages.CorrectedInService(c.why))
		}
	}
}
