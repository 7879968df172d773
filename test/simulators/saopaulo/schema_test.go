package saopaulo_test

import (
	"strings"
	"testing"
)

// What the schema and the manual refuse, and in which words.
func TestSchema(t *testing.T) {
	_, c := startWithIssuer(t)
	good := c.message(1)
	for name, test := range map[string]struct {
		change change
		says   string
	}{
		"another order": {
			change{
				"<TipoRPS>RPS</TipoRPS><DataEmissao>2026-11-20</DataEmissao>",
				"<DataEmissao>2026-11-20</DataEmissao><TipoRPS>RPS</TipoRPS>",
			},
			"The element 'RPS' has invalid child element 'DataEmissao'. List of possible elements expected: 'TipoRPS'.",
		},
		"a missing element": {without(good, "ValorPIS"), "expected: 'ValorPIS'."},
		"no NBS":            {without(good, "NBS"), "expected: 'NCM, NBS'."},
		"a pattern":         {change{"<NBS>115022000", "<NBS>1.1502.20.00"}, "tpCodigoNBS' - The Pattern constraint"},
		"three decimals":    {change{">1500.00<", ">1500.001<"}, "tpValor' - The Pattern constraint failed."},
		"a comma":           {change{">1500.00<", ">1500,00<"}, "tpValor' - The Pattern constraint failed."},
		"a long name":       {change{"Cliente Exemplo SA", strings.Repeat("x", 76)}, "'RazaoSocialTomador' element is"},
		"a zero before":     {change{"<CEP>1001000", "<CEP>01001000"}, "begins with a zero"},
		"an empty element":  {change{"Cliente Exemplo SA", ""}, "The element is empty."},
		"no such day":       {change{"<DataEmissao>2026-11-20", "<DataEmissao>2026-11-31"}, "is not a valid Date"},
		"a dash":            {change{"Servico de suporte", "Suporte \u2014 mensal"}, "U+2014"},
		"an ordinal":        {change{"Servico de suporte", "1\u00ba suporte"}, "U+00BA"},
		"a line break":      {change{"suporte|Parcela", "suporte\nParcela"}, "U+000A"},
		"white space":       {change{"</RPS>", "</RPS>\n"}, "between elements"},
		"a declaration":     {change{"<PedidoEnvioRPS", `<?xml version="1.0"?><PedidoEnvioRPS`}, "XML declaration"},
		"a DOCTYPE":         {change{"<PedidoEnvioRPS", "<!DOCTYPE x><PedidoEnvioRPS"}, "DTD is prohibited"},
		"no namespace":      {change{` xmlns="` + namespace + `"`, ""}, "element is not declared"},
		"qualified children": {
			change{`<RPS xmlns="">`, "<RPS>"}, "invalid child element 'RPS' in namespace '" + namespace + "'",
		},
		"no version":     {change{` Versao="2"`, ""}, "Versão do Schema"},
		"an end too few": {change{"</PedidoEnvioRPS>", ""}, "no XML"},
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(good, test.change.from) {
				t.Fatalf("the message has no %s", test.change.from)
			}
			answer := c.send("EnvioRPS", strings.Replace(good, test.change.from, test.change.to, 1))
			if codes := answer.codes(); codes != "1001" && codes != "1002" {
				t.Fatalf("%s", answer.body)
			}
			if said := answer.at("Erro/Descricao"); !strings.Contains(said, test.says) {
				t.Errorf("%s", said)
			}
		})
	}
	t.Run("ManyAtOnce", func(t *testing.T) {
		wrong := strings.Replace(strings.Replace(good, "<NBS>1", "<NBS>x", 1), ">1500.00<", ">x<", 1)
		if answer := c.send("EnvioRPS", wrong); answer.codes() != "1001 1001" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("AnotherLayout", func(t *testing.T) {
		envelope := strings.Replace(c.envelope("EnvioRPS", strings.Replace(good, `Versao="2"`, `Versao="1"`, 1)),
			"<VersaoSchema>2", "<VersaoSchema>1", 1)
		answer, err := c.post(envelope, c.headers("EnvioRPS"))
		if err != nil || answer.codes() != "631" {
			t.Errorf("%s %v", answer.body, err)
		}
	})
}
