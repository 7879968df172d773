package sefin_test

import (
	"bytes"
	"crypto"
	"crypto/tls"
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/simulators/sefin"
)

// What tests turn one valid document into another with.
var (
	microOrSmall = change{"<opSimpNac>1</opSimpNac>", "<opSimpNac>3</opSimpNac><regApTribSN>1</regApTribSN>"}
	mei          = change{"<opSimpNac>1<", "<opSimpNac>2<"}
	withheld     = change{"<tpRetISSQN>1<", "<tpRetISSQN>2<"}
	exported     = change{"<tribISSQN>1<", "<tribISSQN>3<"}
	special      = change{"<regEspTrib>0<", "<regEspTrib>4<"}
	simplified   = totals("<pTotTribSN>6.00</pTotTribSN>")

	withoutAddress = change{"<end><endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac>" +
		"<xLgr>Rua da Assembleia</xLgr><nro>10</nro><xBairro>Centro</xBairro></end>", ""}
)

func totals(group string) change {
	return change{"<pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>2.90</pTotTribMun></pTotTrib>", group}
}

func rate(value string) change {
	return change{"</tpRetISSQN>", "</tpRetISSQN><pAliq>" + value + "</pAliq>"}
}

func federal(group string) change {
	return change{"</tribMun>", "</tribMun><tribFed>" + group + "</tribFed>"}
}

func discount(group string) change {
	return change{"</vServPrest>", "</vServPrest><vDescCondIncond>" + group + "</vDescCondIncond>"}
}

func consumption(group string) change {
	return change{"</valores></infDPS>", "</valores><IBSCBS>" + group + "</IBSCBS></infDPS>"}
}

