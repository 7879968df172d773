package sefin_test

import (
	"strings"
	"testing"

	"emissor/test/reference"
)

// invalidChild and incomplete are the words of the .NET validator.
func invalidChild(element, child, expected string) string {
	return "The element '" + element + "'" + inNamespace + " has invalid child element '" + child + "'" + inNamespace +
		"." + expectedElements(expected)
}

func incomplete(element, expected string) string {
	return "The element '" + element + "'" + inNamespace + " has incomplete content." + expectedElements(expected)
}

func expectedElements(elements string) string {
	return " List of possible elements expected: '" + elements + "'" + inNamespace + "."
}

const inNamespace = " in namespace '" + namespace + "'"

func failed(simpleType, constraint string) string {
	return simpleType + "' - The " + constraint + " constraint failed."
}

func TestSchema(t *testing.T) {
	_, c := startWithIssuer(t)
	for name, test := range map[string]struct {
		change     change
		complement string
	}{
		"a missing element": {change{"<nDPS>1</nDPS>", ""}, invalidChild("infDPS", "dCompet", "nDPS")},
		"what may stand before what must": {
			change{"<cLocEmi>3304557</cLocEmi>", ""},
			invalidChild("infDPS", "prest", "cMotivoEmisTI, chNFSeRej, cLocEmi"),
		},
		"an order of layout 1.00": {
			change{"<tpRetISSQN>1</tpRetISSQN>", "<pAliq>2.00</pAliq><tpRetISSQN>1</tpRetISSQN>"},
			invalidChild("tribMun", "pAliq", "cPaisResult, tpImunidade, exigSusp, BM, tpRetISSQN"),
		},
		"cNBS too early": {
			change{"<xDescServ>", "<cNBS>115013000</cNBS><xDescServ>"},
			invalidChild("cServ", "cNBS", "cTribMun, xDescServ"),
		},
		"an element twice": {
			change{"<nDPS>1</nDPS>", "<nDPS>1</nDPS><nDPS>1</nDPS>"}, invalidChild("infDPS", "nDPS", "dCompet"),
		},
		"an element of NT 009": {
			change{"<cLocEmi>", "<finNFSe>0</finNFSe><cLocEmi>"},
			invalidChild("infDPS", "finNFSe", "cMotivoEmisTI, chNFSeRej, cLocEmi"),
		},
		"a choice of two": {
			change{"<CNPJ>" + taker + "</CNPJ>", "<CNPJ>" + taker + "</CNPJ><CPF>" + person + "</CPF>"},
			invalidChild("toma", "CPF", "CAEPF, IM, xNome"),
		},
		"nothing chosen": {
			change{percentages, ""}, incomplete("totTrib", "vTotTrib, pTotTrib, indTotTrib, pTotTribSN"),
		},
		"the end missing": {
			change{"<vServ>1500.00</vServ>", ""}, incomplete("vServPrest", "vReceb, vServ"),
		},
		"no namespace": {
			change{"<nDPS>", `<nDPS xmlns="">`},
			"The element 'infDPS'" + inNamespace + " has invalid child element 'nDPS' in namespace ''." +
				expectedElements("nDPS"),
		},
		"a comma": {
			change{"1500.00", "1500,00"},
			"The '" + namespace + ":vServ' element is invalid - The value '1500,00' is invalid " +
				"according to its datatype '" + namespace + ":" + failed("TSDec15V2", "Pattern"),
		},
		"one decimal":        {change{"1500.00", "1500.0"}, failed("TSDec15V2", "Pattern")},
		"a leading zero":     {change{"1500.00", "01500.00"}, failed("TSDec15V2", "Pattern")},
		"a curly quote":      {change{"Rua da", "Rua “da"}, failed("TSLogradouro", "Pattern")},
		"a trailing space":   {change{"Rua da Assembleia", "Rua da Assembleia "}, failed("TSLogradouro", "Pattern")},
		"a long name":        {change{"Cliente", strings.Repeat("ç", 300)}, failed("TSNomeRazaoSocial", "MaxLength")},
		"a short name":       {change{"Cliente &amp; Filhos LTDA", ""}, failed("TSNomeRazaoSocial", "MinLength")},
		"another enumerator": {change{"<tribISSQN>1", "<tribISSQN>5"}, failed("TSTribISSQN", "Enumeration")},
		"Zulu time":          {change{"08:00:00-03:00", "11:00:00Z"}, failed("TSDateTimeUTC", "Pattern")},
		"no such day":        {change{"<dCompet>2026-11-21", "<dCompet>2026-02-29"}, failed("TSData", "Pattern")},
		"number 0":           {change{"<nDPS>1<", "<nDPS>0<"}, failed("TSNumDPS", "Pattern")},
		"series 90000":       {change{"<serie>1<", "<serie>90000<"}, failed("TSSerieDPS", "Pattern")},
		"a code of five": {
			change{"</cTribNac>", "</cTribNac><cTribMun>02800</cTribMun>"}, failed("TCCodTribMun", "Pattern"),
		},
		"a blank text":     {change{"Suporte técnico &lt;mensal&gt;", "  "}, failed("TSDesc2000", "Pattern")},
		"an Id of letters": {change{"DPS3304557", "DPSX304557"}, "The 'Id' attribute is invalid"},
		"no Id": {
			change{`<infDPS Id="DPS33045572` + issuer + `00001000000000000001"`, `<infDPS`},
			"The required attribute 'Id' is missing.",
		},
		"another attribute":  {change{"<infDPS ", `<infDPS versao="1.01" `}, "The 'versao' attribute is not declared."},
		"text in between":    {change{"<regTrib>", "<regTrib>x"}, "cannot contain text."},
		"elements in a text": {change{"<nDPS>1", "<nDPS><b></b>1"}, "cannot contain child element 'b'"},
	} {
		t.Run(name, func(t *testing.T) {
			document := wrap("DPS", infDPS(t, 1, test.change), "")
			answer := c.issue(document)
			if answer.codes() != "E1235" || !strings.Contains(answer.complement(), test.complement) {
				t.Errorf("%s\nwant %s", answer.text, test.complement)
			}
			if err := validate(t, "DPS_v1.01.xsd", document); err == nil {
				t.Error("the official schema accepts this")
			}
		})
	}
	t.Run("LineBreaksInTheDescription", func(t *testing.T) { // there only
		c.issued(c.dps(1, change{"Suporte técnico", "Suporte\ntécnico “24 horas”"}))
	})
}

// The schema of this package and the official one agree on what the samples are.
func TestSchema_Samples(t *testing.T) {
	_, c := startWithIssuer(t)
	for _, name := range []string{
		"dps-cpf-1.01.xml", "dps-cnpj-retido-1.01.xml", "dps-cnpj-alfa-1.01.xml", "dps-simples-1.01.xml",
		"dps-semtomador-1.01.xml", "dps-ibscbs-1.01.xml", "DRAFT-UNVALIDATED-dps-nt009.xml",
		"dps-cpf-signed-exc-sha1.xml", "dps-cpf-signed-inc-sha256.xml",
	} {
		t.Run(name, func(t *testing.T) {
			sample := string(reference.ReadNational(t, "samples/"+name))
			invalid := validate(t, "DPS_v1.01.xsd", sample) != nil
			if code := c.issue(sample).codes(); (code == "E1235") != invalid {
				t.Errorf("code %s, but the official schema says invalid: %t", code, invalid)
			}
		})
	}
}
