package dps

import (
	"cmp"
	"strconv"

	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// writeService101 writes the city's own code (cTribMun) where its server wants one. The codes of the
// catalogue, of 4 or 5 digits, are of another table.
func writeService101(w *writer, d dps) {
	s := d.service
	w.group("locPrest", func() {
		if s.place.Abroad() {
			w.element("cPaisPrestacao", s.place.Country)
		} else {
			w.element("cLocPrestacao", s.place.Municipality)
		}
	})
	w.group("cServ", func() {
		w.element("cTribNac", s.taxCode)
		if s.municipalCode != "" {
			w.element("cTribMun", s.municipalCode)
		}
		w.element("xDescServ", s.description)
		if s.nbs != "" {
			w.element("cNBS", s.nbs)
		}
		w.element("cIntContrib", s.correlationID)
	})
	if s.abroad != nil {
		w.group("comExt", func() { writeForeignTrade101(w, *s.abroad, d.amountCents) })
	}
	if s.work != nil {
		w.group("obra", func() { writeWork101(w, *s.work) })
	}
	if s.event != nil {
		w.group("atvEvento", func() { writeEvent101(w, *s.event) })
	}
	if s.work != nil && s.work.TechnicalDocument != "" {
		w.group("infoCompl", func() { w.element("idDocTec", s.work.TechnicalDocument) })
	}
}

// writeForeignTrade101 states what nothing is said of as none: no mechanism of support, no goods.
func writeForeignTrade101(w *writer, abroad nfse.Abroad, priceCents int64) {
	const noMechanism = "01"
	w.element("mdPrestacao", strconv.Itoa(abroad.Mode))
	w.element("vincPrest", strconv.Itoa(abroad.Relationship))
	w.element("tpMoeda", taxation.CurrencyOf(abroad))
	w.element("vServMoeda", moneyText(cmp.Or(abroad.AmountCents, priceCents)))
	w.element("mecAFComexP", cmp.Or(abroad.ProviderMechanism, noMechanism))
	w.element("mecAFComexT", cmp.Or(abroad.TakerMechanism, noMechanism))
	w.element("movTempBens", strconv.Itoa(cmp.Or(abroad.Goods, taxation.NoGoods)))
	if abroad.ImportDeclaration != "" {
		w.element("nDI", abroad.ImportDeclaration)
	}
	if abroad.ExportRecord != "" {
		w.element("nRE", abroad.ExportRecord)
	}
	w.element("mdic", digitOf(abroad.ToMinistry))
}

func writeWork101(w *writer, work nfse.Work) {
	if work.PropertyNumber != "" {
		w.element("inscImobFisc", work.PropertyNumber)
	}
	switch {
	case work.Registration != "":
		w.element("cObra", work.Registration)
	case work.CIB != "":
		w.element("cCIB", work.CIB)
	default:
		w.group("end", func() { writeSite101(w, addressOf(*work.Address, work.Foreign)) })
	}
}

func writeEvent101(w *writer, event nfse.CulturalEvent) {
	w.element("xNome", schema.Line(event.Name))
	w.element("dtIni", string(event.From))
	w.element("dtFim", string(event.Through))
	if event.Identification != "" {
		w.element("idAtvEvt", event.Identification)
		return
	}
	w.group("end", func() { writeSite101(w, addressOf(*event.Address, event.Foreign)) })
}
