package saopaulo

import (
	"testing"

	"github.com/beevik/etree"
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
		"a CNPJ":               {"<CPFCNPJTomador><CNPJ>11444777000161</CNPJ></CPFCNPJTomador>", start + "211444777000161"},
		"nobody":               {"", start + "300000000000000"},
		"a NIF":                {"<CPFCNPJTomador><NIF>US-77 1</NIF></CPFCNPJTomador>", start + "400000000000000US-77 1"},
		"no NIF":               {"<CPFCNPJTomador><NaoNIF>2</NaoNIF></CPFCNPJTomador>", start + "4000000000000002"},
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

func TestCancellationText(t *testing.T) {
	key := noteKey{"31000000", 9}
	if made := key.text(0); made != "31000000000000000009" {
		t.Error(made)
	}
	if made := key.text(24); made != "000031000000000000000009" {
		t.Error(made)
	}
}

func TestMoney(t *testing.T) {
	for amount, value := range map[string]int64{"0": 0, "0.05": 5, "1": 100, "1.": 100, "1.5": 150, "1500.00": 150000} {
		if cents(amount) != value {
			t.Errorf("%s is %d", amount, cents(amount))
		}
	}
	for rate, points := range map[string]int64{"0": 0, "0.029": 290, "0.05": 500, "2.9": 29000, "1": 10000} {
		if ratePoints(rate) != points || ratePoints(fraction(points)) != points {
			t.Errorf("%s is %d and %s", rate, ratePoints(rate), fraction(points))
		}
	}
}
