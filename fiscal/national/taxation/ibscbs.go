package taxation

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// IBSCBS says when the group IBSCBS, of the taxes of the reform, is in a DPS.
type IBSCBS struct {
	// RequiredFrom is the day of competence, as 2027-01-01, from which every issuer
	// must send it; empty is never. Until then the authority takes documents without
	// it (orientation of the managing committee of 2026-08-07).
	RequiredFrom nfse.Day
}

// ibscbsFrom is the first day of competence of which a DPS may have the group (E0850).
const ibscbsFrom nfse.Day = "2026-01-01"

// Required reports whether a DPS of a day of competence must have the group.
func (i IBSCBS) Required(day nfse.Day) bool { return i.RequiredFrom != "" && day >= i.RequiredFrom }

// Sent reports whether a DPS of a day of competence has the group: that of an
// issuer outside Simples Nacional whenever the service has a classification, and
// every other's from the day on which it is required. Of days before 2026 none has it.
func (i IBSCBS) Sent(declaration fiscal.Declaration, day nfse.Day) bool {
	return declaration.Classification != nil && day >= ibscbsFrom &&
		(declaration.Issuer.Simples == nfse.SimplesNone || i.Required(day))
}
