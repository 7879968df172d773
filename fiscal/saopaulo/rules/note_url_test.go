package rules_test

import (
	"testing"

	"emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
)

func TestDescription_OwnPage(t *testing.T) {
	const page = "https://nfe.prefeitura.sp.gov.br/contribuinte/notaprint.aspx?"
	for _, c := range []struct{ registration, number, code, expected string }{
		{"31000000", "9", "ABCD1234", "inscricao=31000000&nf=9&verificacao=ABCD1234"},
		{"000031000000", "9", "A&B=<>", "inscricao=31000000&nf=9&verificacao=A%26B%3D%3C%3E"},
	} {
		issuer := nfse.FiscalProfile{MunicipalRegistration: &c.registration}
		if got := rules.Description.OwnURL(issuer, c.number, c.code); got != page+c.expected {
			t.Errorf("the page is %s", got)
		}
	}
}
