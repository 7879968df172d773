package nfse_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"emissor/nfse"
)

func TestFiscalProfile_On(t *testing.T) {
	profile := nfse.FiscalProfile{Authority: "national", Series: 1, TaxID: "11222333000181", Moves: []nfse.Move{
		{From: "2026-12-01", Authority: "sao-paulo", Series: 7}, {From: "2027-01-01", Authority: "national", Series: 2},
	}}
	for day, expected := range map[nfse.Day]string{
		"":           "national 1",
		"2026-11-30": "national 1", "2026-12-01": "sao-paulo 7", "2026-12-31": "sao-paulo 7",
		"2027-01-01": "national 2", "2099-12-31": "national 2",
	} {
		on := profile.On(day)
		if found := fmt.Sprint(on.Authority, " ", on.Series); found != expected || on.Moves != nil {
			t.Errorf("on %q it is %s with the moves %v, expected %s", day, found, on.Moves, expected)
		}
		on.Authority, on.Series, on.Moves = profile.Authority, profile.Series, profile.Moves
		if !reflect.DeepEqual(on, profile) {
			t.Errorf("on %q something else has changed: %+v", day, on)
		}
	}
}

func TestFiscalProfile_Keeping(t *testing.T) {
	number := nfse.FiscalProfile{Authority: "sao-paulo", Series: 7, TaxID: "11222333000181", MunicipalityCode: "3550308"}
	for what, c := range map[string]struct {
		change   func(*nfse.FiscalProfile)
		expected string
	}{
		"as it was": {func(*nfse.FiscalProfile) {}, "sao-paulo 7"},
		"moved before": {func(p *nfse.FiscalProfile) {
			p.Moves = []nfse.Move{{From: "2026-01-01", Authority: "national", Series: 1}}
		}, "sao-paulo 7"},
		"another authority": {func(p *nfse.FiscalProfile) { p.Authority, p.Series = "national", 1 }, "sao-paulo 7"},
		"another series":    {func(p *nfse.FiscalProfile) { p.Series = 8 }, "sao-paulo 8"},
		"another company": {func(p *nfse.FiscalProfile) {
			p.TaxID, p.Authority = "11444777000161", "national"
		}, "national 7"},
		"another environment": {func(p *nfse.FiscalProfile) { p.Production, p.Series = true, 9 }, "sao-paulo 9"},
		"another city": {func(p *nfse.FiscalProfile) { p.MunicipalityCode, p.Authority, p.Series = "3304557", "national", 3 },
			"national 3"},
		"another series of a later move": {func(p *nfse.FiscalProfile) {
			p.Authority, p.Series, p.Moves = "national", 1, []nfse.Move{{From: "2028-01-01", Authority: "sao-paulo", Series: 9}}
		}, "sao-paulo 9"},
		"a move dropped": {func(p *nfse.FiscalProfile) {
			p.Authority, p.Series, p.Moves = "national", 1, nil
		}, "sao-paulo 7"},
	} {
		t.Run(what, func(t *testing.T) {
			profile := number
			c.change(&profile)
			kept := profile.Keeping(number, "2026-11-30")
			if found := fmt.Sprint(kept.Authority, " ", kept.Series); found != c.expected || kept.Moves != nil {
				t.Errorf("it is %s with the moves %v, expected %s", found, kept.Moves, c.expected)
			}
		})
	}
}

// Of every profile and day exactly the last move that has begun counts, and a number of the same issuer
// never changes its authority.
func TestFiscalProfile_AnyMoves(t *testing.T) {
	day := rapid.Custom(func(t *rapid.T) nfse.Day {
		return nfse.Day(fmt.Sprintf("2026-%02d-%02d", rapid.IntRange(1, 12).Draw(t, "month"), rapid.IntRange(1, 28).Draw(t,
			"day")))
	})
	authority := rapid.SampledFrom([]string{"national", "sao-paulo", "campinas"})
	profiles := rapid.Custom(func(t *rapid.T) nfse.FiscalProfile {
		profile := nfse.FiscalProfile{Authority: authority.Draw(t, "first"), Series: rapid.IntRange(1, 4).Draw(t, "series")}
		days := rapid.SliceOfNDistinct(day, 0, 5, rapid.ID).Draw(t, "days")
		slices.Sort(days)
		for _, from := range days {
			profile.Moves = append(profile.Moves, nfse.Move{From: from, Authority: authority.Draw(t, "authority"),
				Series: rapid.IntRange(1, 4).Draw(t, "series")})
		}
		return profile
	})
	rapid.Check(t, func(t *rapid.T) {
		before, after, on := profiles.Draw(t, "before"), profiles.Draw(t, "after"), day.Draw(t, "on")
		expected := nfse.Move{Authority: before.Authority, Series: before.Series}
		for _, move := range before.Moves {
			if move.From <= on && move.From > expected.From {
				expected = move
			}
		}
		number := before.On(on)
		if number.Authority != expected.Authority || number.Series != expected.Series {
			t.Fatalf("on %s it is %s %d, expected %+v", on, number.Authority, number.Series, expected)
		}
		kept := after.Keeping(number, on)
		if kept.Authority != number.Authority {
			t.Fatalf("the number of %s went to %s", number.Authority, kept.Authority)
		}
		has := func(p nfse.FiscalProfile) bool { return p.Authority == kept.Authority && p.Series == number.Series }
		if kept.Series != number.Series && slices.ContainsFunc(after.Periods(), has) {
			t.Fatalf("the number of the series %d went to %d", number.Series, kept.Series)
		}
		if again := before.Keeping(number, day.Draw(t, "another day")); !reflect.DeepEqual(again, number) {
			t.Fatalf("with nothing changed it is %+v, and was %+v", again, number)
		}
	})
}
