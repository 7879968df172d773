package rules

import (
	"slices"

	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// contributionSituations are the tax situations of PIS and COFINS that the layout has (CST).
var contributionSituations = func() (codes []string) {
	digits := func(from, through int) {
		for code := from; code <= through; code++ {
			codes = append(codes, string([]byte{byte('0' + code/10), byte('0' + code%10)}))
		}
	}
	digits(0, 9)
	digits(49, 56)
	digits(60, 67)
	digits(70, 75)
	digits(98, 99)
	return codes
}()

// maxContributionRate is the greatest that the layout can write (TSDec2V2).
const maxContributionRate nfse.Percent = 99_99

// ownContributionsDefect finds what is wrong with PIS and COFINS that the issuer owes itself.
func ownContributionsDefect(profile nfse.FiscalProfile) *profileDefect {
	const field = "own_contributions"
	own := profile.OwnContributions
	if own == nil {
		return nil
	}
	for _, rate := range []struct {
		code    string
		percent nfse.Percent
	}{{"E0686", own.PIS}, {"E0692", own.COFINS}} {
		if rate.percent < 0 || rate.percent > maxContributionRate {
			return &profileDefect{rate.code, field, fact.ContributionRateOutOfRange.Fact()}
		}
	}
	switch {
	case !taxes.DeclaresContributions(profile):
		return &profileDefect{profileInvalid, field, fact.ContributionsNotDeclared.Fact()}
	case !slices.Contains(contributionSituations, own.CST):
		return &profileDefect{profileInvalid, field, fact.ContributionSituationUnknown.Fact()}
	}
	return nil
}

// simplesRatesDefect finds effective rates that could not be withheld.
func simplesRatesDefect(profile nfse.FiscalProfile) *profileDefect {
	const field = "simples_rates"
	for month, rate := range profile.SimplesRates {
		if _, err := nfse.ParseMonth(string(month)); err != nil {
			return &profileDefect{profileInvalid, field, fact.SimplesRateMonthUnknown.Fact()}
		}
		if rate < minSimplesRate || rate > nfse.MaxRate {
			return &profileDefect{"E0621", field, fact.SimplesRateOutOfRange.Fact()}
		}
	}
	return nil
}
