package sefin_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"os"
	"strings"
	"testing"
)

const namespace = "http://www.sped.fazenda.gov.br/nfse"

func TestSchema(t *testing.T) {
	_, c := shop(t)
	in := " in namespace '" + namespace + "'"
	for name, test := range map[string]struct {
		changes    []change
		complement string
	}{
		"a missing element": {[]change{{"<nDPS>1</nDPS>", ""}},
			"The element 'infDPS'" + in + " has invalid child element 'dCompet'" + in + ". List of possible elements expected: 'nDPS'" + in + "."},
		"what may stand before what must": {[]change{{"<cLocEmi>3304557</cLocEmi>", ""}},
			"The element 'infDPS'" + in + " has invalid child element 'prest'" + in + ". List of possible elements expected: 'cMotivoEmisTI, chNFSeRej, cLocEmi'" + in + "."},
		"an order of layout 1.00": {[]change{{"<tpRetISSQN>1</tpRetISSQN>", "<pAliq>2.00</pAliq><tpRetISSQN>1</tpRetISSQN>"}},
			"The element 'tribMun'" + in + " has invalid child element 'pAliq'" + in + ". List of possible elements expected: 'cPaisResult, tpImunidade, exigSusp, BM, tpRetISSQN'" + in + "."},
		"cNBS too early": {[]change{{"<xDescServ>", "<cNBS>115013000</cNBS><xDescServ>"}},
			"The element 'cServ'" + in + " has invalid child element 'cNBS'" + in + ". List of possible elements expected: 'cTribMun, xDescServ'" + in + "."},
		"an element twice": {[]change{{"<nDPS>1</nDPS>", "<nDPS>1</nDPS><nDPS>1</nDPS>"}},
			"The element 'infDPS'" + in + " has invalid child element 'nDPS'" + in + ". List of possible elements expected: 'dCompet'" + in + "."},
		"an element of NT 009": {[]change{{"<cLocEmi>", "<finNFSe>0</finNFSe><cLocEmi>"}},
			"The element 'infDPS'" + in + " has invalid child element 'finNFSe'" + in + ". List of possible elements expected: 'cMotivoEmisTI, chNFSeRej, cLocEmi'" + in + "."},
		"a choice of two": {[]change{{"<CNPJ>" + taker + "</CNPJ>", "<CNPJ>" + taker + "</CNPJ><CPF>" + person + "</CPF>"}},
			"The element 'toma'" + in + " has invalid child element 'CPF'" + in + ". List of possible elements expected: 'CAEPF, IM, xNome'" + in + "."},
		"nothing chosen": {[]change{{"<pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>2.90</pTotTribMun></pTotTrib>", ""}},
			"The element 'totTrib'" + in + " has incomplete content. List of possible elements expected: 'vTotTrib, pTotTrib, indTotTrib, pTotTribSN'" + in + "."},
		"the end missing": {[]change{{"<valores><vServPrest><vServ>1500.00</vServ></vServPrest><trib>", "<valores><vServPrest></vServPrest><trib>"}},
			"The element 'vServPrest'" + in + " has incomplete content. List of possible elements expected: 'vReceb, vServ'" + in + "."},
		"no namespace": {[]change{{"<nDPS>", `<nDPS xmlns="">`}},
			"The element 'infDPS'" + in + " has invalid child element 'nDPS' in namespace ''. List of possible elements expected: 'nDPS'" + in + "."},
		"a comma": {[]change{{"1500.00", "1500,00"}},
			"The '" + namespace + ":vServ' element is invalid - The value '1500,00' is invalid according to its datatype '" + namespace + ":TSDec15V2' - The Pattern constraint failed."},
		"one decimal":        {[]change{{"1500.00", "1500.0"}}, "TSDec15V2' - The Pattern constraint failed."},
		"a leading zero":     {[]change{{"1500.00", "01500.00"}}, "TSDec15V2' - The Pattern constraint failed."},
		"a curly quote":      {[]change{{"Rua da", "Rua “da"}}, "TSLogradouro' - The Pattern constraint failed."},
		"a trailing space":   {[]change{{"Rua da Assembleia", "Rua da Assembleia "}}, "TSLogradouro' - The Pattern constraint failed."},
		"a long name":        {[]change{{"Cliente", strings.Repeat("ç", 300)}}, "TSNomeRazaoSocial' - The MaxLength constraint failed."},
		"a short name":       {[]change{{"Cliente &amp; Filhos LTDA", ""}}, "TSNomeRazaoSocial' - The MinLength constraint failed."},
		"another enumerator": {[]change{{"<tribISSQN>1", "<tribISSQN>5"}}, "TSTribISSQN' - The Enumeration constraint failed."},
		"Zulu time":          {[]change{{"08:00:00-03:00", "11:00:00Z"}}, "TSDateTimeUTC' - The Pattern constraint failed."},
		"no such day":        {[]change{{"<dCompet>2026-11-21", "<dCompet>2026-02-29"}}, "TSData' - The Pattern constraint failed."},
		"number 0":           {[]change{{"<nDPS>1<", "<nDPS>0<"}}, "TSNumDPS' - The Pattern constraint failed."},
		"series 90000":       {[]change{{"<serie>1<", "<serie>90000<"}}, "TSSerieDPS' - The Pattern constraint failed."},
		"a code of five":     {[]change{{"</cTribNac>", "</cTribNac><cTribMun>02800</cTribMun>"}}, "TCCodTribMun' - The Pattern constraint failed."},
		"a blank text":       {[]change{{"Suporte técnico &lt;mensal&gt;", "  "}}, "TSDesc2000' - The Pattern constraint failed."},
		"an Id of letters":   {[]change{{"DPS3304557", "DPSX304557"}}, "The 'Id' attribute is invalid"},
		"no Id":              {[]change{{`<infDPS Id="DPS33045572` + issuer + `00001000000000000001"`, `<infDPS`}}, "The required attribute 'Id' is missing."},
		"another attribute":  {[]change{{"<infDPS ", `<infDPS versao="1.01" `}}, "The 'versao' attribute is not declared."},
		"text in between":    {[]change{{"<regTrib>", "<regTrib>x"}}, "cannot contain text."},
		"elements in a text": {[]change{{"<nDPS>1", "<nDPS><b></b>1"}}, "cannot contain child element 'b'"},
	} {
		t.Run(name, func(t *testing.T) {
			signed := infDPS(t, 1, test.changes...)
			answer := c.issue(wrap("DPS", signed, ""))
			if answer.codes() != "E1235" || !strings.Contains(answer.complement(), test.complement) {
				t.Errorf("%s\nwant %s", answer.text, test.complement)
			}
			if err := validate(t, "DPS_v1.01.xsd", wrap("DPS", signed, "")); err == nil {
				t.Error("the official schema accepts this")
			}
		})
	}
}

