package sefin_test

import (
	"strings"

	"emissor/test/simulators/sefin"
)

// broker adds an intermediary in Rio with an identity, whose address can be another.
func broker(identity string, more ...change) change {
	group := "<interm>" + identity + "<xNome>Plataforma</xNome>" + supplierAddress + "</interm>"
	for _, c := range more {
		group = strings.Replace(group, c.from, c.to, 1)
	}
	return inside("toma", group)
}

const platform = "<CNPJ>12345678000195</CNPJ>"

var (
	brokerAbroad     = broker("<NIF>98-1</NIF>", supplierAbroad)
	brokerWithholds  = change{"<tpRetISSQN>1<", "<tpRetISSQN>3<"}
	withoutItsStreet = change{supplierAddress, ""}
)

var intermediaryRules = map[string]ruleCase{
	"a wrong CNPJ of an intermediary": {
		codes: "E0248", breaks: []change{broker("<CNPJ>12345678000196</CNPJ>")}, keeps: []change{broker(platform)},
	},
	"an unknown CNPJ of an intermediary": {
		codes: "E0250", breaks: []change{broker(platform)}, keeps: []change{broker(cpfTaker)},
		registry: &sefin.Registry{UnknownTakers: []string{"12345678000195"}},
	},
	"the provider's company as its intermediary": {
		codes: "E0262", breaks: []change{broker("<CNPJ>11222333000262</CNPJ>")}, keeps: []change{broker(platform)},
	},
	"withheld by an intermediary that is not known": {
		codes: "E0264", breaks: []change{broker("<cNaoNIF>1</cNaoNIF>"), brokerWithholds},
		keeps: []change{broker(platform), brokerWithholds},
	},
	"withheld by an intermediary that is not there": {
		codes: "E0264 E0293", breaks: []change{brokerWithholds}, keeps: []change{broker(platform), brokerWithholds},
	},
	"a wrong CPF of an intermediary": {
		codes: "E0266", breaks: []change{broker("<CPF>52998224726</CPF>")}, keeps: []change{broker(cpfTaker)},
	},
	"an unknown CPF of an intermediary": {
		codes: "E0268", breaks: []change{broker(cpfTaker)}, keeps: []change{broker(platform)},
		registry: &sefin.Registry{UnknownTakers: []string{person}},
	},
	"an intermediary abroad with a CPF": {
		codes: "E0281", breaks: []change{broker(cpfTaker, supplierAbroad), trade()},
		keeps: []change{brokerAbroad, trade()},
	},
	"an intermediary without a number for no reason": {
		codes: "E0286", breaks: []change{broker("<cNaoNIF>0</cNaoNIF>")},
		keeps: []change{broker("<cNaoNIF>2</cNaoNIF>")},
	},
	"withheld by an intermediary without an address": {
		codes: "E0293", breaks: []change{broker(platform, withoutItsStreet), brokerWithholds},
		keeps: []change{broker(platform, withoutItsStreet)},
	},
	"an intermediary in no municipality": {
		codes: "E0294", breaks: []change{broker(platform, change{"<cMun>3304557", "<cMun>3304558"})},
		keeps: []change{broker(platform)},
	},
	"an intermediary by the CEP of another state": {
		codes: "E0296", breaks: []change{broker(platform, change{"20040021", "01310100"})},
		keeps: []change{broker(platform)},
	},
	"an intermediary with a NIF and without an address abroad": {
		codes: "E0298", breaks: []change{broker("<NIF>98-1</NIF>")}, keeps: []change{brokerAbroad, trade()},
	},
	"an intermediary abroad in Brazil": {
		codes: "E0299", breaks: []change{brokerAbroad, trade(), {"<cPais>US", "<cPais>BR"}},
		keeps: []change{brokerAbroad, trade()},
	},
	"an e-mail of an intermediary without a domain": {
		codes: "E0300", breaks: []change{broker(platform, change{"</end>", "</end><email>a@b</email>"})},
		keeps: []change{broker(platform, change{"</end>", "</end><email>a@b.com</email>"})},
	},
	"an intermediary's CPF that may not withhold": {
		codes: "E0670", breaks: []change{broker(cpfTaker), brokerWithholds},
		keeps:    []change{broker(platform), brokerWithholds},
		registry: &sefin.Registry{RefuseCPFWithholding: true},
	},
}
