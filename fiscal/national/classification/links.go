package classification

import (
	"slices"

	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// link says that a cClassTrib and a cIndOp may be declared together of a service with an NBS code
// from one day until another, inclusive; an empty Until is open.
type link struct{ ClassTrib, IndOp, From, Until string }

// fullTaxation is the cClassTrib that the calculator has for an NBS code without any link.
const fullTaxation = "000001"

// Unlinked reports whether the calculator's table, where it was imported, has no line for NBS,
// cClassTrib and cIndOp of a classification together. An NBS code that it does not list goes with
// full taxation. No published rule of an authority refuses by this table, so that it is no Defect;
// the city of São Paulo has tables of its own.
func (t Tables) Unlinked(c nfse.Classification) bool {
	table := t.Edition(TableLinks)
	if table == nil || t.IndOpTable() != TableIndOp || t.Day < string(taxes.LinksFrom) {
		return false
	}
	inForce := slices.DeleteFunc(slices.Clone(table.links[c.NBS]), func(l link) bool {
		return l.From > t.Day || l.Until != "" && l.Until < t.Day
	})
	if len(inForce) == 0 {
		return c.CClassTrib != fullTaxation
	}
	return !slices.ContainsFunc(inForce, func(l link) bool {
		return l.ClassTrib == c.CClassTrib && l.IndOp == c.CIndOp
	})
}
