package description

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// Replacement is how an authority lets a note be replaced by another: one message makes the new
// note and cancels the old one.
type Replacement struct {
	Reasons []string // codes of why, the last one of any other reason, which is said in words

	// Fits reports whether one of them can be that of a note that was issued by one profile and is replaced by
	// a note of another.
	Fits func(reason string, before, now nfse.FiscalProfile) bool

	// Original is what of a note, as it was declared, must stay in the one that replaces it.
	Original func(fiscal.Declaration) nfse.ReplacedNote
	// Locked are the fields of the form that an issuer may not change.
	Locked func(nfse.FiscalProfile) []string
	// Check refuses what the authority would of a declaration that replaces a note; nil where
	// nothing is known against it.
	Check func(fiscal.Declaration) *nfse.Rejection
	// RuleAgainst is the code of the rule by which an event of a type bars the replacement of its
	// note; empty for none.
	RuleAgainst func(eventType string) string
}
