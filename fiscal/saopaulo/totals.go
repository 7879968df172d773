package saopaulo

import (
	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/taxes"
	"emissor/nfse/fact"
)

// CompareTotals implements fiscal.TotalsComparer. The city takes the rate of its own table, no matter what an RPS
// says (alert 208).
func (a *Authority) CompareTotals(declaration fiscal.Declaration, document fiscal.IssuedDocument) fact.Fact {
	inFull := rules.TaxedInFull(declaration)
	if !inFull {
		document.ISSRate = nil
	}
	expected := taxes.Compared(declaration, nil, document, a.StatesIBSCBS(declaration))
	// ValorFinalCobrado is what the RPS says; E1555 is national.
	expected.TotalCents = expected.NetCents
	if !inFull || taxes.FederalOf(declaration).Own != nil { // own contributions are in no RPS
		expected.IBSCents, expected.CBSCents = nil, nil // their base is not known
	}
	return fiscal.TotalsDiffer(expected, *document.Authorization.Totals)
}
