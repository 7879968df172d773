package dps

import (
	"strconv"

	"emissor/nfse"
)

// writeIBSCBS101 leaves out what a note has no data of: referenced notes
// (gRefNFSe), a recipient other than the taker (dest), reimbursements
// (gReeRepRes).
func writeIBSCBS101(w *writer, c nfse.Classification) {
	w.element("finNFSe", "0") // a regular note
	if c.IndFinal != nil {
		w.element("indFinal", digitOf(*c.IndFinal))
	}
	w.element("cIndOp", c.CIndOp)
	if c.TpOper != nil {
		w.element("tpOper", strconv.Itoa(*c.TpOper))
	}
	if c.TpEnteGov != nil {
		w.element("tpEnteGov", strconv.Itoa(*c.TpEnteGov))
	}
	w.element("indDest", "0") // the recipient is the taker
	if c.Property != nil {
		w.group("imovel", func() { writeProperty101(w, *c.Property) })
	}
	w.group("valores", func() {
		w.group("trib", func() {
			w.group("gIBSCBS", func() { writeTaxClass101(w, c) })
		})
	})
}

func writeProperty101(w *writer, property nfse.Property) {
	if property.Registration != nil {
		w.element("inscImobFisc", *property.Registration)
	}
	if property.Address == nil {
		w.element("cCIB", *property.CIB)
		return
	}
	w.group("end", func() {
		w.element("CEP", property.Address.ZipCode)
		w.element("xLgr", property.Address.Street)
		w.element("nro", property.Address.Number)
		if property.Address.Complement != nil {
			w.element("xCpl", *property.Address.Complement)
		}
		w.element("xBairro", property.Address.District)
	})
}

func writeTaxClass101(w *writer, c nfse.Classification) {
	w.element("CST", c.CST)
	w.element("cClassTrib", c.CClassTrib)
	if c.CCredPres != nil {
		w.element("cCredPres", *c.CCredPres)
	}
	if regular := c.RegularTaxation; regular != nil {
		w.group("gTribRegular", func() {
			w.element("CSTReg", regular.CST)
			w.element("cClassTribReg", regular.CClassTrib)
		})
	}
	if deferral := c.Deferral; deferral != nil {
		w.group("gDif", func() {
			w.element("pDifUF", deferral.State.String())
			w.element("pDifMun", deferral.Municipal.String())
			w.element("pDifCBS", deferral.Federal.String())
		})
	}
}

// digitOf is how the layout says yes and no.
func digitOf(yes bool) string {
	if yes {
		return "1"
	}
	return "0"
}
