package sefin_test

import (
	"strings"

	"emissor/test/simulators/sefin"
)

// works are a service of construction with its group, which may deduct wherever others may not.
var works = []change{service("070201"), inside("cServ", "<obra><cObra>900012345678</cObra></obra>")}

func deducting(group string) change { return inside("vServPrest", "<vDedRed>"+group+"</vDedRed>") }

// allowing is a registry where Rio, with an ISS of 5 %, admits some ways to deduct.
func allowing(ways ...string) *sefin.Registry {
	registry := rio(sefin.Agreement{Deductions: map[string][]string{"010701": ways}})
	registry.ISSRate = 500
	return registry
}

var deductionRules = map[string]ruleCase{
	"a deduction of an MEI": {
		codes: "E0436", breaks: []change{mei, deducting("<vDR>1.00</vDR>")},
		keeps:    []change{deducting("<vDR>1.00</vDR>")},
		registry: rioAt(500),
	},
	"a deduction beside a special regime": {
		codes: "E0438", breaks: []change{special, deducting("<vDR>1.00</vDR>")},
		keeps: []change{deducting("<vDR>1.00</vDR>")}, registry: rioAt(500),
	},
	"a deduction that the city does not admit": {
		codes: "E0440", breaks: []change{deducting("<vDR>1.00</vDR>")}, keeps: []change{deducting("<vDR>1.00</vDR>")},
		registry: allowing(), neighbours: allowing(sefin.ByValue),
	},
	"a value where the city admits documents": {
		codes: "E0446", breaks: []change{deducting("<vDR>1.00</vDR>")},
		keeps: []change{documents(receipt("1.00"))}, registry: allowing(sefin.ByDocuments),
	},
	"documents where the city admits a value": {
		codes: "E0449", breaks: []change{documents(receipt("1.00"))},
		keeps: []change{deducting("<vDR>1.00</vDR>")}, registry: allowing(sefin.ByValue),
	},
	"a percentage where the city admits a value": {
		codes: "E0454", breaks: []change{deducting("<pDR>1.00</pDR>")},
		keeps: []change{deducting("<pDR>1.00</pDR>")}, registry: allowing(sefin.ByValue),
		neighbours: allowing(sefin.ByValue, sefin.ByPercent),
	},
	"a deduction within Simples": {
		codes: "E0441", breaks: []change{microOrSmall, simplified, deducting("<vDR>1.00</vDR>")},
		keeps: changes(microOrSmall, simplified, works, deducting("<vDR>1.00</vDR>")),
	},
	"a deduction within Simples, inactive": {
		codes:    "E0442",
		breaks:   with(performedThere, microOrSmall, simplified, deducting("<vDR>1.00</vDR>")),
		keeps:    changes(works, performedInCampinas, microOrSmall, simplified, deducting("<vDR>1.00</vDR>")),
		registry: &inactive,
	},
	"a percentage of nothing": {
		codes: "E0453", breaks: []change{deducting("<pDR>0</pDR>")}, keeps: []change{deducting("<pDR>0.01</pDR>")},
		registry: rioAt(500),
	},
	"a percentage of more than everything": {
		codes: "E0453", breaks: changes(works, deducting("<pDR>100.01</pDR>")),
		keeps: changes(works, deducting("<pDR>100.00</pDR>")),
	},
}

// performedInCampinas is where a service is performed.
var performedInCampinas = change{"<cLocPrestacao>3304557<", "<cLocPrestacao>3509502<"}

func documents(all ...string) change {
	return deducting("<documentos>" + strings.Join(all, "") + "</documentos>")
}

// document is by what, what is said of it, and how much of it is used; its supplier comes last.
func document(key, kind, amount, supplier string) string {
	return "<docDedRed>" + key + kind + "<dtEmiDoc>2026-11-03</dtEmiDoc>" +
		"<vDedutivelRedutivel>1500.00</vDedutivelRedutivel><vDeducaoReducao>" + amount + "</vDeducaoReducao>" +
		supplier + "</docDedRed>"
}

func receipt(amount string) string {
	return document("<nDoc>42</nDoc>", "<tpDedRed>2</tpDedRed>", amount, supplier("<CNPJ>"+taker+"</CNPJ>"))
}

func supplier(identity string) string {
	return "<fornec>" + identity + "<xNome>F</xNome>" + providerAddress + "</fornec>"
}

// invoice is the key of an NF-e, with the check digit given.
func invoice(digit string) string {
	return "<chNFe>3326114455667700018855001000000001123456789" + digit + "</chNFe>"
}

