package sefin_test

import (
	"net/http"
	"testing"

	"emissor/test/simulators/sefin"
)

// The changes that turn the valid document into others.
var (
	microOrSmall = change{"<opSimpNac>1</opSimpNac>", "<opSimpNac>3</opSimpNac><regApTribSN>1</regApTribSN>"}
	mei          = change{"<opSimpNac>1<", "<opSimpNac>2<"}
	withheld     = change{"<tpRetISSQN>1<", "<tpRetISSQN>2<"}
	special      = change{"<regEspTrib>0<", "<regEspTrib>4<"}
	simplified   = totals("<pTotTribSN>6.00</pTotTribSN>")

	withoutAddress = change{"<end><endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac>" +
		"<xLgr>Rua da Assembleia</xLgr><nro>10</nro><xBairro>Centro</xBairro></end>", ""}
)

func totals(group string) change { return change{percentages, group} }

func rate(value string) change {
	return change{"</tpRetISSQN>", "</tpRetISSQN><pAliq>" + value + "</pAliq>"}
}

// consumption adds the group IBSCBS.
func consumption(operation, recipient string) change {
	const values = "<valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores>"
	group := "<IBSCBS><finNFSe>0</finNFSe><cIndOp>" + operation + "</cIndOp>" + recipient + values + "</IBSCBS>"
	return change{"</valores></infDPS>", "</valores>" + group + "</infDPS>"}
}

const (
	cpfTaker        = "<CPF>" + person + "</CPF>"
	providerAddress = "<end><endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac>" +
		"<xLgr>R</xLgr><nro>1</nro><xBairro>C</xBairro></end>"
	aboutAnEvent = "<atvEvento><xNome>E</xNome><dtIni>2026-01-01</dtIni><dtFim>2026-01-02</dtFim>" +
		"<idAtvEvt>1</idAtvEvt></atvEvento>"
)

// municipal moves a DPS to another municipality, with its Id.
func municipal(code string) []change {
	return []change{{"DPS3304557", "DPS" + code}, {"<cLocEmi>3304557<", "<cLocEmi>" + code + "<"}}
}

// none is a registration that is known not to exist; some is one.
var none, some = "", "998877"

// inactive is a registry in which the issuer's municipality has no active
// agreement. Only an MEI can issue there, so that it is the place of works.
var inactive = sefin.Registry{Municipalities: map[string]sefin.Agreement{"3509502": {Inactive: true}}}

// performedThere is a service that is due where it is performed, in Campinas.
var performedThere = []change{
	{"<cLocPrestacao>3304557<", "<cLocPrestacao>3509502<"}, {"<cTribNac>010701<", "<cTribNac>110201<"},
}

func with(more []change, changes ...change) []change { return append(changes, more...) }

