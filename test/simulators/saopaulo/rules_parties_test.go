package saopaulo_test

import (
	"strings"
	"testing"

	"emissor/test/simulators/saopaulo"
)

// aPerson is a taker with a CPF.
var (
	aPerson     = change{"<CNPJ>" + taker + "</CNPJ>", "<CPF>52998224725</CPF>"}
	saidAPerson = change{"2" + taker, "100052998224725"}
)

func TestRules_OfTheTakersAddress(t *testing.T) {
	const street, number, district = "<Logradouro>Rua das Flores</Logradouro>",
		"<NumeroEndereco>100</NumeroEndereco>", "<Bairro>Centro</Bairro>"
	lacks := func(element string) []change { return []change{{element, ""}} }
	expectCodes(t, map[string]ruleTest{
		"of a company, without a street":   {changes: lacks(street), codes: "252"},
		"of a company, without a number":   {changes: lacks(number), codes: "253"},
		"of a company, without a district": {changes: lacks(district), codes: "251"},
		"of a company, a blank district":   {changes: []change{{">Centro<", "> <"}}, codes: "251"},
		"of a company, without any":        {changes: lacks(street + number + district), codes: "317"},
		"of a person, without a street": {
			changes: []change{aPerson, {street, ""}}, text: []change{saidAPerson},
		},
		"a CEP of another state":        {changes: []change{{"<CEP>1001000", "<CEP>20040002"}}, codes: "342"},
		"a CEP of another municipality": {changes: []change{{"<CEP>1001000", "<CEP>13010000"}}},
	})
}

func TestRules_OfOtherAddresses(t *testing.T) {
	for of, made := range map[string]func(address string) ruleTest{
		"destinatário": func(address string) ruleTest {
			return ruleTest{changes: []change{{
				"<indDest>0</indDest>", "<indDest>1</indDest><dest><CNPJ>" + taker + "</CNPJ><xNome>X</xNome><end>" +
					strings.Replace(address, "<CEP>", "<endNac><cMun>3550308</cMun><CEP>", 1) + "</end></dest>",
			}}}
		},
		"evento": func(address string) ruleTest {
			return ruleTest{changes: []change{{"100301", "040101"}, {
				"<cLocPrestacao>", "<atvEvento><xNomeEvt>X</xNomeEvt><dtIniEvt>2026-11-20</dtIniEvt>" +
					"<dtFimEvt>2026-11-20</dtFimEvt><end>" + address + "</end></atvEvento><cLocPrestacao>",
			}}}
		},
		"imóvel": func(address string) ruleTest { return property("<end>" + address + "</end>") },
	} {
		t.Run(of, func(t *testing.T) {
			whole := func(changes ...change) ruleTest {
				address := "<CEP>1001000</CEP><xLgr>Rua Um</xLgr><nro>1</nro><xBairro>Centro</xBairro>"
				if of == "destinatário" {
					address = strings.Replace(address, "</CEP>", "</CEP></endNac>", 1)
				}
				for _, change := range changes {
					address = strings.Replace(address, change.from, change.to, 1)
				}
				return made(address)
			}
			with := func(codes string, changes ...change) ruleTest {
				test := whole(changes...)
				test.codes = codes
				return test
			}
			tests := map[string]ruleTest{
				"whole":            whole(),
				"a blank street":   with("252", change{"Rua Um", " "}),
				"a blank number":   with("253", change{">1<", "> <"}),
				"a blank district": with("251", change{"Centro", " "}),
				"of another state": with("260", change{"1001000", "20040002"}),
			}
			expectCodes(t, tests)
		})
	}
}

func TestRules_OfTheTakersRegistrations(t *testing.T) {
	registered := func(taxID string, more ...saopaulo.Taxpayer) saopaulo.Registry {
		registry := saopaulo.Registry{Taxpayers: map[string]saopaulo.Taxpayer{"32000000": {TaxID: taxID}}}
		for _, taxpayer := range more {
			taxpayer.TaxID = taxID
			registry.Taxpayers["33000000"] = taxpayer
		}
		return registry
	}
	twice := registered(taker, saopaulo.Taxpayer{})
	named := change{
		"<RazaoSocialTomador>",
		"<InscricaoMunicipalTomador>33000000</InscricaoMunicipalTomador><RazaoSocialTomador>",
	}
	elsewhere := []change{livesInRio, renderedInRio}
	expectCodes(t, map[string]ruleTest{
		"one":                         {registry: registered(taker)},
		"two":                         {registry: twice, codes: "220"},
		"two, one of which is named":  {registry: twice, changes: []change{named}},
		"two, one of which cancelled": {registry: registered(taker, saopaulo.Taxpayer{Cancelled: true})},
		"two of a person": {
			registry: registered("52998224725", saopaulo.Taxpayer{}), changes: []change{aPerson},
			text: []change{saidAPerson}, codes: "220",
		},
		"one, and an address elsewhere":  {registry: registered(taker), changes: elsewhere, codes: "221"},
		"none, and an address elsewhere": {changes: elsewhere},
	})
}
