package saopaulo_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
)

func TestCancel(t *testing.T) {
	clock := new(clock)
	simulator := start(t, saopaulo.Options{Options: server.Options{Clock: clock.Now}})
	c := newClient(t, simulator, saopaulo.Subject{TaxID: issuer})
	for number := 1; number <= 5; number++ {
		c.issue(number)
	}
	cancel := func(number, width int) reply {
		t.Helper()
		return c.send("CancelamentoNFe", c.cancellation(number, width))
	}
	t.Run("Once", func(t *testing.T) {
		if answer := cancel(1, 20); !answer.succeeded() || answer.codes() != "" {
			t.Fatalf("%s", answer.body)
		}
		note := simulator.Ledger()[0]
		if !note.Cancelled || note.CancelledBy != saopaulo.ByRequest || note.ReplacedBy != 0 {
			t.Errorf("%+v", note)
		}
		found := c.send("ConsultaNFe", c.query(rpsKey(1)))
		if found.at("NFe/StatusNFe") != "C" || found.at("NFe/DataCancelamento") != "2026-11-21T09:00:00" {
			t.Errorf("%s", found.retorno)
		}
	})
	t.Run("AgainIsAnAlert", func(t *testing.T) {
		answer := cancel(1, 20)
		if !answer.succeeded() || answer.codes() != "1301" ||
			answer.at("Alerta/Descricao") != "NF-e já cancelada em 21/11/2026." {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("OfNoNote", func(t *testing.T) {
		if answer := cancel(99, 20); answer.succeeded() || answer.codes() != "1304" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("ByTheOtherString", func(t *testing.T) {
		if answer := cancel(2, 24); answer.codes() != "1305" {
			t.Errorf("%s", answer.retorno)
		}
		simulator.SetRegistry(saopaulo.Registry{CancelWidth: 24})
		if answer := cancel(2, 20); answer.codes() != "1305" {
			t.Errorf("%s", answer.retorno)
		}
		if answer := cancel(2, 24); !answer.succeeded() {
			t.Errorf("%s", answer.retorno)
		}
		simulator.SetRegistry(saopaulo.Registry{})
	})
	t.Run("InNoOtherWidth", func(t *testing.T) {
		defer simulator.SetRegistry(saopaulo.Registry{})
		for _, taken := range []int{0, 20, 22, 24} {
			simulator.SetRegistry(saopaulo.Registry{CancelWidth: taken})
			for _, width := range []int{21, 22, 23, 25, 26} {
				if answer := cancel(3, width); answer.codes() != "1305" {
					t.Errorf("%d where %d is taken: %s", width, taken, answer.retorno)
				}
			}
		}
	})
	t.Run("Refused", func(t *testing.T) {
		for number, test := range map[int64]struct {
			mark saopaulo.Mark
			code string
		}{3: {saopaulo.InGuide, "323"}, 4: {saopaulo.Deducted, "386"}} {
			if err := simulator.MarkNote(registration, number, test.mark); err != nil {
				t.Fatal(err)
			}
			if answer := cancel(int(number), 20); answer.codes() != test.code {
				t.Errorf("%s: %s", test.mark, answer.retorno)
			}
		}
		made, err := simulator.IssueOnSite(siteNote("6"))
		if err != nil {
			t.Fatal(err)
		}
		if answer := cancel(int(made.Number), 20); answer.codes() != "1306" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("OnTheSite", func(t *testing.T) {
		c.issue(7)
		entries := simulator.Ledger()
		number := entries[len(entries)-1].Number
		if err := simulator.CancelOnSite(registration, number); err != nil {
			t.Fatal(err)
		}
		if answer := c.send("ConsultaNFe", c.query(rpsKey(7))); answer.at("NFe/StatusNFe") != "C" {
			t.Errorf("%s", answer.retorno)
		}
		if answer := cancel(int(number), 20); answer.codes() != "1301" {
			t.Errorf("%s", answer.retorno)
		}
	})
	t.Run("TooLate", func(t *testing.T) {
		clock.Advance(181 * 24 * time.Hour)
		if answer := cancel(5, 20); answer.codes() != "324" {
			t.Errorf("%s", answer.retorno)
		}
	})
}

// A registration of more than 8 digits does not fit into the narrow string: it is signed
// in the wide one, whichever the city takes else, and in none between them.
func TestCancel_OfALongRegistration(t *testing.T) {
	const long = "3100000012"
	simulator, c := startWithIssuer(t)
	message := func(number int) string {
		signed := strings.Replace(text(number), "0000"+registration, "00"+long, 1)
		item := c.rps(number, signed, change{registration, long})
		return c.signed("PedidoEnvioRPS", header("")+item)
	}
	for number, taken := range []int{20, 24} {
		number++
		if answer := c.send("EnvioRPS", message(number)); !answer.succeeded() {
			t.Fatal(answer.body)
		}
		simulator.SetRegistry(saopaulo.Registry{CancelWidth: taken})
		for _, test := range []struct {
			width int
			codes string
		}{{22, "1305"}, {20, "1305"}, {24, ""}, {24, "1301"}} {
			signed := fmt.Sprintf("%0*s%012d", test.width-12, long, number)
			if test.width == 20 {
				signed = fmt.Sprintf("%s%012d", long[len(long)-8:], number)
			}
			answer := c.send("CancelamentoNFe", c.cancellationBy(long, number, signed))
			if answer.codes() != test.codes {
				t.Errorf("a string of %d where %d is taken: %s", test.width, taken, answer.retorno)
			}
		}
	}
}