func TestSchemaAcceptsLineBreaksInTheDescriptionOnly(t *testing.T) {
	_, c := shop(t)
	c.issued(c.dps(1, change{"Suporte técnico", "Suporte\ntécnico “24 horas”"}))
}

// The schema of this package and the official one agree on what the samples are.
func TestSamples(t *testing.T) {
	_, c := shop(t)
	for _, name := range []string{
		"dps-cpf-1.01.xml", "dps-cnpj-retido-1.01.xml", "dps-cnpj-alfa-1.01.xml", "dps-simples-1.01.xml", "dps-semtomador-1.01.xml",
		"dps-ibscbs-1.01.xml", "DRAFT-UNVALIDATED-dps-nt009.xml", "dps-cpf-signed-exc-sha1.xml", "dps-cpf-signed-inc-sha256.xml",
	} {
		t.Run(name, func(t *testing.T) {
			sample, err := os.ReadFile(sharedFile(t, "samples/"+name))
			if err != nil {
				t.Fatal(err)
			}
			invalid := validate(t, "DPS_v1.01.xsd", string(sample)) != nil
			if code := c.issue(string(sample)).codes(); (code == "E1235") != invalid {
				t.Errorf("code %s, but the official schema says invalid: %t", code, invalid)
			}
		})
	}
}

func TestWhatIsNoDPS(t *testing.T) {
	_, c := shop(t)
	document := c.dps(1)
	url := c.authority.URL() + "/nfse"
	for name, test := range map[string]struct {
		body any
		code string
	}{
		"another property": {map[string]any{"dpsXmlGzipB64": pack(document)}, "RNG9999"},
		"no text":          {map[string]any{"dpsXmlGZipB64": 1}, "RNG9999"},
		"no object":        {[]string{}, "RNG9999"},
		"not base64":       {map[string]any{"dpsXmlGZipB64": "<DPS>"}, "E1225"},
		"not gzip":         {map[string]any{"dpsXmlGZipB64": base64.StdEncoding.EncodeToString([]byte(document))}, "E1226"},
		"too large":        {map[string]any{"dpsXmlGZipB64": pack(strings.Repeat(" ", 2<<20))}, "E1226"},
		"not XML":          {map[string]any{"dpsXmlGZipB64": pack("DPS")}, "E1226"},
		"half of it":       {map[string]any{"dpsXmlGZipB64": pack(document[:len(document)/2])}, "E1226"},
		"twice":            {map[string]any{"dpsXmlGZipB64": pack(document + "<DPS/>")}, "E1226"},
		"a DOCTYPE":        {map[string]any{"dpsXmlGZipB64": pack(strings.Replace(document, "<DPS", `<!DOCTYPE DPS [<!ENTITY x "1">]><DPS`, 1))}, "E1226"},
		"another root":     {map[string]any{"dpsXmlGZipB64": pack("<NFSe/>")}, "E1242"},
		"a prefix":         {map[string]any{"dpsXmlGZipB64": pack(strings.NewReplacer("<Sign", "<ds:Sign", "</Sign", "</ds:Sign", "xmlns=\"http://www.w3", "xmlns:ds=\"http://www.w3").Replace(document))}, "E1228"},
		"a schemaLocation": {map[string]any{"dpsXmlGZipB64": pack(strings.Replace(document, "<DPS", `<DPS xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`, 1))}, "E1228"},
		"declared Latin-1": {map[string]any{"dpsXmlGZipB64": pack(strings.Replace(document, "UTF-8", "ISO-8859-1", 1))}, "E1229"},
		"really Latin-1":   {map[string]any{"dpsXmlGZipB64": pack(strings.Replace(document, "é", "\xe9", 1))}, "E1229"},
	} {
		t.Run(name, func(t *testing.T) {
			if answer := c.must("POST", url, test.body); answer.codes() != test.code || answer.status != http.StatusBadRequest {
				t.Errorf("%d %s, want %s", answer.status, answer.text, test.code)
			}
		})
	}
	response, err := c.http.Post(url, "text/plain", bytes.NewReader([]byte("{}")))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("text/plain: %d", response.StatusCode)
	}
	if n := len(c.authority.Ledger()); n != 0 {
		t.Errorf("%d notes were issued", n)
	}
	c.issued("\uFEFF" + strings.Replace(document, `<?xml version="1.0" encoding="UTF-8"?>`, "", 1))
}
