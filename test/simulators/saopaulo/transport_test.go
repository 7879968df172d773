package saopaulo_test

import (
	"net/http"
	"strings"
	"testing"

	"emissor/test/simulators/saopaulo"
)

func TestTransport(t *testing.T) {
	simulator, c := startWithIssuer(t)
	query := func() string { return c.envelope("ConsultaNFe", c.query(rpsKey(1))) }
	post := func(t *testing.T, envelope string, headers map[string]string) reply {
		t.Helper()
		answer, err := c.post(envelope, headers)
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	t.Run("BothVersionsOfSOAP", func(t *testing.T) {
		for _, old := range []bool{false, true} {
			c.soap11 = old
			answer := c.send("ConsultaNFe", c.query(rpsKey(1)))
			if answer.status != 200 || answer.codes() != "1106" || strings.HasPrefix(answer.kind, "text/xml") != old {
				t.Errorf("1.1 %t: %d %s %s", old, answer.status, answer.kind, answer.body)
			}
		}
		c.soap11 = false
	})
	t.Run("EscapedText", func(t *testing.T) {
		escaped := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(c.query(rpsKey(1)))
		envelope := c.envelope("ConsultaNFe", "MESSAGE")
		envelope = strings.Replace(envelope, "<![CDATA[MESSAGE]]>", escaped, 1)
		if answer := post(t, envelope, c.headers("ConsultaNFe")); answer.codes() != "1106" {
			t.Errorf("%s", answer.body)
		}
	})
	const soap12 = "application/soap+xml; charset=utf-8"
	for name, test := range map[string]struct {
		headers map[string]string
		status  int
		says    string
	}{
		"1.2 with another action=": {
			map[string]string{"Content-Type": soap12 + `; action="urn:x"`}, 500, "did not recognize",
		},
		"another action": {
			map[string]string{"Content-Type": soap12, "SOAPAction": "urn:x"}, 500, "did not recognize",
		},
		"1.1 without quotes": {
			map[string]string{"Content-Type": "text/xml", "SOAPAction": action("ConsultaNFe")}, 500,
			"did not recognize",
		},
		"the envelope of the other version": {
			map[string]string{"Content-Type": "text/xml", "SOAPAction": `"` + action("ConsultaNFe") + `"`}, 500,
			"mismatch",
		},
		"JSON": {map[string]string{"Content-Type": "application/json"}, 415, ""},
	} {
		t.Run(name, func(t *testing.T) {
			answer := post(t, query(), test.headers)
			if answer.status != test.status || !strings.Contains(answer.body, test.says) {
				t.Errorf("%d %s", answer.status, answer.body)
			}
		})
	}
	t.Run("AnotherWrapper", func(t *testing.T) {
		wrong := strings.ReplaceAll(query(), "ConsultaNFeRequest", "ConsultaNFe")
		if answer := post(t, wrong, c.headers("ConsultaNFe")); answer.codes() != "1102" {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("NotEscaped", func(t *testing.T) {
		wrong := strings.Replace(strings.Replace(query(), "<![CDATA[", "", 1), "]]>", "", 1)
		if answer := post(t, wrong, c.headers("ConsultaNFe")); answer.status != 500 {
			t.Errorf("%d %s", answer.status, answer.body)
		}
	})
	t.Run("TooLarge", func(t *testing.T) {
		large := c.envelope("ConsultaNFe", strings.Repeat(" ", 500<<10)+"x")
		if answer := post(t, large, c.headers("ConsultaNFe")); answer.codes() != "1101" {
			t.Errorf("%s", answer.body[:300])
		}
	})
	t.Run("OldSOAPRefused", func(t *testing.T) {
		simulator.SetRegistry(saopaulo.Registry{RefuseSOAP11: true})
		defer simulator.SetRegistry(saopaulo.Registry{})
		old := connect(t, simulator, c.certificate)
		old.soap11 = true
		if answer := old.send("ConsultaNFe", c.query(rpsKey(1))); answer.status != 500 ||
			!strings.Contains(answer.body, "did not recognize the value of HTTP Header SOAPAction") {
			t.Errorf("%d %s", answer.status, answer.body)
		}
	})
	t.Run("NewSOAPWantsItsHeader", func(t *testing.T) {
		simulator.SetRegistry(saopaulo.Registry{WantsSOAPAction: true})
		defer simulator.SetRegistry(saopaulo.Registry{})
		if answer := c.send("ConsultaNFe", c.query(rpsKey(1))); answer.codes() != "1106" {
			t.Errorf("with it: %d %s", answer.status, answer.body)
		}
		withAction := map[string]string{"Content-Type": soap12 + `; action="` + action("ConsultaNFe") + `"`}
		if answer := post(t, query(), withAction); answer.status != http.StatusUnsupportedMediaType {
			t.Errorf("with action=: %d %s", answer.status, answer.body)
		}
		answer := post(t, query(), map[string]string{"Content-Type": soap12})
		if answer.status != 500 || !strings.Contains(answer.body, "valid action parameter") {
			t.Errorf("without: %d %s", answer.status, answer.body)
		}
	})
	t.Run("NobodyWithoutACertificate", func(t *testing.T) {
		foreign, err := simulator.NewCertificate(saopaulo.Subject{TaxID: issuer, Foreign: true})
		if err != nil {
			t.Fatal(err)
		}
		stranger := connect(t, simulator, &foreign)
		if answer := stranger.send("ConsultaNFe", c.query(rpsKey(1))); answer.status != http.StatusForbidden {
			t.Errorf("another ICP: %d %s", answer.status, answer.body)
		}
		nobody := connect(t, simulator, nil)
		if answer, err := nobody.post(query(), c.headers("ConsultaNFe")); err != nil || answer.status != 403 {
			t.Errorf("none: %d %v", answer.status, err)
		}
	})
}

func TestSignature(t *testing.T) {
	simulator, c := startWithIssuer(t)
	by := func(subject saopaulo.Subject) string {
		t.Helper()
		return newClient(t, simulator, subject).message(1)
	}
	for name, test := range map[string]struct{ message, code string }{
		"changed afterwards":    {strings.Replace(c.message(1), "1500.00", "1500.01", 1), "1056"},
		"another algorithm":     {strings.Replace(c.message(1), "#rsa-sha1", "#rsa-sha256", 1), "1057"},
		"a reference to an id":  {strings.Replace(c.message(1), `URI=""`, `URI="#x"`, 1), "1057"},
		"another signature":     {strings.Replace(c.message(1), "<SignatureValue>", "<SignatureValue>AAAA", 1), "1057"},
		"expired":               {by(saopaulo.Subject{TaxID: issuer, NotBefore: morning.AddDate(-2, 0, 0)}), "1051"},
		"another root":          {by(saopaulo.Subject{TaxID: issuer, Foreign: true}), "1055"},
		"without a CNPJ":        {by(saopaulo.Subject{TaxID: issuer, Anonymous: true}), "1052"},
		"not for signing":       {by(saopaulo.Subject{TaxID: issuer, NoSigning: true}), "1050"},
		"another company's":     {by(saopaulo.Subject{TaxID: taker}), "1100"},
		"unsigned":              {unsigned(c.message(1)), "1001"},
		"the string of another": {c.signed("PedidoEnvioRPS", header("")+c.rps(1, text(2))), "1206"},
	} {
		t.Run(name, func(t *testing.T) {
			if answer := c.send("EnvioRPS", test.message); answer.codes() != test.code {
				t.Errorf("%s, want %s", answer.body, test.code)
			}
		})
	}
	t.Run("Revoked", func(t *testing.T) {
		simulator.SetRegistry(saopaulo.Registry{Revoked: []string{c.certificate.Leaf.SerialNumber.Text(16)}})
		defer simulator.SetRegistry(saopaulo.Registry{})
		if answer := c.send("EnvioRPS", c.message(1)); answer.codes() != "1054" {
			t.Errorf("%s", answer.body)
		}
		another := newClient(t, simulator, saopaulo.Subject{TaxID: issuer})
		if answer := another.send("TesteEnvioLoteRPS", another.lot("", another.rps(1, text(1)))); answer.codes() != "" {
			t.Errorf("another one: %s", answer.body)
		}
	})
	t.Run("EchoesTheString", func(t *testing.T) {
		answer := c.send("EnvioRPS", c.signed("PedidoEnvioRPS", header("")+c.rps(1, "x")))
		if !strings.HasSuffix(answer.at("Erro/Descricao"), "String verificada ("+text(1)+")") {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("SentByAnother", func(t *testing.T) {
		other := newClient(t, simulator, saopaulo.Subject{TaxID: taker})
		if answer := other.send("EnvioRPS", c.message(1)); answer.codes() != "1100" {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("OfAnotherRegistration", func(t *testing.T) {
		simulator.SetRegistry(saopaulo.Registry{Taxpayers: map[string]saopaulo.Taxpayer{registration: {TaxID: taker}}})
		if answer := c.send("EnvioRPS", c.message(1)); answer.codes() != "1107" {
			t.Errorf("%s", answer.body)
		}
	})
	if entries := simulator.Ledger(); len(entries) != 0 {
		t.Errorf("issued: %+v", entries)
	}
}

func unsigned(message string) string {
	start := strings.Index(message, "<Signature ")
	return message[:start] + message[strings.Index(message, "</Signature>")+len("</Signature>"):]
}
