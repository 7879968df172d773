package dps

import (
	"strconv"

	"emissor/fiscal/taxes"
)

// csrfOnly is the tax situation of a note that declares no contributions of its issuer's own: it
// says only who withholds what.
const csrfOnly = "00"

// writeFederal101 writes what is withheld of federal taxes, and PIS and COFINS that the issuer
// owes itself (tribFed). A zero is left out (E0699 to E0701). vRetCSLL is the sum of PIS, COFINS
// and CSLL, and is never without the code that says which of them it has.
func writeFederal101(w *writer, f taxes.Federal) {
	if f.None() {
		return
	}
	w.group("tribFed", func() {
		if f.Own != nil || f.CSRF() > 0 {
			w.group("piscofins", func() { writeContributions101(w, f) })
		}
		for _, withheld := range []struct {
			element string
			cents   int64
		}{{"vRetCP", f.INSS}, {"vRetIRRF", f.IRRF}, {"vRetCSLL", f.CSRF()}} {
			if withheld.cents > 0 {
				w.element(withheld.element, moneyText(withheld.cents))
			}
		}
	})
}

// writeContributions101 leaves out amounts where nothing is owed, as in a situation without
// taxation.
func writeContributions101(w *writer, f taxes.Federal) {
	own := f.Own
	switch {
	case own == nil:
		w.element("CST", csrfOnly)
	case own.PIS == 0 && own.COFINS == 0:
		w.element("CST", own.CST)
	default:
		w.element("CST", own.CST)
		w.element("vBCPisCofins", moneyText(own.BaseCents))
		w.element("pAliqPis", own.PIS.String())
		w.element("pAliqCofins", own.COFINS.String())
		w.element("vPis", moneyText(own.PISCents))
		w.element("vCofins", moneyText(own.COFINSCents))
	}
	w.element("tpRetPisCofins", strconv.Itoa(f.CSRFCode()))
}
