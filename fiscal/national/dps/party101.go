package dps

import "strconv"

// writeParty101 leaves out phone and e-mail: the document needs neither, and a wrong e-mail
// address would have it rejected (E0247, E0300).
func writeParty101(w *writer, p party) {
	switch {
	case p.taxID != "":
		w.element(kindOf(p.taxID), string(p.taxID))
	case p.nif != "":
		w.element("NIF", p.nif)
	default:
		w.element("cNaoNIF", strconv.Itoa(p.noNIF))
	}
	w.element("xNome", p.name)
	if p.address != nil {
		w.group("end", func() { writePartyAddress101(w, *p.address) })
	}
}

func writePartyAddress101(w *writer, a address) {
	if a.foreign == nil {
		w.group("endNac", func() {
			w.element("cMun", a.municipality)
			w.element("CEP", a.zipCode)
		})
	} else {
		w.group("endExt", func() {
			w.element("cPais", a.country)
			writeForeignPlace101(w, a)
		})
	}
	writeStreet101(w, a)
}

// writeSite101 writes where a work or an event is.
func writeSite101(w *writer, a address) {
	if a.foreign == nil {
		w.element("CEP", a.zipCode)
	} else {
		w.group("endExt", func() { writeForeignPlace101(w, a) })
	}
	writeStreet101(w, a)
}

func writeForeignPlace101(w *writer, a address) {
	w.element("cEndPost", a.foreign.PostalCode)
	w.element("xCidade", a.foreign.City)
	w.element("xEstProvReg", a.foreign.Region)
}

func writeStreet101(w *writer, a address) {
	w.element("xLgr", a.street)
	w.element("nro", a.number)
	if a.complement != "" {
		w.element("xCpl", a.complement)
	}
	w.element("xBairro", a.district)
}