const otherNote = "<chNFSe>33045572211222333000181000000000001226111234567894</chNFSe>"

var withOtherNote, withInvoice = byKey(otherNote), byKey(invoice("7"))

func byKey(key string) []change {
	return []change{documents(document(key, "<tpDedRed>2</tpDedRed>", "1.00", ""))}
}

var otherNoteKey = strings.TrimSuffix(strings.TrimPrefix(otherNote, "<chNFSe>"), "</chNFSe>")
var invoiceKey = strings.TrimSuffix(strings.TrimPrefix(invoice("7"), "<chNFe>"), "</chNFe>")

var documentRules = map[string]ruleCase{
	"a key of an NFS-e that is none": {
		codes: "E0455", breaks: byKey(strings.Replace(otherNote, "4</", "5</", 1)), keeps: withOtherNote,
		registry: rioAt(500),
	},
	"an NFS-e that does not exist": {
		codes: "E0456", breaks: withOtherNote, keeps: withOtherNote, neighbours: rioAt(500),
		registry: &sefin.Registry{ISSRate: 500, MissingDocuments: []string{otherNoteKey}},
	},
	"an NFS-e that is cancelled": {
		codes: "E0458", breaks: withOtherNote, keeps: withOtherNote, neighbours: rioAt(500),
		registry: &sefin.Registry{ISSRate: 500, CancelledDocuments: []string{otherNoteKey}},
	},
	"a key of an NF-e that is none": {
		codes: "E0460", breaks: byKey(invoice("8")), keeps: withInvoice, registry: rioAt(500),
	},
	"an NF-e that does not exist": {
		codes: "E0462", breaks: withInvoice, keeps: withInvoice, neighbours: rioAt(500),
		registry: &sefin.Registry{ISSRate: 500, MissingDocuments: []string{invoiceKey}},
	},
	"an NF-e that is cancelled": {
		codes: "E0464", breaks: withInvoice, keeps: withInvoice, neighbours: rioAt(500),
		registry: &sefin.Registry{ISSRate: 500, CancelledDocuments: []string{invoiceKey}},
	},
	"a municipal note of no municipality": {
		codes: "E0466", breaks: []change{documents(municipalNote("3304558"))},
		keeps: []change{documents(municipalNote("3304557"))}, registry: rioAt(500),
	},
	"others without a description": {
		codes: "E0468", breaks: []change{documents(ofKind("<tpDedRed>99</tpDedRed>"))},
		keeps:    []change{documents(ofKind("<tpDedRed>99</tpDedRed><xDescOutDed>D</xDescOutDed>"))},
		registry: rioAt(500),
	},
	"a description of what is not others": {
		codes: "E0470", breaks: []change{documents(ofKind("<tpDedRed>1</tpDedRed><xDescOutDed>D</xDescOutDed>"))},
		keeps: []change{documents(ofKind("<tpDedRed>1</tpDedRed>"))}, registry: rioAt(500),
	},
	"a document of later than the service": {
		codes: "E0472", breaks: []change{documents(receipt("1.00")), {"2026-11-03", "2026-11-22"}},
		keeps: []change{documents(receipt("1.00")), {"2026-11-03", "2026-11-21"}}, registry: rioAt(500),
	},
	"more than can be deducted": {
		codes:  "E0474",
		breaks: []change{documents(receipt("2.00")), {"<vDedutivelRedutivel>1500.00", "<vDedutivelRedutivel>1.99"}},
		keeps:  []change{documents(receipt("2.00")), {"<vDedutivelRedutivel>1500.00", "<vDedutivelRedutivel>2.00"}},

		registry: rioAt(500),
	},
	"more than the price": {
		codes: "E0476",
		breaks: changes(works, documents(receipt("1500.01")),
			change{"<vDedutivelRedutivel>1500.00", "<vDedutivelRedutivel>1500.01"}),
		keeps: changes(works, documents(receipt("1500.00"))),
	},
	"a document without its supplier": {
		codes:  "E0477",
		breaks: []change{documents(document("<nDocFisc>1</nDocFisc>", "<tpDedRed>1</tpDedRed>", "1.00", ""))},
		keeps: []change{documents(document("<nDocFisc>1</nDocFisc>", "<tpDedRed>1</tpDedRed>", "1.00",
			supplier("<CNPJ>"+taker+"</CNPJ>")))},
		registry: rioAt(500),
	},
}

