package saopaulo

import (
	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// CompareTotals implements fiscal.TotalsComparer. How the city rounds is in none of its
// documents: of the ISS either cent beside the exact amount is right.
func (a *Authority) CompareTotals(declaration fiscal.Declaration, stated nfse.Totals) fact.Fact {
	expected := a.Expected(declaration)
	base := declaration.Note.AmountCents - taxes.DeductedCents(declaration)
	rate := rules.KnownRate(declaration)
	if rate != nil && stated.ISSCents != nil && roundsTo(base, *rate, *stated.ISSCents) {
		expected.ISSCents = stated.ISSCents
		if declaration.ISSWithheldBy() != fiscal.WithheldByNobody {
			expected.ISSWithheldCents = stated.ISSCents
		}
	}
	if taxes.FederalOf(declaration).Own != nil { // an RPS does not state them, so that the base is not known
		expected.IBSCents, expected.CBSCents = nil, nil
	}
	expected.IBSCents = taxes.Near(expected.IBSCents, stated.IBSCents)
	expected.CBSCents = taxes.Near(expected.CBSCents, stated.CBSCents)
	return fiscal.TotalsDiffer(expected, stated)
}

// roundsTo reports whether a rate of an amount can be rounded to so many cents.
func roundsTo(amount int64, rate nfse.Rate, cents int64) bool {
	const whole = 100_00
	apart := amount*int64(rate) - cents*whole
	return -whole < apart && apart < whole
}
