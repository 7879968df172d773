package sefin

import (
	"strings"

	"emissor/fiscal"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// totalsXML is what an NFS-e states in amounts. The authority computes all of them.
type totalsXML struct {
	Net   []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>vLiq"`
	ISS   []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>vISSQN"`
	Rate  []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>pAliqAplic"`
	Total []string `xml:"http://www.sped.fazenda.gov.br/nfse IBSCBS>totCIBS>vTotNF"`
	IBS   []string `xml:"http://www.sped.fazenda.gov.br/nfse IBSCBS>totCIBS>gIBS>vIBSTot"`
	CBS   []string `xml:"http://www.sped.fazenda.gov.br/nfse IBSCBS>totCIBS>gCBS>vCBS"`
}

// declaredXML is what the embedded DPS declares in amounts: the authority repeats nothing of
// what is withheld but its sum.
type declaredXML struct {
	Service     []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>vServPrest>vServ"`
	ISSWithheld []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>trib>tribMun>tpRetISSQN"`
	INSS        []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>trib>tribFed>vRetCP"`
	IRRF        []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>trib>tribFed>vRetIRRF"`
	CSRF        []string `xml:"http://www.sped.fazenda.gov.br/nfse valores>trib>tribFed>vRetCSLL"`
}

// readTotals reads what a document states, and what of it cannot be read. What is withheld is
// left out where it is nothing.
func readTotals(stated totalsXML, declared declaredXML) (totals nfse.Totals, alarm fact.Fact) {
	reader := fiscal.TotalsReader{Cents: xmlread.Cents}
	totals = nfse.Totals{
		NetCents:     reader.Amount("vLiq", stated.Net),
		TotalCents:   reader.Amount("vTotNF", stated.Total),
		ISSCents:     reader.Amount("vISSQN", stated.ISS),
		IBSCents:     reader.Amount("vIBSTot", stated.IBS),
		CBSCents:     reader.Amount("vCBS", stated.CBS),
		ServiceCents: reader.Amount("vServ", declared.Service),
		IRRFCents:    reader.Filled("vRetIRRF", declared.IRRF),
		CSRFCents:    reader.Filled("vRetCSLL", declared.CSRF),
		INSSCents:    reader.Filled("vRetCP", declared.INSS),
	}
	if len(stated.Total) == 0 {
		totals.TotalCents = totals.NetCents
	}
	// Some documents of Simples Nacional say that the ISS is withheld, and not how much it is.
	switch reader.Word("tpRetISSQN", declared.ISSWithheld, "1", "2", "3") {
	case "2", "3": // by the customer, by an intermediary
		totals.ISSWithheldCents = totals.ISSCents
	}
	return totals, reader.Alarm()
}

// rate is the rate of the ISS; nil where it is not there, or cannot be read.
func (t totalsXML) rate() *nfse.Rate {
	if len(t.Rate) != 1 {
		return nil
	}
	rate, err := nfse.ParseRate(strings.TrimSpace(t.Rate[0]))
	if err != nil {
		return nil
	}
	return &rate
}
