package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Likely are the totals that the authority, or a city's server, is likely to state of a declaration.
func (c Checker) Likely(declaration fiscal.Declaration) nfse.Totals {
	return c.IBSCBS.LikelyTotals(declaration)
}

// StatesIBSCBS reports whether the DPS of a declaration has the group IBSCBS.
func (c Checker) StatesIBSCBS(declaration fiscal.Declaration) bool {
	return c.IBSCBS.Sent(declaration, declaration.Note.Competence)
}

// CompareTotals implements fiscal.TotalsComparer.
func (c Checker) CompareTotals(declaration fiscal.Declaration, document fiscal.IssuedDocument) fact.Fact {
	expected := taxes.Compared(declaration, taxation.SentRate(declaration), document, c.StatesIBSCBS(declaration))
	return fiscal.TotalsDiffer(expected, *document.Authorization.Totals)
}
