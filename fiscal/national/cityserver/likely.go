package cityserver

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// Likely are the totals that the city is likely to state of a declaration: those of the national
// system.
func (a *Authority) Likely(declaration fiscal.Declaration) nfse.Totals {
	return a.checker.IBSCBS.LikelyTotals(declaration)
}

// StatesIBSCBS reports whether the DPS of a declaration has the group IBSCBS.
func (a *Authority) StatesIBSCBS(declaration fiscal.Declaration) bool {
	return a.checker.IBSCBS.Sent(declaration, declaration.Note.Competence)
}
