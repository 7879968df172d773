package saopaulo_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
)

func TestIssue(t *testing.T) {
	simulator, c := startWithIssuer(t)
	answer := c.send("EnvioRPS", c.message(1))
	if !answer.succeeded() || answer.codes() != "" || answer.at("ChaveNFeRPS/ChaveRPS/NumeroRPS") != "1" {
		t.Fatalf("%d %s", answer.status, answer.body)
	}
	key := answer.at("ChaveNFeRPS/ChaveNFe/ChaveNotaNacional")
	const beginning = "3550308" + "1" + "2" + issuer + "0000000000001" + "2611"
	if len(key) != 50 || !strings.HasPrefix(key, beginning) {
		t.Errorf("the national key %s", key)
	}
	entries := simulator.Ledger()
	if len(entries) != 1 {
		t.Fatalf("%+v", entries)
	}
	note := entries[0]
	if note.NationalKey != key || note.AmountCents != 150000 || note.Taker != taker ||
		note.Registration != registration ||
		note.VerificationCode != answer.at("ChaveNFeRPS/ChaveNFe/CodigoVerificacao") || note.Cancelled {
		t.Errorf("%+v", note)
	}
	if second := c.issue(2); second != "2" {
		t.Errorf("the second note has the number %s", second)
	}
	messages := simulator.Messages()
	if len(messages) != 2 || messages[0].Digest != note.Digest || messages[0].Operation != "EnvioRPS" ||
		messages[0].RPSNumber != "1" || messages[0].Issued[0] != 1 || messages[0].Status != 200 {
		t.Errorf("%+v", messages)
	}
}

// Sending an RPS again cancels its note and issues another, no matter who sent it first.
func TestResend(t *testing.T) {
	clock := new(clock)
	simulator := start(t, saopaulo.Options{Options: server.Options{Clock: clock.Now}})
	c := newClient(t, simulator, saopaulo.Subject{TaxID: issuer})
	message := c.message(1)
	c.send("EnvioRPS", message)
	answer := c.send("EnvioRPS", message)
	if !answer.succeeded() || answer.codes() != "217" || answer.at("ChaveNFeRPS/ChaveNFe/NumeroNFe") != "2" {
		t.Fatalf("%s", answer.body)
	}
	const said = "RPS reenviado. A NF-e (1) referente ao RPS (Número: 1, Série: A) foi cancelada e uma nova NF-e " +
		"foi emitida."
	if alert := answer.at("Alerta/Descricao"); alert != said {
		t.Errorf("alert %q", alert)
	}
	first, second := simulator.Ledger()[0], simulator.Ledger()[1]
	if !first.Cancelled || first.CancelledBy != saopaulo.ByResend || first.ReplacedBy != 2 || second.Cancelled {
		t.Errorf("%+v\n%+v", first, second)
	}
	if messages := simulator.Messages(); messages[1].Cancelled[0] != 1 || messages[1].Digest != messages[0].Digest {
		t.Errorf("%+v", messages)
	}

	t.Run("NotOfACancelledNote", func(t *testing.T) {
		c.send("CancelamentoNFe", c.cancellation(2, 20))
		if answer := c.send("EnvioRPS", message); answer.codes() != "223" || answer.succeeded() {
			t.Error(answer.body)
		}
	})
	t.Run("NotOfAMarkedNote", func(t *testing.T) {
		number := 10
		for mark, code := range map[saopaulo.Mark]string{
			saopaulo.InGuide: "218", saopaulo.Accepted: "372", saopaulo.Rejected: "373", saopaulo.Deducted: "338",
		} {
			number++
			c.issue(number)
			entries := simulator.Ledger()
			if err := simulator.MarkNote(registration, entries[len(entries)-1].Number, mark); err != nil {
				t.Fatal(err)
			}
			if answer := c.send("EnvioRPS", c.message(number)); answer.codes() != code {
				t.Errorf("%s: %s", mark, answer.body)
			}
		}
	})
	t.Run("NotOfANoteMadeOnTheSite", func(t *testing.T) {
		_, err := simulator.IssueOnSite(siteNote("20"))
		if err != nil {
			t.Fatal(err)
		}
		answer := c.send("EnvioRPS", c.message(20))
		if answer.codes() != "216" || answer.at("ChaveNFeRPS/ChaveNFe/NumeroNFe") != "" {
			t.Error(answer.body)
		}
	})
	t.Run("NotAfterHalfAYear", func(t *testing.T) {
		c.issue(30)
		clock.Advance(181 * 24 * time.Hour)
		if answer := c.send("EnvioRPS", c.message(30)); answer.codes() != "324" {
			t.Error(answer.body)
		}
	})
}

