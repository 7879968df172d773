package rps

import (
	"cmp"
	"strconv"

	"emissor/fiscal"
	"emissor/nfse"
)

// The greatest lengths of texts of addresses abroad and of events, which are cut.
const (
	maxForeignCity   = 60  // xCidade
	maxForeignRegion = 60  // xEstProvReg
	maxEventName     = 255 // xNomeEvt
)

func intermediaryOf(declaration fiscal.Declaration) *intermediary {
	given := declaration.Details.Intermediary
	if given == nil {
		return nil
	}
	return &intermediary{given.TaxID, given.WithholdsISS}
}

// foreignID is by what a taker abroad is known: its tax number (NIF), or the reason for which it
// has none (NaoNIF).
func foreignID(taker nfse.ForeignParty) string { return cmp.Or(taker.NIF, strconv.Itoa(taker.NoNIF)) }

func foreignTakerOf(given nfse.ForeignParty) taker {
	return taker{
		foreign: &given, name: fit(given.Name, maxName),
		address: address{
			street: fit(given.Street, maxStreet), number: fit(given.Number, maxAddressNumber),
			complement: fit(given.Complement, maxComplement), district: fit(given.District, maxDistrict),
		},
	}
}

// writeID writes by what the taker is known.
func (t taker) writeID(w *writer) {
	switch {
	case t.foreign == nil:
		writeTaxID(w, t.taxID)
	case t.foreign.NIF != "":
		w.element("NIF", t.foreign.NIF)
	default:
		w.element("NaoNIF", strconv.Itoa(t.foreign.NoNIF))
	}
}

// writePlace writes where the taker lives, the last of its address.
func (t taker) writePlace(w *writer) {
	if t.foreign == nil {
		w.element("Cidade", t.address.municipality)
		w.element("UF", t.address.state)
		w.optional("CEP", t.address.zipCode)
		return
	}
	w.group("EnderecoExterior", func() {
		w.element("cPais", t.foreign.Country)
		w.element("cEndPost", t.foreign.PostalCode)
		w.element("xCidade", fit(t.foreign.City, maxForeignCity))
		w.element("xEstProvReg", fit(t.foreign.Region, maxForeignRegion))
	})
}

// write leaves out name and address, which the layout does not have.
func (i intermediary) write(w *writer) {
	w.group("CPFCNPJIntermediario", func() { writeTaxID(w, i.taxID) })
	w.element("ISSRetidoIntermediario", strconv.FormatBool(i.withheld))
}

func writeEvent(w *writer, event nfse.CulturalEvent) {
	w.group("atvEvento", func() {
		w.element("xNomeEvt", fit(event.Name, maxEventName))
		w.element("dtIniEvt", string(event.From))
		w.element("dtFimEvt", string(event.Through))
		writePropertyAddress(w, *event.Address)
	})
}
