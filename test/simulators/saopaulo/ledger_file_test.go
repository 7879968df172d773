package saopaulo_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"emissor/test/simulators/saopaulo"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
)

// What a directory keeps outlives the process, even one that was killed.
func TestLedgerFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "simulator")
	first := start(t, saopaulo.Options{Options: server.Options{Dir: dir}})
	c := newClient(t, first, saopaulo.Subject{TaxID: issuer})
	c.issue(1)
	c.send("EnvioRPS", c.message(1))
	c.issue(2)
	c.send("CancelamentoNFe", c.cancellation(3, 20))
	c.issue(3)
	if err := first.MarkNote(registration, 4, saopaulo.InGuide); err != nil {
		t.Fatal(err)
	}
	before, shown := first.Ledger(), c.send("ConsultaNFe", c.query(rpsKey(1), rpsKey(2), rpsKey(3))).retorno
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	// A process that was killed in the middle of a line.
	simulatortest.TearLedger(t, dir, `{"note":{"registration":"3`)

	second := start(t, saopaulo.Options{Options: server.Options{Dir: dir}})
	again := connect(t, second, c.certificate)
	if after := second.Ledger(); !reflect.DeepEqual(after, before) {
		t.Errorf("the ledger after a restart: %+v\nbefore: %+v", after, before)
	}
	if now := again.send("ConsultaNFe", again.query(rpsKey(1), rpsKey(2), rpsKey(3))).retorno; now != shown {
		t.Errorf("%s\n%s", shown, now)
	}
	if answer := again.send("EnvioRPS", again.message(3)); answer.codes() != "218" {
		t.Errorf("a mark was lost: %s", answer.body)
	}
	if number := again.issue(4); number != "5" {
		t.Errorf("the next note has the number %s", number)
	}
}