// What is valid but not played is neither accepted nor refused.
func TestIssue_NotSimulated(t *testing.T) {
	simulator, c := startWithIssuer(t)
	lost := c.rps(1, text(1), change{"<StatusRPS>N", "<StatusRPS>E"})
	if answer := c.send("EnvioRPS", c.signed("PedidoEnvioRPS", header("")+lost)); answer.status != 501 ||
		len(simulator.Ledger()) != 0 {
		t.Errorf("%d %s", answer.status, answer.body)
	}
}

// Of messages that arrive at once each cancels the note of the one before.
func TestResend_AtOnce(t *testing.T) {
	simulator, c := startWithIssuer(t)
	message := c.message(1)
	const senders = 8
	var group sync.WaitGroup
	for range senders {
		group.Go(func() {
			if answer, err := c.try("EnvioRPS", message); err != nil || !answer.succeeded() {
				t.Errorf("%s %v", answer.body, err)
			}
		})
	}
	group.Wait()
	entries := simulator.Ledger()
	for i, note := range entries {
		last := i == len(entries)-1
		if note.Cancelled == last || !last && note.ReplacedBy != note.Number+1 {
			t.Errorf("%+v", note)
		}
	}
	if len(entries) != senders {
		t.Errorf("%d notes", len(entries))
	}
}

func TestLot(t *testing.T) {
	simulator, c := startWithIssuer(t)
	one, two := c.rps(1, text(1)), c.rps(2, text(2))
	t.Run("TestIssuesNothing", func(t *testing.T) {
		answer := c.send("TesteEnvioLoteRPS", c.lot("", one, two))
		if !answer.succeeded() || answer.codes() != "" || len(simulator.Ledger()) != 0 {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("TestChecksEverything", func(t *testing.T) {
		answer := c.send("TesteEnvioLoteRPS", c.lot("", c.rps(1, "another string"), c.rps(2, text(2))))
		if answer.succeeded() || answer.codes() != "1206" {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("Duplicate", func(t *testing.T) {
		answer := c.send("EnvioLoteRPS", c.lot("", one, one))
		if answer.codes() != "215" || len(simulator.Ledger()) != 0 {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("WrongCount", func(t *testing.T) {
		message := c.lot(one, two)
		if answer := c.send("EnvioLoteRPS", message); answer.codes() != "1203" {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("AllOrNothing", func(t *testing.T) {
		c.issue(3)
		c.send("CancelamentoNFe", c.cancellation(1, 20))
		answer := c.send("EnvioLoteRPS", c.lot("", one, c.rps(3, text(3))))
		if answer.codes() != "223" || len(simulator.Ledger()) != 1 {
			t.Errorf("%s", answer.body)
		}
		partly := strings.Replace(c.lot("", one, c.rps(3, text(3))), "<transacao>true", "<transacao>false", 1)
		content := unsigned(partly)
		content = content[strings.Index(content, ">")+1 : strings.LastIndex(content, "<")]
		answer = c.send("EnvioLoteRPS", c.signed("PedidoEnvioLoteRPS", content))
		if !answer.succeeded() || answer.codes() != "223" || len(simulator.Ledger()) != 2 {
			t.Errorf("%s", answer.body)
		}
	})
	t.Run("Issues", func(t *testing.T) {
		two, four := c.rps(2, text(2)), c.rps(4, text(4))
		answer := c.send("EnvioLoteRPS", c.lot("", two, four))
		if !answer.succeeded() || len(simulator.Ledger()) != 4 ||
			answer.at("Cabecalho/InformacoesLote/ValorTotalServicos") != "3000.00" {
			t.Errorf("%s", answer.body)
		}
	})
}
