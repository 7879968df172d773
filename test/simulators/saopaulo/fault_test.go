package saopaulo_test

import (
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
)

// faulty runs a simulator in which something goes wrong.
func faulty(t *testing.T, faults ...saopaulo.Fault) (*saopaulo.Simulator, *client, *clock) {
	t.Helper()
	clock := new(clock)
	simulator := start(t, saopaulo.Options{
		Options: server.Options{Clock: clock.Now, FaultProfile: saopaulo.FaultProfile{Seed: 1, Faults: faults}},
	})
	return simulator, newClient(t, simulator, saopaulo.Subject{TaxID: issuer}), clock
}

// The worst that can happen: the note is there, its answer is lost, and a caller that sends again destroys it. The
// ledger shows that.
func TestFault_LostAfterCommit(t *testing.T) {
	for _, kind := range []saopaulo.Kind{saopaulo.Drop, saopaulo.Reset} {
		simulator, c, _ := faulty(t, saopaulo.Fault{Kind: kind, Scope: saopaulo.Issue, After: true, Next: 1})
		if answer, err := c.try("EnvioRPS", c.message(1)); err == nil {
			t.Fatalf("%s: an answer came: %s", kind, answer.body)
		}
		if answer := c.send("ConsultaNFe", c.query(rpsKey(1))); answer.at("NFe/ChaveNFe/NumeroNFe") != "1" {
			t.Errorf("%s: %s", kind, answer.body)
		}
		lost := simulator.Messages()[0]
		if lost.Status != 0 || lost.Issued[0] != 1 || lost.Faults[0] != string(kind) {
			t.Errorf("%+v", lost)
		}
		c.send("EnvioRPS", c.message(1))
		if note := simulator.Ledger()[0]; note.CancelledBy != saopaulo.ByResend {
			t.Errorf("%+v", note)
		}
	}
}

func TestFault_LostBefore(t *testing.T) {
	simulator, c, _ := faulty(t, saopaulo.Fault{Kind: saopaulo.Drop, Scope: saopaulo.Issue, Next: 1})
	message := c.message(1)
	if _, err := c.try("EnvioRPS", message); err == nil || len(simulator.Ledger()) != 0 {
		t.Errorf("%v %+v", err, simulator.Ledger())
	}
	if answer := c.send("EnvioRPS", message); answer.codes() != "" {
		t.Errorf("sent again: %s", answer.body)
	}
	// What was lost was received all the same, and is told.
	messages := simulator.Messages()
	if messages[0].Digest != messages[1].Digest || messages[0].RPSNumber != "1" || messages[0].Status != 0 {
		t.Errorf("%+v", messages)
	}
}

// A note is not found before it is indexed, by either key.
func TestFault_LateIndexing(t *testing.T) {
	_, c, clock := faulty(t, saopaulo.Fault{
		Kind: saopaulo.Hide, Scope: saopaulo.Query, Delay: saopaulo.Duration(time.Minute),
	})
	c.issue(1)
	clock.Advance(59 * time.Second)
	for _, key := range []string{rpsKey(1), noteKey(1)} {
		if answer := c.send("ConsultaNFe", c.query(key)); answer.codes() != "1106" {
			t.Errorf("%s", answer.body)
		}
	}
	clock.Advance(time.Second)
	if answer := c.send("ConsultaNFe", c.query(rpsKey(1))); answer.at("NFe/ChaveNFe/NumeroNFe") != "1" {
		t.Errorf("%s", answer.body)
	}
}

func TestFault_InsteadOfTheAnswer(t *testing.T) {
	for name, test := range map[string]struct {
		fault  saopaulo.Fault
		status int
		says   string
	}{
		"a page": {saopaulo.Fault{Kind: saopaulo.Status, Status: 502, Body: "html"}, 502, "<h1>Bad Gateway</h1>"},
		"a fault": {
			saopaulo.Fault{Kind: saopaulo.Status, Status: 500, Body: saopaulo.SOAPFault}, 500,
			"<soap:Value>soap:Receiver",
		},
		"a fault of 1.1": {
			saopaulo.Fault{Kind: saopaulo.Status, Status: 500, Body: saopaulo.SOAP11Fault}, 500,
			"<faultcode>soap:Server",
		},
		"an error":  {saopaulo.Fault{Kind: saopaulo.Reject, Code: "1110"}, 200, "<Codigo>1110"},
		"no answer": {saopaulo.Fault{Kind: saopaulo.MissingXML}, 200, "EnvioRPSResponse xmlns"},
	} {
		t.Run(name, func(t *testing.T) {
			_, c, _ := faulty(t, test.fault)
			answer := c.send("EnvioRPS", c.message(1))
			unescaped := answer.body + answer.retorno
			if answer.status != test.status || !strings.Contains(unescaped, test.says) {
				t.Errorf("%d %s", answer.status, answer.body)
			}
		})
	}
}

func TestFault_Corrupt(t *testing.T) {
	t.Run("HalfAnswer", func(t *testing.T) {
		simulator, c, _ := faulty(t, saopaulo.Fault{Kind: saopaulo.HalfAnswer})
		if _, err := c.try("EnvioRPS", c.message(1)); err == nil || len(simulator.Ledger()) != 1 {
			t.Errorf("%v %+v", err, simulator.Ledger())
		}
	})
	for _, kind := range []saopaulo.Kind{saopaulo.TruncatedXML, saopaulo.UnreadableXML, saopaulo.NestedBomb} {
		t.Run(string(kind), func(t *testing.T) {
			_, c, _ := faulty(t, saopaulo.Fault{Kind: kind})
			answer, err := c.try("EnvioRPS", c.message(1))
			if err != nil || answer.root != nil || answer.retorno == "" {
				t.Errorf("%.200s %v", answer.body, err)
			}
		})
	}
	t.Run("OtherDocument", func(t *testing.T) {
		simulator, c, _ := faulty(t, saopaulo.Fault{Kind: saopaulo.OtherDocument})
		answer := c.send("EnvioRPS", c.message(1))
		if answer.at("ChaveNFeRPS/ChaveRPS/NumeroRPS") != "2" || answer.at("ChaveNFeRPS/ChaveNFe/NumeroNFe") != "2" ||
			answer.at("ChaveNFeRPS/ChaveNFe/ChaveNotaNacional") == simulator.Ledger()[0].NationalKey {
			t.Errorf("%s", answer.retorno)
		}
	})
	for variant, says := range map[string]string{
		saopaulo.Qualified: "<Cabecalho Versao", saopaulo.Declaration: "<?xml", saopaulo.ByteOrder: "\ufeff<",
		saopaulo.Indented: ">\r\n  <",
	} {
		t.Run(variant, func(t *testing.T) {
			_, c, _ := faulty(t, saopaulo.Fault{Kind: saopaulo.Variant, Variant: variant})
			if answer := c.send("EnvioRPS", c.message(1)); !strings.Contains(answer.retorno, says) {
				t.Errorf("%q", answer.retorno)
			}
		})
	}
	t.Run(saopaulo.CDATA, func(t *testing.T) {
		_, c, _ := faulty(t, saopaulo.Fault{Kind: saopaulo.Variant, Variant: saopaulo.CDATA})
		if answer := c.send("EnvioRPS", c.message(1)); !strings.Contains(answer.body, "<![CDATA[<Retorno") ||
			!answer.succeeded() {
			t.Errorf("%s", answer.body)
		}
	})
}
