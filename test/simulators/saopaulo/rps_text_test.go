package saopaulo

import (
	"os"
	"strings"
	"testing"

	"github.com/beevik/etree"

	"emissor/test/reference"

	"emissor/test/simulators/shared/xmltree"
)

func read(t *testing.T, text string) *rps {
	t.Helper()
	tree := etree.NewDocument()
	if err := tree.ReadFromString(text); err != nil {
		t.Fatal(err)
	}
	return &rps{tree.Root()}
}

const beginning = "<RPS><ChaveRPS><InscricaoPrestador>123456789012</InscricaoPrestador><SerieRPS>RTNT</SerieRPS>" +
	"<NumeroRPS>1</NumeroRPS></ChaveRPS><DataEmissao>2026-01-01</DataEmissao><StatusRPS>N</StatusRPS>" +
	"<TributacaoRPS>T</TributacaoRPS><ValorDeducoes>5000.00</ValorDeducoes><CodigoServico>2658</CodigoServico>" +
	"<ISSRetido>false</ISSRetido>"

const charged = "<ValorFinalCobrado>20500.00</ValorFinalCobrado></RPS>"

// The official example of layout 2, and what the manual says of the other forms.
func TestText(t *testing.T) {
	const start = "123456789012RTNT 00000000000120260101TNN00000000205000000000000050000002658"
	for name, test := range map[string]struct{ taker, text string }{
		"the official example": {"<CPFCNPJTomador><CPF>13167474254</CPF></CPFCNPJTomador>", start + "100013167474254"},
		"a CNPJ": {
			"<CPFCNPJTomador><CNPJ>11444777000161</CNPJ></CPFCNPJTomador>", start + "211444777000161",
		},
		"nobody": {"", start + "300000000000000"},
		"a NIF": {
			"<CPFCNPJTomador><NIF>US-77 1</NIF></CPFCNPJTomador>", start + "400000000000000US-77 1",
		},
		"no NIF": {"<CPFCNPJTomador><NaoNIF>2</NaoNIF></CPFCNPJTomador>", start + "4000000000000002"},
		"an intermediary": {
			"<CPFCNPJIntermediario><CNPJ>09999999000106</CNPJ></CPFCNPJIntermediario>" +
				"<ISSRetidoIntermediario>true</ISSRetidoIntermediario>",
			start + "300000000000000" + "209999999000106S",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if made := read(t, beginning+test.taker+charged).text(); made != test.text {
				t.Errorf("%q\nwant %q", made, test.text)
			}
		})
	}
	if length := len(start + "100013167474254"); length != 90 {
		t.Errorf("%d characters", length)
	}
}

// The official example of layout 1 differs in the width of the registration only.
func TestText_OfLayout1(t *testing.T) {
	const official = "31000000OL03 00000000000120070103TNN00000000205000000000000050000002658100013167474254"
	text := beginning + "<CPFCNPJTomador><CPF>13167474254</CPF></CPFCNPJTomador>" + charged
	text = strings.NewReplacer("123456789012", "31000000", "RTNT", "OL03", "2026-01-01", "2007-01-03").Replace(text)
	if made := read(t, text).text(); made != "0000"+official {
		t.Errorf("%q", made)
	}
}

// What others signed by the manual, with other programs, verifies here.
func TestSignatures_OfTheSamples(t *testing.T) {
	for _, name := range []string{
		"v2-PedidoEnvioRPS.xml", "v2-PedidoEnvioLoteRPS.xml", "v2-PedidoConsultaNFe-by-rps.xml",
		"v2-PedidoCancelamentoNFe.xml", "v2-PedidoConsultaCNPJ.xml",
	} {
		text, err := os.ReadFile(reference.SaoPaulo(t, "samples", name))
		if err != nil {
			t.Fatal(err)
		}
		m := &message{read(t, string(text)).root}
		signature := xmltree.At(m.root, "Signature")
		certificate, err := certificateOf(signature)
		if err != nil {
			t.Fatal(err)
		}
		if code, err := verifySignature(m.root, signature, certificate); code != 0 {
			t.Errorf("%s: %d %v", name, code, err)
		}
		for _, item := range m.rps() {
			if !verifies(certificate, []byte(item.text()), item.get("Assinatura")) {
				t.Errorf("%s: the string %q", name, item.text())
			}
		}
		for _, detail := range m.children("Detalhe") {
			if one := newCancellation(detail); one.signature != "" &&
				!verifies(certificate, []byte(one.key.text(20)), one.signature) {
				t.Errorf("%s: the string %q", name, one.key.text(20))
			}
		}
	}
}

// Texts are the manual's, but for codes of which no wording is published.
func TestTexts(t *testing.T) {
	table, err := os.ReadFile(reference.SaoPaulo(t, "errors.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	published := 0
	for line := range strings.Lines(string(table)) {
		columns := strings.Split(strings.TrimSpace(line), "\t")
		code, err := parseCode(columns[0])
		text, used := publishedTexts[code]
		if err != nil || !used || strings.Contains(columns[3], "wording not seen") {
			continue
		}
		published++
		if text != columns[3] {
			t.Errorf("%d: %q, published as %q", code, text, columns[3])
		}
	}
	if published < len(publishedTexts)-3 {
		t.Errorf("only %d of %d are in the table", published, len(publishedTexts))
	}
}

// Of a registration that does not fit into the narrow string it is the wide one.
func TestCancellationText(t *testing.T) {
	const narrow, wide = "31000000000000000009", "000031000000000000000009"
	for width, text := range map[int]string{0: narrow, 20: narrow, 22: narrow, 24: wide} {
		if made := (noteKey{"31000000", 9}).text(width); made != text {
			t.Errorf("%d: %q", width, made)
		}
		if made := (noteKey{"3100000012", 9}).text(width); made != "003100000012000000000009" {
			t.Errorf("%d: %q", width, made)
		}
	}
}

func TestRates(t *testing.T) {
	for rate, points := range map[string]int64{"0": 0, "0.029": 290, "0.05": 500, "2.9": 29000, "1": 10000} {
		if ratePoints(rate) != points || ratePoints(fraction(points)) != points {
			t.Errorf("%s is %d and %s", rate, ratePoints(rate), fraction(points))
		}
	}
}
