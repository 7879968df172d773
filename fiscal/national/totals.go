package national

import (
	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/taxes"
	"emissor/nfse/fact"
)

// CompareTotals implements fiscal.TotalsComparer.
func (a *Authority) CompareTotals(declaration fiscal.Declaration, document fiscal.IssuedDocument) fact.Fact {
	expected := taxes.Compared(declaration, taxation.SentRate(declaration), document, a.StatesIBSCBS(declaration))
	return fiscal.TotalsDiffer(expected, *document.Authorization.Totals)
}