func ofKind(kind string) string {
	return document("<nDoc>42</nDoc>", kind, "1.00", supplier("<CNPJ>"+taker+"</CNPJ>"))
}

func municipalNote(municipality string) string {
	key := "<NFSeMun><cMunNFSeMun>" + municipality + "</cMunNFSeMun><nNFSeMun>000000000000001</nNFSeMun>" +
		"<cVerifNFSeMun>ABC123</cVerifNFSeMun></NFSeMun>"
	return document(key, "<tpDedRed>1</tpDedRed>", "1.00", supplier("<CNPJ>"+taker+"</CNPJ>"))
}

// supplied is a document with a supplier, changed.
func supplied(identity string, more ...change) []change {
	return append([]change{documents(document("<nDoc>42</nDoc>", "<tpDedRed>1</tpDedRed>", "1.00",
		strings.Replace(supplier(identity), providerAddress, supplierAddress, 1)))}, more...)
}

const (
	supplierAddress = "<end><endNac><cMun>3304557</cMun><CEP>20040021</CEP></endNac>" +
		"<xLgr>F</xLgr><nro>1</nro><xBairro>C</xBairro></end>"
	american = "<endExt><cPais>US</cPais><cEndPost>94105</cEndPost><xCidade>San Francisco</xCidade>" +
		"<xEstProvReg>CA</xEstProvReg></endExt>"
)

// supplierAbroad turns the supplier's address into one in America.
var supplierAbroad = change{"<endNac><cMun>3304557</cMun><CEP>20040021</CEP></endNac>", american}

var supplierRules = map[string]ruleCase{
	"a wrong CNPJ of a supplier": {
		codes: "E0478", breaks: supplied("<CNPJ>11444777000162</CNPJ>"), keeps: supplied("<CNPJ>" + taker + "</CNPJ>"),
		registry: rioAt(500),
	},
	"an unknown CNPJ of a supplier": {
		codes: "E0482", breaks: supplied("<CNPJ>11222333000262</CNPJ>"), keeps: supplied("<CNPJ>" + taker + "</CNPJ>"),
		registry: &sefin.Registry{ISSRate: 500, UnknownTakers: []string{"11222333000262"}},
	},
	"a wrong CPF of a supplier": {
		codes: "E0484", breaks: supplied("<CPF>52998224726</CPF>"), keeps: supplied(cpfTaker), registry: rioAt(500),
	},
	"an unknown CPF of a supplier": {
		codes: "E0488", breaks: supplied(cpfTaker), keeps: supplied("<CPF>00000000191</CPF>"),
		registry: &sefin.Registry{ISSRate: 500, UnknownTakers: []string{person}},
	},
	"a supplier without a number for no reason": {
		codes: "E0490", breaks: supplied("<cNaoNIF>0</cNaoNIF>", supplierAbroad),
		keeps: supplied("<cNaoNIF>1</cNaoNIF>", supplierAbroad), registry: rioAt(500),
	},
	"a Brazilian supplier without an address": {
		codes: "E0492", breaks: supplied(cpfTaker, change{supplierAddress, ""}), keeps: supplied(cpfTaker),
		registry: rioAt(500),
	},
	"a supplier in no municipality": {
		codes:  "E0494",
		breaks: supplied(cpfTaker, change{"<cMun>3304557</cMun><CEP>20040021", "<cMun>3304558</cMun><CEP>20040021"}),
		keeps:  supplied(cpfTaker), registry: rioAt(500),
	},
	"a supplier by the CEP of another state": {
		codes: "E0496", breaks: supplied(cpfTaker, change{"20040021", "01310100"}), keeps: supplied(cpfTaker),
		registry: rioAt(500),
	},
	"a supplier with a NIF and without an address abroad": {
		codes: "E0498", breaks: supplied("<NIF>98-1</NIF>"), keeps: supplied("<NIF>98-1</NIF>", supplierAbroad),
		registry: rioAt(500),
	},
	"a supplier abroad in Brazil": {
		codes: "E0499", breaks: supplied("<NIF>98-1</NIF>", supplierAbroad, change{"<cPais>US", "<cPais>BR"}),
		keeps: supplied("<NIF>98-1</NIF>", supplierAbroad), registry: rioAt(500),
	},
	"a supplier abroad with a CPF": {
		codes: "E0492 E1538", breaks: supplied(cpfTaker, supplierAbroad),
		keeps: supplied("<cNaoNIF>2</cNaoNIF>", supplierAbroad), registry: rioAt(500),
	},
}
