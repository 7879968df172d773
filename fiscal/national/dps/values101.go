package dps

import (
	"strconv"

	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

func writeValues101(w *writer, d dps) {
	w.group("vServPrest", func() { w.element("vServ", moneyText(d.amountCents)) })
	if d.unconditionalDiscount != 0 || d.conditionalDiscount != 0 {
		w.group("vDescCondIncond", func() {
			writeMoney101(w, "vDescIncond", d.unconditionalDiscount)
			writeMoney101(w, "vDescCond", d.conditionalDiscount)
		})
	}
	if !d.deduction.None() {
		w.group("vDedRed", func() { writeDeduction101(w, d.deduction) })
	}
	w.group("trib", func() {
		w.group("tribMun", func() { writeISS101(w, d) })
		writeFederal101(w, d.federal)
		w.group("totTrib", func() { writeTotals101(w, d.issuer) })
	})
}

// writeMoney101 leaves out what is 0.
func writeMoney101(w *writer, name string, cents int64) {
	if cents != 0 {
		w.element(name, moneyText(cents))
	}
}

func writeDeduction101(w *writer, deduction nfse.Deduction) {
	switch {
	case deduction.Percent != 0:
		w.element("pDR", deduction.Percent.String())
	case deduction.Cents != 0:
		w.element("vDR", moneyText(deduction.Cents))
	default:
		w.group("documentos", func() {
			for _, document := range deduction.Documents {
				w.group("docDedRed", func() { writeDeducted101(w, document) })
			}
		})
	}
}

// writeDeducted101 names the supplier where the key of the document does not (E0477).
func writeDeducted101(w *writer, document nfse.DeductionDocument) {
	switch {
	case document.NFSe != "":
		w.element("chNFSe", document.NFSe)
	case document.NFe != "":
		w.element("chNFe", document.NFe)
	case document.FiscalOther != "":
		w.element("nDocFisc", schema.Line(document.FiscalOther))
	default:
		w.element("nDoc", schema.Line(document.Other))
	}
	w.element("tpDedRed", strconv.Itoa(document.Kind))
	if described := schema.Line(document.Description); described != "" {
		w.element("xDescOutDed", described)
	}
	w.element("dtEmiDoc", string(document.Issued))
	w.element("vDedutivelRedutivel", moneyText(document.DeductibleCents))
	w.element("vDeducaoReducao", moneyText(document.UsedCents))
	if document.Supplier != nil && document.NFSe == "" && document.NFe == "" {
		w.group("fornec", func() { writeParty101(w, partyOf(*document.Supplier)) })
	}
}
