package dps

import (
	"strconv"

	"emissor/nfse"
)

// layout101 is the layout of 2026, as production takes it since February
// (technical notes 004 and 007). The order of elements is the schema's.
var layout101 = layout{name: "1.01", version: "1.01", dps: writeDPS101, cancellation: writeCancellation101}

func writeDPS101(w *writer, d dps) {
	w.identified("infDPS", d.id, func() {
		w.element("tpAmb", environment(d.issuer.Production))
		w.element("dhEmi", d.moment.Format(momentLayout))
		w.element("verAplic", d.software)
		w.element("serie", strconv.Itoa(d.issuer.Series))
		w.element("nDPS", strconv.FormatInt(d.number, 10))
		w.element("dCompet", string(d.competence))
		w.element("tpEmit", "1") // the provider
		w.element("cLocEmi", d.issuer.MunicipalityCode)
		if d.replaced != nil {
			w.group("subst", func() { writeReplacement101(w, *d.replaced) })
		}
		w.group("prest", func() { writeIssuer101(w, d.issuer) })
		w.group("toma", func() { writeParty101(w, d.taker) })
		if d.intermediary != nil {
			w.group("interm", func() { writeParty101(w, *d.intermediary) })
		}
		w.group("serv", func() { writeService101(w, d) })
		w.group("valores", func() { writeValues101(w, d) })
		if d.ibscbs != nil {
			w.group("IBSCBS", func() { writeIBSCBS101(w, *d.ibscbs) })
		}
	})
}

// writeIssuer101 leaves out name and address, which are not allowed when the
// provider issues (E0121, E0128).
func writeIssuer101(w *writer, issuer nfse.FiscalProfile) {
	w.element(kindOf(issuer.TaxID), string(issuer.TaxID))
	if issuer.SendMunicipalRegistration {
		w.element("IM", *issuer.MunicipalRegistration)
	}
	w.group("regTrib", func() {
		w.element("opSimpNac", strconv.Itoa(int(issuer.Simples)))
		if issuer.SimplesRegime != nil {
			w.element("regApTribSN", strconv.Itoa(*issuer.SimplesRegime))
		}
		w.element("regEspTrib", strconv.Itoa(issuer.SpecialRegime))
	})
}

// writeTotals101 writes the approximate total of taxes (Law 12.741): each kind
// of issuer has its own (E0710, E0712, E0713).
func writeTotals101(w *writer, issuer nfse.FiscalProfile) {
	taxes := issuer.ApproximateTaxes
	switch issuer.Simples {
	case nfse.SimplesMEI:
		w.element("indTotTrib", "0") // not informed
	case nfse.SimplesME:
		w.element("pTotTribSN", taxes.Simples.String())
	default:
		w.group("pTotTrib", func() {
			w.element("pTotTribFed", taxes.Federal.String())
			w.element("pTotTribEst", taxes.State.String())
			w.element("pTotTribMun", taxes.Municipal.String())
		})
	}
}

func writeCancellation101(w *writer, c cancellation) {
	w.identified("infPedReg", c.id, func() {
		w.element("tpAmb", environment(c.production))
		w.element("verAplic", c.software)
		w.element("dhEvento", c.moment.Format(momentLayout))
		w.element(kindOf(c.author)+"Autor", string(c.author))
		w.element("chNFSe", c.accessKey)
		w.group("e"+c.event, func() {
			w.element("xDesc", requestedEvents[c.event])
			w.element("cMotivo", c.reasonCode)
			w.element("xMotivo", c.reasonText)
		})
	})
}

// environment is tpAmb.
func environment(production bool) string {
	if production {
		return "1"
	}
	return "2"
}

// kindOf is the name of a tax id's element.
func kindOf(id nfse.TaxID) string {
	if id.IsCNPJ() {
		return "CNPJ"
	}
	return "CPF"
}

// moneyText prints cents as TSDec15V2 has them: 1234.50.
func moneyText(cents int64) string {
	text := strconv.FormatInt(cents/100, 10) + "."
	if cents%100 < 10 {
		text += "0"
	}
	return text + strconv.FormatInt(cents%100, 10)
}