func TestDPSRules(t *testing.T) {
	taxpayer := func(record sefin.Taxpayer) sefin.Registry {
		return sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{issuer: record}}
	}
	agreement := func(agreed sefin.Agreement) sefin.Registry {
		return sefin.Registry{Municipalities: map[string]sefin.Agreement{"3304557": agreed}}
	}
	simulator, c := startWithIssuer(t)
	number := 0
	for name, test := range map[string]struct {
		changes  []change
		registry sefin.Registry
		codes    string // empty: it is issued
	}{
		"a valid document":         {},
		"the Id of another number": {changes: []change{{"<nDPS>", "<nDPS>9"}}, codes: "E0004"},
		"the Id of a CPF": {
			changes: []change{{"DPS33045572" + issuer, "DPS33045571000" + person}}, codes: "E0004",
		},
		"production": {changes: []change{{"<tpAmb>2", "<tpAmb>1"}}, codes: "E0006"},
		"a series of web issuers": {
			changes: []change{{"00001000", "70000000"}, {"<serie>1<", "<serie>70000<"}}, codes: "E0010",
		},
		"series 0":           {changes: []change{{"00001000", "00000000"}, {"<serie>1<", "<serie>0<"}}, codes: "E0010"},
		"a second too early": {changes: []change{{"08:00:00-03:00", "09:00:01-03:00"}}, codes: "E0008"},
		"in the same second": {changes: []change{{"08:00:00-03:00", "09:00:00-03:00"}}},
		"competence tomorrow": {
			changes: []change{{"<dCompet>2026-11-21", "<dCompet>2026-11-22"}}, codes: "E0015",
		},
		"before the agreement": {
			changes: []change{{"<dCompet>2026-11-21", "<dCompet>2021-12-31"}}, codes: "E0016",
		},
		"no such municipality":     {changes: municipal("9999999"), codes: "E0037"},
		"a municipality without":   {registry: agreement(sefin.Agreement{Absent: true}), codes: "E0037"},
		"an inactive municipality": {registry: agreement(sefin.Agreement{Inactive: true}), codes: "E0038"},
		"an MEI there":             {registry: agreement(sefin.Agreement{Inactive: true}), changes: []change{mei}},
		"a city with its own":      {registry: agreement(sefin.Agreement{OwnIssuer: true}), codes: "E0039"},
		"an MEI in one":            {registry: agreement(sefin.Agreement{OwnIssuer: true}), changes: []change{mei}},
		"São Paulo":                {changes: municipal("3550308"), codes: "E0084"},
		"São Paulo, an MEI":        {changes: append(municipal("3550308"), mei)},
		"São Paulo, an EPP":        {changes: append(municipal("3550308"), microOrSmall, simplified)},
		"São Paulo, by its record": {
			changes:  append(municipal("3550308"), change{"<regTrib>", "<IM>998877</IM><regTrib>"}),
			registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &some}),
		},
		"São Paulo, when it may": {
			changes:  municipal("3550308"),
			registry: sefin.Registry{Municipalities: map[string]sefin.Agreement{"3550308": {}}},
		},
		"a wrong CNPJ of the provider": {
			changes: []change{{issuer, "11222333000182"}, {"<CNPJ>" + issuer, "<CNPJ>11222333000182"}},
			codes:   "E0080",
		},
		"a name of the provider": {
			changes: []change{{"<regTrib>", "<xNome>Eu</xNome><regTrib>"}}, codes: "E0121",
		},
		"an address of the provider": {
			changes: []change{{"<regTrib>", providerAddress + "<regTrib>"}}, codes: "E0128",
		},
		"before the company":    {registry: taxpayer(sefin.Taxpayer{Since: "2026-11-22"}), codes: "E0018"},
		"established elsewhere": {registry: taxpayer(sefin.Taxpayer{Municipality: "3509502"}), codes: "E0084"},
		"a missing IM":          {registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &some}), codes: "E0116"},
		"a superfluous IM": {
			registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &none}),
			changes:  []change{{"<regTrib>", "<IM>1</IM><regTrib>"}}, codes: "E0120",
		},
		"the right IM": {
			registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &some}),
			changes:  []change{{"<regTrib>", "<IM>998877</IM><regTrib>"}},
		},
		"another Simples option": {registry: taxpayer(sefin.Taxpayer{Simples: "3"}), codes: "E0160"},
		"a regime without Simples": {
			changes: []change{{"</opSimpNac>", "</opSimpNac><regApTribSN>1</regApTribSN>"}}, codes: "E0162",
		},
		"Simples without a regime":   {changes: []change{{"<opSimpNac>1<", "<opSimpNac>3<"}}, codes: "E0166"},
		"an MEI with special regime": {changes: []change{mei, special}, codes: "E0174"},
		"an ME with special regime":  {changes: []change{microOrSmall, special, simplified}, codes: "E0175"},
		"a special regime":           {changes: []change{special}},
		"a wrong CNPJ of the taker":  {changes: []change{{taker, "11444777000162"}}, codes: "E0188"},
		"an unknown CNPJ":            {registry: sefin.Registry{UnknownTakers: []string{taker}}, codes: "E0190"},
		"the issuer as its taker":    {changes: []change{{taker, issuer}}, codes: "E0202"},
		"another establishment":      {changes: []change{{taker, "11222333000262"}}},
		"withheld by nobody known": {
			changes: []change{withheld, {"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"}}, codes: "E0204",
		},
		"a wrong CPF of the taker": {
			changes: []change{{"<CNPJ>" + taker + "</CNPJ>", "<CPF>52998224726</CPF>"}}, codes: "E0206",
		},
		"an unknown CPF": {
			changes:  []change{{"<CNPJ>" + taker + "</CNPJ>", cpfTaker}},
			registry: sefin.Registry{UnknownTakers: []string{person}}, codes: "E0207",
		},
		"a CPF": {changes: []change{{"<CNPJ>" + taker + "</CNPJ>", cpfTaker}}},
		"a CPF that may not withhold": {
			changes:  []change{withheld, {"<CNPJ>" + taker + "</CNPJ>", cpfTaker}},
			registry: sefin.Registry{RefuseCPFWithholding: true}, codes: "E0667",
		},
		"due at an unknown place":     {changes: []change{{"010701", "170501"}, withoutAddress}, codes: "E0234"},
		"withheld without an address": {changes: []change{withheld, withoutAddress}, codes: "E0237"},
		"no such city of the taker":   {changes: []change{{"<cMun>3304557", "<cMun>3304558"}}, codes: "E0238"},
		"a CEP of another state":      {changes: []change{{"20040020", "01310100"}}, codes: "E0240"},
		"a CEP that is refused": {registry: sefin.Registry{PostalCodeOf: func(cep, municipality string) bool {
			return cep != "20040020" || municipality != "3304557"
		}}, codes: "E0240"},
		"an e-mail without a domain": {
			changes: []change{{"fiscal@example.com", "fiscal@example"}}, codes: "E0247",
		},
		"no such place": {
			changes: []change{{"<cLocPrestacao>3304557<", "<cLocPrestacao>3304558<"}}, codes: "E0302",
		},
		"at sea":          {changes: []change{{"<cLocPrestacao>3304557<", "<cLocPrestacao>0000000<"}}},
		"no such service": {changes: []change{{"010701", "010702"}}, codes: "E0310"},
		"municipal code 000": {
			changes: []change{{"</cTribNac>", "</cTribNac><cTribMun>000</cTribMun>"}}, codes: "E0315",
		},
		"municipal code":      {changes: []change{{"</cTribNac>", "</cTribNac><cTribMun>001</cTribMun>"}}},
		"no such NBS":         {changes: []change{{"115013000", "215013000"}}, codes: "E0316"},
		"works without works": {changes: []change{{"010701", "070201"}}, codes: "E0370"},
		"works with works": {
			changes: []change{{"010701", "070201"}, {"</cServ>", "</cServ><obra><cObra>1</cObra></obra>"}},
		},
		"works without a need": {
			changes: []change{{"</cServ>", "</cServ><obra><cObra>1</cObra></obra>"}}, codes: "E0372",
		},
		"an event without event": {changes: []change{{"010701", "120101"}}, codes: "E0390"},
		"an event without a need": {
			changes: []change{{"</cServ>", "</cServ>" + aboutAnEvent}}, codes: "E0392",
		},
		"withheld of an MEI":         {changes: []change{withheld, mei}, codes: "E0583"},
		"withheld, special regime":   {changes: []change{withheld, special}, codes: "E0588"},
		"a rate above 5 %":           {changes: with(performedThere, rate("5.01")), registry: inactive, codes: "E0595"},
		"a rate of an MEI":           {changes: []change{mei, rate("2.00")}, codes: "E0600"},
		"a rate of a special regime": {changes: []change{special, rate("2.00")}, codes: "E0604"},
		"a rate":                     {changes: []change{rate("2.00")}, codes: "E0617"},
		"no rate, inactive":          {changes: performedThere, registry: inactive, codes: "E0619"},
		"a rate, inactive":           {changes: with(performedThere, rate("2.00")), registry: inactive},
		"an ME withheld without a rate": {
			changes: []change{microOrSmall, simplified, withheld}, codes: "E0621",
		},
		"an ME withheld below 1.80": {
			changes: []change{microOrSmall, simplified, withheld, rate("1.79")}, codes: "E0621",
		},
		"an ME withheld":    {changes: []change{microOrSmall, simplified, withheld, rate("1.80")}},
		"an ME with a rate": {changes: []change{microOrSmall, simplified, rate("2.00")}, codes: "E0625"},
		"an ME":             {changes: []change{microOrSmall, simplified}},
		"an ME withheld, inactive": {
			changes: with(performedThere, microOrSmall, simplified, withheld), registry: inactive, codes: "E0628",
		},
		"an ME with a rate, inactive": {
			changes: with(performedThere, microOrSmall, simplified, rate("2.00")), registry: inactive,
			codes: "E0631",
		},
		"an ME outside, with a rate": {
			changes: []change{microOrSmall, {"<regApTribSN>1", "<regApTribSN>2"}, simplified, rate("2.00")},
			codes:   "E0635",
		},
		"an ME outside, inactive": {
			changes:  with(performedThere, microOrSmall, change{"<regApTribSN>1", "<regApTribSN>3"}, simplified),
			registry: inactive, codes: "E0640",
		},
		"an MEI says pTotTribSN": {changes: []change{mei, simplified}, codes: "E0710"},
		"an ME says indTotTrib": {
			changes: []change{microOrSmall, totals("<indTotTrib>0</indTotTrib>")}, codes: "E0712",
		},
		"others say indTotTrib":  {changes: []change{totals("<indTotTrib>0</indTotTrib>")}, codes: "E0713"},
		"others say pTotTribSN":  {changes: []change{simplified}, codes: "E0713"},
		"an MEI says indTotTrib": {changes: []change{mei, totals("<indTotTrib>0</indTotTrib>")}},
		"IBS and CBS":            {changes: []change{consumption("100301", "<indDest>0</indDest>")}},
		"IBS and CBS without NBS": {
			changes: []change{{"<cNBS>115013000</cNBS>", ""}, consumption("100301", "<indDest>0</indDest>")},
			codes:   "E0322",
		},
		"IBS and CBS of 2025": {
			changes: []change{
				{"<dCompet>2026-11-21", "<dCompet>2025-12-31"}, consumption("100301", "<indDest>0</indDest>"),
			},
			codes: "E0850",
		},
		"no such operation": {
			changes: []change{consumption("000000", "<indDest>0</indDest>")}, codes: "E0901",
		},
		"a recipient that is not to be said": {
			changes: []change{
				consumption("100301", "<indDest>0</indDest><dest>"+cpfTaker+"<xNome>D</xNome></dest>"),
			},
			codes: "E0910",
		},

		"two things at once": {
			changes: []change{{"20040020", "01310100"}, {"fiscal@example.com", "fiscal"}}, codes: "E0240 E0247",
		},
	} {
		t.Run(name, func(t *testing.T) {
			number++
			simulator.SetRegistry(test.registry)
			answer := c.issue(c.dps(number, test.changes...))
			if answer.codes() != test.codes {
				t.Errorf("codes %q, want %q: %s", answer.codes(), test.codes, answer.text)
			}
			want := http.StatusCreated
			if test.codes != "" {
				want = http.StatusBadRequest
			}
			if answer.status != want {
				t.Errorf("status %d, want %d", answer.status, want)
			}
		})
	}
}