const (
	consumptionValues = "<valores><trib><gIBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib></gIBSCBS></trib></valores>"
	cpfTaker          = "<CPF>" + person + "</CPF>"
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

func TestRulesOfADPS(t *testing.T) {
	taxpayer := func(record sefin.Taxpayer) sefin.Registry {
		return sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{issuer: record}}
	}
	agreement := func(agreed sefin.Agreement) sefin.Registry {
		return sefin.Registry{Municipalities: map[string]sefin.Agreement{"3304557": agreed}}
	}
	authority, c := shop(t)
	number := 0
	for name, test := range map[string]struct {
		changes  []change
		registry sefin.Registry
		codes    string // empty: it is issued
	}{
		"a valid document": {},

		"the Id of another number": {changes: []change{{"<nDPS>", "<nDPS>9"}}, codes: "E0004"},
		"the Id of a CPF":          {changes: []change{{"DPS33045572" + issuer, "DPS33045571000" + person}}, codes: "E0004"},
		"production":               {changes: []change{{"<tpAmb>2", "<tpAmb>1"}}, codes: "E0006"},
		"a series of web issuers":  {changes: []change{{"00001000", "70000000"}, {"<serie>1<", "<serie>70000<"}}, codes: "E0010"},
		"series 0":                 {changes: []change{{"00001000", "00000000"}, {"<serie>1<", "<serie>0<"}}, codes: "E0010"},
		"issued by the taker":      {changes: []change{{"<tpEmit>1", "<tpEmit>2"}}, codes: "E9996"},
		"a provider with NIF":      {changes: []change{{"<CNPJ>" + issuer + "</CNPJ>", "<NIF>1</NIF>"}}, codes: "E0112"},
		"a provider without NIF":   {changes: []change{{"<CNPJ>" + issuer + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"}}, codes: "E0114"},

		"a second too early":           {changes: []change{{"08:00:00-03:00", "09:00:01-03:00"}}, codes: "E0008"},
		"in the same second":           {changes: []change{{"08:00:00-03:00", "09:00:00-03:00"}}},
		"competence tomorrow":          {changes: []change{{"<dCompet>2026-11-21", "<dCompet>2026-11-22"}}, codes: "E0015"},
		"before the agreement":         {changes: []change{{"<dCompet>2026-11-21", "<dCompet>2021-12-31"}}, codes: "E0016"},
		"no such municipality":         {changes: municipal("9999999"), codes: "E0037"},
		"a municipality without":       {registry: agreement(sefin.Agreement{Absent: true}), codes: "E0037"},
		"an inactive municipality":     {registry: agreement(sefin.Agreement{Inactive: true}), codes: "E0038"},
		"an MEI there":                 {registry: agreement(sefin.Agreement{Inactive: true}), changes: []change{mei}},
		"São Paulo":                    {changes: municipal("3550308"), codes: "E0039"},
		"São Paulo, when it may":       {changes: municipal("3550308"), registry: sefin.Registry{Municipalities: map[string]sefin.Agreement{"3550308": {}}}},
		"a wrong CNPJ of the provider": {changes: []change{{issuer, "11222333000182"}, {"<CNPJ>" + issuer, "<CNPJ>11222333000182"}}, codes: "E0080"},
		"a name of the provider":       {changes: []change{{"<regTrib>", "<xNome>Eu</xNome><regTrib>"}}, codes: "E0121"},
		"an address of the provider":   {changes: []change{{"<regTrib>", "<end><endNac><cMun>3304557</cMun><CEP>20040020</CEP></endNac><xLgr>R</xLgr><nro>1</nro><xBairro>C</xBairro></end><regTrib>"}}, codes: "E0128"},
		"before the company":           {registry: taxpayer(sefin.Taxpayer{Since: "2026-11-22"}), codes: "E0018"},
		"established elsewhere":        {registry: taxpayer(sefin.Taxpayer{Municipality: "3509502"}), codes: "E0084"},
		"a missing IM":                 {registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &some}), codes: "E0116"},
		"a superfluous IM":             {registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &none}), changes: []change{{"<regTrib>", "<IM>1</IM><regTrib>"}}, codes: "E0120"},
		"the right IM":                 {registry: taxpayer(sefin.Taxpayer{MunicipalRegistration: &some}), changes: []change{{"<regTrib>", "<IM>998877</IM><regTrib>"}}},
		"another Simples option":       {registry: taxpayer(sefin.Taxpayer{Simples: "3"}), codes: "E0160"},
		"a regime without Simples":     {changes: []change{{"</opSimpNac>", "</opSimpNac><regApTribSN>1</regApTribSN>"}}, codes: "E0162"},
		"Simples without a regime":     {changes: []change{{"<opSimpNac>1<", "<opSimpNac>3<"}}, codes: "E0166"},
		"exported, special regime":     {changes: []change{exported, special}, codes: "E0172"},
		"an MEI with special regime":   {changes: []change{mei, special}, codes: "E0174"},
		"an ME with special regime":    {changes: []change{microOrSmall, special, simplified}, codes: "E0175"},
		"a special regime":             {changes: []change{special}},
		"a wrong CNPJ of the taker":    {changes: []change{{taker, "11444777000162"}}, codes: "E0188"},
		"an unknown CNPJ":              {registry: sefin.Registry{UnknownTakers: []string{taker}}, codes: "E0190"},
		"a taker of the same company":  {changes: []change{{taker, "11222333000262"}}, codes: "E0202"},
		"withheld by nobody known":     {changes: []change{withheld, {"<CNPJ>" + taker + "</CNPJ>", "<NIF>1</NIF>"}}, codes: "E0204"},
		"a wrong CPF of the taker":     {changes: []change{{"<CNPJ>" + taker + "</CNPJ>", "<CPF>52998224726</CPF>"}}, codes: "E0206"},
		"an unknown CPF":               {changes: []change{{"<CNPJ>" + taker + "</CNPJ>", cpfTaker}}, registry: sefin.Registry{UnknownTakers: []string{person}}, codes: "E0207"},
		"a CPF":                        {changes: []change{{"<CNPJ>" + taker + "</CNPJ>", cpfTaker}}},
		"a CPF that may not withhold":  {changes: []change{withheld, {"<CNPJ>" + taker + "</CNPJ>", cpfTaker}}, registry: sefin.Registry{RefuseCPFWithholding: true}, codes: "E0667"},
		"due at an unknown place":      {changes: []change{{"010701", "170501"}, withoutAddress}, codes: "E0234"},
		"withheld without an address":  {changes: []change{withheld, withoutAddress}, codes: "E0237"},
		"no such city of the taker":    {changes: []change{{"<cMun>3304557", "<cMun>3304558"}}, codes: "E0238"},
		"a CEP of another state":       {changes: []change{{"20040020", "01310100"}}, codes: "E0240"},
		"a CEP that is refused": {registry: sefin.Registry{PostalCodeOf: func(cep, municipality string) bool {
			return cep != "20040020" || municipality != "3304557"
		}}, codes: "E0240"},
		"an e-mail without a domain": {changes: []change{{"fiscal@example.com", "fiscal@example"}}, codes: "E0247"},

		"no such place":            {changes: []change{{"<cLocPrestacao>3304557<", "<cLocPrestacao>3304558<"}}, codes: "E0302"},
		"at sea":                   {changes: []change{{"<cLocPrestacao>3304557<", "<cLocPrestacao>0000000<"}}},
		"abroad in Brazil":         {changes: []change{{"<cLocPrestacao>3304557</cLocPrestacao>", "<cPaisPrestacao>BR</cPaisPrestacao>"}}, codes: "E0304"},
		"no such service":          {changes: []change{{"010701", "010702"}}, codes: "E0310"},
		"municipal code 000":       {changes: []change{{"</cTribNac>", "</cTribNac><cTribMun>000</cTribMun>"}}, codes: "E0315"},
		"municipal code":           {changes: []change{{"</cTribNac>", "</cTribNac><cTribMun>001</cTribMun>"}}},
		"no such NBS":              {changes: []change{{"115013000", "215013000"}}, codes: "E0316"},
		"works without works":      {changes: []change{{"010701", "070201"}}, codes: "E0370"},
		"works with works":         {changes: []change{{"010701", "070201"}, {"</cServ>", "</cServ><obra><cObra>1</cObra></obra>"}}},
		"works without a need":     {changes: []change{{"</cServ>", "</cServ><obra><cObra>1</cObra></obra>"}}, codes: "E0372"},
		"an event without event":   {changes: []change{{"010701", "120101"}}, codes: "E0390"},
		"an event without a need":  {changes: []change{{"</cServ>", "</cServ><atvEvento><xNome>E</xNome><dtIni>2026-01-01</dtIni><dtFim>2026-01-02</dtFim><idAtvEvt>1</idAtvEvt></atvEvento>"}}, codes: "E0392"},
		"a received amount":        {changes: []change{{"<vServ>", "<vReceb>1.00</vReceb><vServ>"}}, codes: "E0424"},
		"more off than there is":   {changes: []change{{"</vServPrest>", "</vServPrest><vDescCondIncond><vDescIncond>800.00</vDescIncond></vDescCondIncond><vDedRed><vDR>700.01</vDR></vDedRed>"}}, codes: "E0427"},
		"off as much as there is":  {changes: []change{{"</vServPrest>", "</vServPrest><vDescCondIncond><vDescIncond>800.00</vDescIncond></vDescCondIncond><vDedRed><vDR>700.00</vDR></vDedRed>"}}},
		"all of it off":            {changes: []change{discount("<vDescIncond>1500.00</vDescIncond>")}, codes: "E0431"},
		"nothing off, if":          {changes: []change{discount("<vDescCond>0.00</vDescCond>")}, codes: "E0432"},
		"withheld of an export":    {changes: []change{withheld, exported}, codes: "E0580"},
		"withheld of an MEI":       {changes: []change{withheld, mei}, codes: "E0583"},
		"withheld, special regime": {changes: []change{withheld, special}, codes: "E0588"},

		"a rate above 5 %":                   {changes: with(performedThere, rate("5.01")), registry: inactive, codes: "E0595"},
		"a rate of an MEI":                   {changes: []change{mei, rate("2.00")}, codes: "E0600"},
		"a rate of an export":                {changes: []change{exported, rate("2.00")}, codes: "E0602"},
		"a rate of a special regime":         {changes: []change{special, rate("2.00")}, codes: "E0604"},
		"a rate":                             {changes: []change{rate("2.00")}, codes: "E0617"},
		"no rate, inactive":                  {changes: performedThere, registry: inactive, codes: "E0619"},
		"a rate, inactive":                   {changes: with(performedThere, rate("2.00")), registry: inactive},
		"an ME withheld without a rate":      {changes: []change{microOrSmall, simplified, withheld}, codes: "E0621"},
		"an ME withheld below 1.80":          {changes: []change{microOrSmall, simplified, withheld, rate("1.79")}, codes: "E0621"},
		"an ME withheld":                     {changes: []change{microOrSmall, simplified, withheld, rate("1.80")}},
		"an ME with a rate":                  {changes: []change{microOrSmall, simplified, rate("2.00")}, codes: "E0625"},
		"an ME":                              {changes: []change{microOrSmall, simplified}},
		"an ME withheld, inactive":           {changes: with(performedThere, microOrSmall, simplified, withheld), registry: inactive, codes: "E0628"},
		"an ME with a rate, inactive":        {changes: with(performedThere, microOrSmall, simplified, rate("2.00")), registry: inactive, codes: "E0631"},
		"an ME outside, with a rate":         {changes: []change{microOrSmall, {"<regApTribSN>1", "<regApTribSN>2"}, simplified, rate("2.00")}, codes: "E0635"},
		"an ME outside, inactive":            {changes: with(performedThere, microOrSmall, change{"<regApTribSN>1", "<regApTribSN>3"}, simplified), registry: inactive, codes: "E0640"},
		"an MEI says pTotTribSN":             {changes: []change{mei, simplified}, codes: "E0710"},
		"an ME says indTotTrib":              {changes: []change{microOrSmall, totals("<indTotTrib>0</indTotTrib>")}, codes: "E0712"},
		"others say indTotTrib":              {changes: []change{totals("<indTotTrib>0</indTotTrib>")}, codes: "E0713"},
		"others say pTotTribSN":              {changes: []change{simplified}, codes: "E0713"},
		"an MEI says indTotTrib":             {changes: []change{mei, totals("<indTotTrib>0</indTotTrib>")}},
		"federal taxes of an MEI":            {changes: []change{mei, federal("<vRetCP>1.00</vRetCP>")}, codes: "E0676"},
		"a wrong PIS":                        {changes: []change{federal("<piscofins><CST>01</CST><vBCPisCofins>1500.00</vBCPisCofins><pAliqPis>0.65</pAliqPis><vPis>9.73</vPis></piscofins>")}, codes: "E0694"},
		"a PIS":                              {changes: []change{federal("<piscofins><CST>01</CST><vBCPisCofins>1500.00</vBCPisCofins><pAliqPis>0.65</pAliqPis><vPis>9.75</vPis></piscofins>")}},
		"a wrong COFINS":                     {changes: []change{federal("<piscofins><CST>01</CST><vBCPisCofins>1500.00</vBCPisCofins><pAliqCofins>3.00</pAliqCofins><vCofins>45.02</vCofins></piscofins>")}, codes: "E0696"},
		"all for CP":                         {changes: []change{federal("<vRetCP>1500.00</vRetCP>")}, codes: "E0699"},
		"nothing for IRRF":                   {changes: []change{federal("<vRetIRRF>0.00</vRetIRRF>")}, codes: "E0700"},
		"more than all for CSLL":             {changes: []change{federal("<vRetCSLL>1500.01</vRetCSLL>")}, codes: "E0701"},
		"CSLL that is not withheld":          {changes: []change{federal("<piscofins><CST>01</CST><tpRetPisCofins>0</tpRetPisCofins></piscofins><vRetCSLL>1.00</vRetCSLL>")}, codes: "E0720"},
		"CSLL that is withheld":              {changes: []change{federal("<piscofins><CST>01</CST><tpRetPisCofins>3</tpRetPisCofins></piscofins>")}, codes: "E0724"},
		"IBS and CBS":                        {changes: []change{consumption("<finNFSe>0</finNFSe><cIndOp>100301</cIndOp><indDest>0</indDest>" + consumptionValues)}},
		"IBS and CBS without NBS":            {changes: []change{{"<cNBS>115013000</cNBS>", ""}, consumption("<finNFSe>0</finNFSe><cIndOp>100301</cIndOp><indDest>0</indDest>" + consumptionValues)}, codes: "E0322"},
		"IBS and CBS of 2025":                {changes: []change{{"<dCompet>2026-11-21", "<dCompet>2025-12-31"}, consumption("<finNFSe>0</finNFSe><cIndOp>100301</cIndOp><indDest>0</indDest>" + consumptionValues)}, codes: "E0850"},
		"no such operation":                  {changes: []change{consumption("<finNFSe>0</finNFSe><cIndOp>000000</cIndOp><indDest>0</indDest>" + consumptionValues)}, codes: "E0901"},
		"a recipient that is not to be said": {changes: []change{consumption("<finNFSe>0</finNFSe><cIndOp>100301</cIndOp><indDest>0</indDest><dest>" + cpfTaker + "<xNome>D</xNome></dest>" + consumptionValues)}, codes: "E0910"},
		"two things at once":                 {changes: []change{{"20040020", "01310100"}, {"fiscal@example.com", "fiscal"}}, codes: "E0240 E0247"},
	} {
		t.Run(name, func(t *testing.T) {
			number++
			authority.SetRegistry(test.registry)
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

// shop is a stand-in and the issuer's client.
func shop(t *testing.T) (*sefin.Authority, *client) {
	t.Helper()
	authority := start(t, sefin.Options{})
	return authority, newClient(t, authority, sefin.Subject{Document: issuer})
}

func TestIssuersThatArePersons(t *testing.T) {
	authority := start(t, sefin.Options{})
	c := newClient(t, authority, sefin.Subject{Document: person})
	asPerson := []change{{"DPS33045572" + issuer, "DPS33045571000" + person}, {"<CNPJ>" + issuer + "</CNPJ>", "<CPF>" + person + "</CPF>"}}
	key := c.issued(c.dps(1, asPerson...))
	if !strings.HasPrefix(key, "330455721000"+person) {
		t.Errorf("access key %s", key)
	}
	authority.SetRegistry(sefin.Registry{Taxpayers: map[string]sefin.Taxpayer{person: {Since: "2026-11-22"}}})
	if answer := c.issue(c.dps(2, asPerson...)); answer.codes() != "E0020" {
		t.Errorf("before its registration: %s", answer.text)
	}
	wrong := []change{{"DPS33045572" + issuer, "DPS3304557100052998224726"}, {"<CNPJ>" + issuer + "</CNPJ>", "<CPF>52998224726</CPF>"}}
	if answer := c.issue(c.dps(3, wrong...)); answer.codes() != "E0718" {
		t.Errorf("a wrong CPF is of another issuer first: %s", answer.text)
	}
}

// A CNPJ with letters issues. Where its twelfth place is one, the published
// schema does not take its keys back: what is issued cannot be cancelled.
func TestAlphanumericCNPJ(t *testing.T) {
	const letters = "12ABC34501DE35"
	authority := start(t, sefin.Options{})
	c := newClient(t, authority, sefin.Subject{Document: letters})
	key := c.issued(c.dps(1, change{issuer, letters}, change{"<CNPJ>" + issuer, "<CNPJ>" + letters}))
	if err := validate(t, "NFSe_v1.01.xsd", string(authority.NFSe(key))); err != nil {
		t.Error(err)
	}
	if answer := c.get("/nfse/" + key); answer.status != http.StatusOK {
		t.Errorf("asked: %d %s", answer.status, answer.text)
	}
	request := c.request(key, "101101", change{"<CNPJAutor>" + issuer, "<CNPJAutor>" + letters})
	if answer := c.cancel(key, request); answer.codes() != "E1235" || !strings.Contains(string(answer.text), "chNFSe") {
		t.Errorf("cancelling: %d %s", answer.status, answer.text)
	}
	if err := validate(t, "pedRegEvento_v1.01.xsd", request); err == nil {
		t.Error("the official schema accepts the request")
	}
}

func TestVersion100(t *testing.T) {
	authority, c := shop(t)
	old := strings.Replace(c.dps(1), `versao="1.01"`, `versao="1.00"`, 1)
	if answer := c.issue(old); answer.codes() != "E0001" {
		t.Errorf("version 1.00: %s", answer.text)
	}
	authority.SetRegistry(sefin.Registry{AcceptVersion100: true})
	if answer := c.issue(old); answer.status != http.StatusCreated {
		t.Errorf("version 1.00, while accepted: %s", answer.text)
	}
	consumption := c.dps(2, consumption("<finNFSe>0</finNFSe><cIndOp>100301</cIndOp><indDest>0</indDest>"+consumptionValues))
	if answer := c.issue(strings.Replace(consumption, `versao="1.01"`, `versao="1.00"`, 1)); answer.codes() != "E0854" {
		t.Errorf("IBSCBS in version 1.00: %s", answer.text)
	}
}

func TestWhoSigned(t *testing.T) {
	authority, c := shop(t)
	const exclusive = "http://www.w3.org/2001/10/xml-exc-c14n#"
	number := 0
	for _, canonical := range []string{usual.canonical, usual.canonical + "#WithComments", exclusive, exclusive + "WithComments"} {
		for _, hash := range []crypto.Hash{crypto.SHA1, crypto.SHA256} {
			number++
			signed := infDPS(t, number)
			c.issued(wrap("DPS", signed, c.signature(signed, profile{canonical, hash})))
		}
	}

	refused := func(name, document, code string) {
		t.Helper()
		if answer := c.issue(document); answer.codes() != code {
			t.Errorf("%s: %s, want %s", name, answer.text, code)
		}
	}
	by := func(subject sefin.Subject) string {
		t.Helper()
		return newClient(t, authority, subject).dps(100)
	}
	signed := infDPS(t, 100)
	refused("unsigned", wrap("DPS", signed, ""), "E0717")
	refused("changed afterwards", strings.Replace(c.dps(100), "1500.00", "1500.01", 1), "E0714")
	refused("the signature of another", wrap("DPS", signed, c.signature(infDPS(t, 101), usual)), "E0714")
	refused("an indented signature", strings.Replace(c.dps(100), "<SignedInfo>", "<SignedInfo> ", 1), "E0714")
	refused("no enveloped-signature", strings.Replace(c.dps(100), "#enveloped-signature", "#base64", 1), "E0714")
	refused("expired", by(sefin.Subject{Document: issuer, NotBefore: morning.AddDate(-2, 0, 0)}), "E0715")
	refused("not yet valid", by(sefin.Subject{Document: issuer, NotBefore: morning.Add(time.Minute)}), "E0715")
	refused("another root", by(sefin.Subject{Document: issuer, Foreign: true}), "E0715")
	refused("no otherName", by(sefin.Subject{Document: issuer, Anonymous: true}), "E0716")
	refused("not for signing", by(sefin.Subject{Document: issuer, NoSigning: true}), "E0716")
	refused("another company", by(sefin.Subject{Document: taker}), "E0718")
	branch := newClient(t, authority, sefin.Subject{Document: "11222333000262"})
	if answer := c.issue(branch.dps(102)); answer.status != http.StatusCreated {
		t.Errorf("a branch of the same company: %s", answer.text)
	}
}

func TestWhoIsConnected(t *testing.T) {
	authority, c := shop(t)
	key := c.issued(c.dps(1))
	for name, test := range map[string]struct {
		subject sefin.Subject
		code    string
	}{
		"expired":      {sefin.Subject{Document: issuer, NotBefore: morning.AddDate(-2, 0, 0)}, "E1203"},
		"another root": {sefin.Subject{Document: issuer, Foreign: true}, "E1208"},
		"no otherName": {sefin.Subject{Document: issuer, Anonymous: true}, "E1209"},
	} {
		answer := newClient(t, authority, test.subject).issue(c.dps(2))
		if answer.status != http.StatusForbidden || answer.codes() != test.code {
			t.Errorf("%s: %d %s, want %s", name, answer.status, answer.text, test.code)
		}
	}
	forged := tls.Certificate{PrivateKey: c.certificate.PrivateKey}
	for _, der := range c.certificate.Certificate {
		forged.Certificate = append(forged.Certificate, bytes.Clone(der))
	}
	leaf := forged.Certificate[0]
	leaf[len(leaf)-1] ^= 1 // the end of its issuer's signature
	if answer := connect(t, authority, &forged).issue(c.dps(2)); answer.status != http.StatusForbidden || answer.codes() != "E1205" {
		t.Errorf("a forged certificate: %d %s", answer.status, answer.text)
	}
	nobody := connect(t, authority, nil)
	if answer := nobody.issue(c.dps(2)); answer.status != http.StatusForbidden || answer.codes() != "E1200" {
		t.Errorf("issuing without a certificate: %d %s", answer.status, answer.text)
	}
	if answer := nobody.get("/nfse/" + key); answer.status != http.StatusUnauthorized {
		t.Errorf("asking without a certificate: %d %s", answer.status, answer.text)
	}

	stranger := newClient(t, authority, sefin.Subject{Document: "99008877000196"})
	id := "DPS33045572" + issuer + "00001000000000000001"
	for _, path := range []string{"/nfse/" + key, "/dps/" + id} {
		if answer := stranger.get(path); answer.status != http.StatusForbidden {
			t.Errorf("a stranger asks for %s: %d %s", path, answer.status, answer.text)
		}
	}
	if answer := stranger.must("HEAD", authority.URL()+"/dps/"+id, nil); answer.status != http.StatusOK {
		t.Errorf("a stranger asks whether the DPS exists: %d", answer.status)
	}
	if answer := newClient(t, authority, sefin.Subject{Document: taker}).get("/nfse/" + key); answer.status != http.StatusOK {
		t.Errorf("the taker asks: %d %s", answer.status, answer.text)
	}
}
