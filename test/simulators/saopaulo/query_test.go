package saopaulo_test

import (
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
)

func TestQuery(t *testing.T) {
	clock := new(clock)
	simulator := start(t, saopaulo.Options{Options: server.Options{Clock: clock.Now}})
	c := newClient(t, simulator, saopaulo.Subject{TaxID: issuer})
	c.issue(1)
	c.issue(2)
	t.Run("ByRPSAndByNote", func(t *testing.T) {
		for _, key := range []string{rpsKey(2), noteKey(2)} {
			answer := c.send("ConsultaNFe", c.query(key))
			if !answer.succeeded() || answer.at("NFe/ChaveNFe/NumeroNFe") != "2" || answer.at("NFe/StatusNFe") != "N" ||
				answer.at("NFe/ValorISS") != "43.50" || answer.at("NFe/ChaveRPS/NumeroRPS") != "2" ||
				answer.at("NFe/DataEmissaoNFe") != "2026-11-21T09:00:00" {
				t.Errorf("%s", answer.retorno)
			}
		}
	})
	t.Run("IsTheSameEveryTime", func(t *testing.T) {
		first := c.send("ConsultaNFe", c.query(rpsKey(1))).retorno
		clock.Advance(time.Hour)
		if again := c.send("ConsultaNFe", c.query(rpsKey(1))).retorno; again != first {
			t.Errorf("%s\n%s", first, again)
		}
	})
	t.Run("NotFound", func(t *testing.T) {
		answer := c.send("ConsultaNFe", c.query(rpsKey(3)))
		if answer.succeeded() || answer.codes() != "1106" || answer.at("Erro/ChaveRPS/NumeroRPS") != "3" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("SomeFound", func(t *testing.T) {
		for form, codes := range map[string]string{"": "1106 1106", saopaulo.Once: "1106", saopaulo.Omitted: ""} {
			simulator.SetRegistry(saopaulo.Registry{NotFound: form})
			answer := c.send("ConsultaNFe", c.query(rpsKey(3), rpsKey(1), rpsKey(4)))
			if !answer.succeeded() || answer.codes() != codes || answer.at("NFe/ChaveNFe/NumeroNFe") != "1" {
				t.Errorf("%q: %s", form, answer.retorno)
			}
		}
		simulator.SetRegistry(saopaulo.Registry{})
	})
	t.Run("OfOneRegistration", func(t *testing.T) {
		other := strings.Replace(rpsKey(1), registration, "32000000", 1)
		if answer := c.send("ConsultaNFe", c.query(rpsKey(1), other)); answer.codes() != "1401" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("FiftyAtMost", func(t *testing.T) {
		keys := make([]string, 51)
		for i := range keys {
			keys[i] = rpsKey(100 + i)
		}
		if answer := c.send("ConsultaNFe", c.query(keys[:50]...)); !strings.HasPrefix(answer.codes(), "1106 1106") {
			t.Errorf("%s", answer.retorno)
		}
		if answer := c.send("ConsultaNFe", c.query(keys...)); answer.codes() != "1001" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("OfAPeriod", func(t *testing.T) {
		period := func(from, to string) string {
			more := "<CPFCNPJ><CNPJ>" + issuer + "</CNPJ></CPFCNPJ><dtInicio>" + from + "</dtInicio><dtFim>" + to +
				"</dtFim><NumeroPagina>1</NumeroPagina>"
			return c.signed("PedidoConsultaNFePeriodo", header(more))
		}
		answer := c.send("ConsultaNFeEmitidas", period("2026-11-01", "2026-11-30"))
		if !answer.succeeded() || strings.Count(answer.retorno, "<NFe xmlns") != 2 {
			t.Errorf("%s", answer.retorno)
		}
		if answer := c.send("ConsultaNFeEmitidas", period("2026-10-01", "2026-11-30")); answer.codes() != "1403" {
			t.Errorf("%s", answer.retorno)
		}
	})
}

func TestTaxpayer(t *testing.T) {
	simulator, c := startWithIssuer(t)
	ask := func(cnpj string) reply {
		t.Helper()
		return c.send("ConsultaCNPJ", c.signed("PedidoConsultaCNPJ",
			header("")+`<CNPJContribuinte xmlns=""><CNPJ>`+cnpj+`</CNPJ></CNPJContribuinte>`))
	}
	if answer := ask(issuer); !answer.succeeded() || answer.codes() != "1405" {
		t.Errorf("nobody registered: %s", answer.retorno)
	}
	if answer := ask("11222333000182"); answer.codes() != "1109" {
		t.Errorf("a wrong CNPJ: %s", answer.retorno)
	}
	simulator.SetRegistry(saopaulo.Registry{Taxpayers: map[string]saopaulo.Taxpayer{
		registration: {TaxID: issuer}, "32000000": {TaxID: taker, NoNotes: true},
	}})
	answer := ask(issuer)
	if answer.at("Detalhe/InscricaoMunicipal") != registration || answer.at("Detalhe/EmiteNFe") != "true" {
		t.Errorf("registered: %s", answer.retorno)
	}
	if answer := ask(taker); answer.at("Detalhe/EmiteNFe") != "false" {
		t.Errorf("not authorised: %s", answer.retorno)
	}
}
