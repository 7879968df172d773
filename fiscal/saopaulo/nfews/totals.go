package nfews

import (
	"emissor/fiscal"
	"emissor/fiscal/saopaulo/rps"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// totalsXML is what a note of the city states in amounts, beside what was charged.
type totalsXML struct {
	PIS               []string `xml:"ValorPIS"`
	COFINS            []string `xml:"ValorCOFINS"`
	CSLL              []string `xml:"ValorCSLL"`
	INSS              []string `xml:"ValorINSS"`
	IR                []string `xml:"ValorIR"`
	ISS               []string `xml:"ValorISS"`
	Rate              []string `xml:"AliquotaServicos"`
	ISSWithheld       []string `xml:"ISSRetido"`
	ISSByIntermediary []string `xml:"ISSRetidoIntermediario"`
	IBS               []string `xml:"RetornoComplementarIBSCBS>ValorIBS"`
	CBS               []string `xml:"RetornoComplementarIBSCBS>ValorCBS"`
}

// readTotals reads what a note states, and what of it cannot be read. The city writes 0 for
// what there is none of. It says what is charged in all, and not what is left of that: it is
// what the customer is charged where nothing is withheld.
func readTotals(n noteXML) (totals nfse.Totals, alarm fact.Fact) {
	reader := fiscal.TotalsReader{Cents: rps.Cents}
	yes := func(element string, texts []string) bool {
		word := reader.Word(element, texts, "true", "1", "false", "0")
		return word == "true" || word == "1"
	}
	byCustomer := yes("ISSRetido", n.ISSWithheld)
	byIntermediary := yes("ISSRetidoIntermediario", n.ISSByIntermediary)
	totals = nfse.Totals{
		ServiceCents: reader.Amount("ValorServicos", n.Amount),
		ISSCents:     reader.Filled("ValorISS", n.ISS),
		IRRFCents:    reader.Filled("ValorIR", n.IR),
		CSRFCents:    readCSRF(&reader, n.totalsXML),
		INSSCents:    reader.Filled("ValorINSS", n.INSS),
		IBSCents:     reader.Amount("ValorIBS", n.IBS),
		CBSCents:     reader.Amount("ValorCBS", n.CBS),
	}
	if byCustomer || byIntermediary {
		totals.ISSWithheldCents = totals.ISSCents
	}
	charged := reader.Amount("ValorFinalCobrado", n.Final)
	if !byCustomer && !byIntermediary && totals.Withheld() == nil && reader.Alarm().None() {
		totals.TotalCents = charged
	}
	return totals, reader.Alarm()
}

// readCSRF adds up the three contributions, which the city has apart.
func readCSRF(reader *fiscal.TotalsReader, n totalsXML) *int64 {
	sum := nfse.SumCents(reader.Filled("ValorPIS", n.PIS), reader.Filled("ValorCOFINS", n.COFINS),
		reader.Filled("ValorCSLL", n.CSLL))
	if !reader.Reads("ValorPIS", "ValorCOFINS", "ValorCSLL") {
		return nil
	}
	return sum
}

// rate is the rate of the ISS; nil where it is not there, or cannot be read.
func (n totalsXML) rate() *nfse.Rate {
	if text, present := once(n.Rate); present {
		return rps.Rate(text)
	}
	return nil
}
