package sefin_test

import (
	"net/http"
	"strings"
	"testing"
)

// everyOption are groups with all that they may hold, of one document.
var everyOption = changes(
	service("070201"),
	inside("cServ", "<obra><inscImobFisc>1</inscImobFisc><cObra>900012345678</cObra></obra>"+
		"<infoCompl><idDocTec>ART 1</idDocTec><docRef>D</docRef><xPed>1</xPed><gItemPed><xItemPed>1</xItemPed>"+
		"<xItemPed>2</xItemPed></gItemPed><xInfComp>C</xInfComp></infoCompl>"),
	broker(platform, change{"</end>", "</end><fone>2133334444</fone><email>a@b.com</email>"}),
	documents(receipt("1.00"), municipalNote("3304557")),
	discount("1.00", "2.00"),
	federal("<piscofins><CST>01</CST><vBCPisCofins>1499.00</vBCPisCofins><pAliqPis>0.65</pAliqPis>"+
		"<pAliqCofins>3.00</pAliqCofins><vPis>9.74</vPis><vCofins>44.97</vCofins><tpRetPisCofins>3</tpRetPisCofins>"+
		"</piscofins><vRetCP>10.00</vRetCP><vRetIRRF>22.48</vRetIRRF><vRetCSLL>69.70</vRetCSLL>"),
	beforeWithholding("<BM><nBM>"+benefitNumber+"</nBM><vRedBCBM>1.00</vRedBCBM></BM>"),
	withheld,
)

// Each group is accepted with all that it may hold, and refused as the official schema refuses
// it when its order, its choices or its values are others.
func TestGroups_Schema(t *testing.T) {
	_, c := startWithIssuer(t)
	if answer := c.issue(c.dps(1, everyOption...)); answer.status != http.StatusCreated {
		t.Fatalf("all groups at once: %s", answer.text)
	}
	if err := validate(t, "DPS_v1.01.xsd", wrap("DPS", infDPS(t, 1, everyOption...), "")); err != nil {
		t.Error("the official schema refuses all groups at once")
	}
	for name, broken := range map[string][]change{
		"a replacement before its city": {{"<cLocEmi>", "<subst><chSubstda>" + otherNoteKey + "</chSubstda>" +
			leftSimples + "</subst><cLocEmi>"}},
		"a short reason":               {replacing(otherNoteKey, "<cMotivo>99</cMotivo><xMotivo>Curto</xMotivo>")},
		"a replacement for no reason":  {replacing(otherNoteKey, "<cMotivo>06</cMotivo>")},
		"an intermediary first":        {{"<toma>", "<interm>" + platform + "<xNome>P</xNome></interm><toma>"}},
		"an intermediary without name": {inside("toma", "<interm>"+platform+"</interm>")},
		"two numbers":                  {{"<CNPJ>" + taker + "</CNPJ>", "<NIF>1</NIF><cNaoNIF>1</cNaoNIF>"}},
		"a long NIF": {
			{"<CNPJ>" + taker + "</CNPJ>", "<NIF>" + strings.Repeat("1", 41) + "</NIF>"},
		},
		"an address abroad without city": changes(foreigner, change{"<xCidade>San Francisco</xCidade>", ""}),
		"a country of three letters":     changes(foreigner, change{"<cPais>US", "<cPais>USA"}),
		"a place in two countries":       {{"</cLocPrestacao>", "</cLocPrestacao><cPaisPrestacao>US</cPaisPrestacao>"}},
		"comExt without its mode":        trading(change{"<mdPrestacao>1</mdPrestacao>", ""}),
		"a currency of letters":          trading(change{"<tpMoeda>220", "<tpMoeda>USD"}),
		"a mechanism of one digit":       trading(change{"<mecAFComexP>01", "<mecAFComexP>1"}),
		"a mechanism that is none":       trading(change{"<mecAFComexT>01", "<mecAFComexT>27"}),
		"works after an event": changes(service("990101"), taxation("4"),
			inside("cServ", aboutAnEvent+"<obra><cObra>1</cObra></obra>")),
		"works by number and address": changes(service("070201"),
			inside("cServ", "<obra><cObra>1</cObra>"+byCEP+"</obra>")),
		"works with a city":        changes(worksAt(byCEP), change{"<end><CEP>", "<end><cMun>3304557</cMun><CEP>"}),
		"a CIB of seven":           changes(worksAt("<cCIB>1234567</cCIB>")),
		"an event without its end": changes(eventAt(byCEP), change{"<dtFim>2026-11-22</dtFim>", ""}),
		"a hundred items of an order": {inside("cServ", "<infoCompl><gItemPed>"+
			strings.Repeat("<xItemPed>1</xItemPed>", 100)+"</gItemPed></infoCompl>")},
		"discounts in another order": {inside("vServPrest", "<vDescCondIncond><vDescCond>1.00</vDescCond>"+
			"<vDescIncond>1.00</vDescIncond></vDescCondIncond>")},
		"two ways to deduct": {deducting("<pDR>1.00</pDR><vDR>1.00</vDR>")},
		"no way to deduct":   {deducting("")},
		"no documents":       {deducting("<documentos></documentos>")},
		"a thousand and one documents": {documents(strings.Repeat(
			document(otherNote, "<tpDedRed>1</tpDedRed>", "0.01", ""), 1001))},
		"a kind of deduction that is none": {
			documents(document("<nDoc>1</nDoc>", "<tpDedRed>10</tpDedRed>", "1.00", "")),
		},
		"a short process": {
			beforeWithholding("<exigSusp><tpSusp>1</tpSusp><nProcesso>1</nProcesso></exigSusp>"),
		},
		"a benefit of two reductions":         {granted("<vRedBCBM>1.00</vRedBCBM><pRedBCBM>1.00</pRedBCBM>")},
		"a benefit before a suspension":       {granted(""), change{"<tpRetISSQN>", suspension + "<tpRetISSQN>"}},
		"withheld by whom nobody is":          {{"<tpRetISSQN>1", "<tpRetISSQN>4"}},
		"federal taxes first":                 {{"<tribMun>", "<tribFed><vRetCP>1.00</vRetCP></tribFed><tribMun>"}},
		"contributions without CST":           {federal("<piscofins><vPis>1.00</vPis></piscofins>")},
		"contributions of a CST that is none": {federal("<piscofins><CST>10</CST></piscofins>")},
		"income tax before social security":   {federal("<vRetIRRF>1.00</vRetIRRF><vRetCP>1.00</vRetCP>")},
		"a negative amount":                   {federal("<vRetIRRF>-1.00</vRetIRRF>")},
		"a rate of three digits": {
			federal("<piscofins><CST>01</CST><pAliqPis>100.00</pAliqPis></piscofins>"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			document := wrap("DPS", infDPS(t, 2, broken...), "")
			if answer := c.issue(document); answer.codes() != "E1235" {
				t.Errorf("%q: %s", answer.codes(), answer.text)
			}
			if err := validate(t, "DPS_v1.01.xsd", document); err == nil {
				t.Error("the official schema accepts this")
			}
		})
	}
}
