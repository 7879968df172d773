package national

import (
	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// CompareTotals implements fiscal.TotalsComparer.
func (a *Authority) CompareTotals(declaration fiscal.Declaration, stated nfse.Totals) fact.Fact {
	expected := a.Expected(declaration)
	expected.IBSCents = taxes.Near(expected.IBSCents, stated.IBSCents)
	expected.CBSCents = taxes.Near(expected.CBSCents, stated.CBSCents)
	return fiscal.TotalsDiffer(expected, stated)
}