// What is valid and not simulated is neither issued nor rejected.
func TestNotSimulated(t *testing.T) {
	simulator, c := startWithIssuer(t)
	for name, changed := range map[string][]change{
		"a provider with NIF":    {{"<prest><CNPJ>" + issuer + "</CNPJ>", "<prest><NIF>1</NIF>"}},
		"a provider without NIF": {{"<prest><CNPJ>" + issuer + "</CNPJ>", "<prest><cNaoNIF>1</cNaoNIF>"}},
		"a deduction in percent beside a discount": {
			inside("vServPrest", discounted("100.00", "")+"<vDedRed><pDR>10.00</pDR></vDedRed>"),
		},
		"a benefit in percent beside a deduction": {
			inside("vServPrest", "<vDedRed><vDR>10.00</vDR></vDedRed>"), granted("<pRedBCBM>10.00</pRedBCBM>"),
		},
		"a suspended tax, withheld": {suspended, withheld},
	} {
		t.Run(name, func(t *testing.T) {
			if answer := c.issue(c.dps(1, changed...)); answer.status != http.StatusNotImplemented {
				t.Errorf("%d %s", answer.status, answer.text)
			}
		})
	}
	if n := len(simulator.Ledger()); n != 0 {
		t.Errorf("%d notes were issued", n)
	}
}
