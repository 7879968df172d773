package sefin

import (
	"emissor/test/simulators/shared/cents"

	"emissor/test/simulators/shared/checkdigit"
)

// abroad is the cLocalidadeIncid of what is supplied to an address in another country.
// Annex I says 999999, which the schema, that wants seven digits, does not take.
const abroad = "9999999"

// supplyPlace is the place of a supply by its cIndOp. The municipality of the issuer
// stands for what cannot be known: a recipient without an address, a place at sea.
func (d *dps) supplyPlace() string {
	place := d.get("cLocEmi")
	switch supplyPlaces[d.get("IBSCBS/cIndOp")] {
	case performedAt:
		if d.has("serv/locPrest/cPaisPrestacao") {
			return abroad
		}
		place = d.get("serv/locPrest/cLocPrestacao")
	case atRecipient:
		party := "toma"
		if d.has("IBSCBS/dest") {
			party = "IBSCBS/dest"
		}
		if d.has(party + "/end/endExt") {
			return abroad
		}
		place = d.get(party + "/end/endNac/cMun")
	}
	if !checkdigit.Municipality(place) {
		return d.get("cLocEmi")
	}
	return place
}

// consumptionBase is the base of IBS and CBS (E1530): what is left of the price without the
// discount and the ISS and, until PIS and COFINS end, without the issuer's own.
func (d *dps) consumptionBase(s *sums) int64 {
	base := s.amount - s.unconditional - s.tax
	if d.get("dCompet") < "2027-01-01" {
		base -= s.ownPISCOF
	}
	return max(0, base)
}

// ibscbs writes what the authority computes of IBS and CBS. Where its CST has no rate
// the group is written too (E1515, and the schema wants all of it): with the base, and
// with rates and amounts of zero.
func (x *xmlWriter) ibscbs(d *dps, computed *sums) {
	class, rates := classTribs()[d.get(gIBSCBS+"/cClassTrib")], ratesOf(d.get("dCompet"))
	effective, base := rates.effective(class), d.consumptionBase(computed)
	if !class.rated {
		rates = ibscbsRates{}
	}
	x.raw("<IBSCBS>")
	place := d.supplyPlace()
	x.text("cLocalidadeIncid", place)
	x.text("xLocalidadeIncid", supplyPlaceName(place))
	if d.has("IBSCBS/tpEnteGov") {
		x.text("pRedutor", money(0)) // what governments get is not fixed yet
	}
	x.raw("<valores>")
	x.text("vBC", money(base))
	x.ibscbsRate("uf", "UF", "pIBSUF", rates.uf, effective.uf, class, class.redIBS)
	x.ibscbsRate("mun", "Mun", "pIBSMun", rates.mun, effective.mun, class, class.redIBS)
	x.ibscbsRate("fed", "CBS", "pCBS", rates.cbs, effective.cbs, class, class.redCBS)
	x.raw("</valores>")
	x.ibscbsTotals(d, computed.liquid(), effective.of(base))
	if d.has(gIBSCBS + "/gTribRegular") {
		regular := ratesOf(d.get("dCompet")).effective(classTribs()[d.get(gIBSCBS+"/gTribRegular/cClassTribReg")])
		x.regularTaxation(regular, regular.of(base))
	}
	if d.has("IBSCBS/tpEnteGov") {
		x.governmentPurchase(effective, effective.of(base))
	}
	x.raw("</totCIBS></IBSCBS>")
}

func supplyPlaceName(place string) string {
	if place == abroad {
		return "Exterior"
	}
	return municipalityName(place)
}

// ibscbsRate writes a rate, by how much the classification reduces it, and what is left.
func (x *xmlWriter) ibscbsRate(group, suffix, name string, rate, effective int64, class classTrib, reduction int64) {
	x.raw("<" + group + ">")
	x.text(name, money(rate))
	if class.reduced {
		x.text("pRedAliq"+suffix, money(100*reduction))
	}
	x.text("pAliqEfet"+suffix, money(effective))
	x.raw("</" + group + ">")
}

// ibscbsTotals opens totCIBS, and writes what every note has of it. As the layout has
// it, a deferred amount stays in the amount of its tax.
func (x *xmlWriter) ibscbsTotals(d *dps, liquid int64, tax ibscbsAmounts) {
	deferral := func(name, percentage string, amount int64) {
		if percentage := gIBSCBS + "/gDif/" + percentage; d.has(percentage) {
			x.text(name, money(cents.ShareEven(amount, cents.Read(d.get(percentage)))))
		}
	}
	total := liquid
	if d.get("dCompet") >= "2027-01-01" {
		total += tax.uf + tax.mun + tax.cbs
	}
	x.raw("<totCIBS>")
	x.text("vTotNF", money(total))
	x.raw("<gIBS>")
	x.text("vIBSTot", money(tax.uf+tax.mun))
	x.raw("<gIBSUFTot>")
	deferral("vDifUF", "pDifUF", tax.uf)
	x.text("vIBSUF", money(tax.uf))
	x.raw("</gIBSUFTot><gIBSMunTot>")
	deferral("vDifMun", "pDifMun", tax.mun)
	x.text("vIBSMun", money(tax.mun))
	x.raw("</gIBSMunTot></gIBS><gCBS>")
	deferral("vDifCBS", "pDifCBS", tax.cbs)
	x.text("vCBS", money(tax.cbs))
	x.raw("</gCBS>")
}

// regularTaxation is what would be due without the suspension of a classification.
func (x *xmlWriter) regularTaxation(rates ibscbsRates, tax ibscbsAmounts) {
	x.raw("<gTribRegular>")
	x.text("pAliqEfeRegIBSUF", money(rates.uf))
	x.text("vTribRegIBSUF", money(tax.uf))
	x.text("pAliqEfeRegIBSMun", money(rates.mun))
	x.text("vTribRegIBSMun", money(tax.mun))
	x.text("pAliqEfeRegCBS", money(rates.cbs))
	x.text("vTribRegCBS", money(tax.cbs))
	x.raw("</gTribRegular>")
}

func (x *xmlWriter) governmentPurchase(rates ibscbsRates, tax ibscbsAmounts) {
	x.raw("<gTribCompraGov>")
	x.text("pIBSUF", money(rates.uf))
	x.text("vIBSUF", money(tax.uf))
	x.text("pIBSMun", money(rates.mun))
	x.text("vIBSMun", money(tax.mun))
	x.text("pCBS", money(rates.cbs))
	x.text("vCBS", money(tax.cbs))
	x.raw("</gTribCompraGov>")
}
