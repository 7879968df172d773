package sefin_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/journal"
	"emissor/test/simulators/shared/server"
	"emissor/test/simulators/shared/simulatortest"
)

// What a directory keeps outlives the process, even one that was killed.
func TestLedgerFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "simulator")
	first := start(t, sefin.Options{Options: server.Options{Dir: dir}})
	c := newClient(t, first, sefin.Subject{TaxID: issuer})
	key := c.issued(c.dps(1))
	cancelled := c.issued(c.dps(2))
	c.cancel(cancelled, c.eventRequest(cancelled, "101101"))
	roots, nfse := first.RootsPEM(), first.NFSe(key)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}

	// A process that was killed in the middle of a line.
	whole := simulatortest.TearLedger(t, dir, `{"note":{"access_key":"3`)

	second := start(t, sefin.Options{Options: server.Options{Dir: dir}})
	if !bytes.Equal(second.RootsPEM(), roots) {
		t.Error("the roots changed")
	}
	if onDisk, err := os.ReadFile(filepath.Join(dir, server.RootsFile)); err != nil || !bytes.Equal(onDisk, roots) {
		t.Errorf("the file of roots: %v", err)
	}
	again := connect(t, second, c.certificate)
	again.certificate = c.certificate
	if answer := again.get("/nfse/" + key); answer.status != http.StatusOK || !bytes.Equal(second.NFSe(key), nfse) {
		t.Errorf("asked after a restart: %d %s", answer.status, answer.text)
	}
	if answer := again.issue(again.dps(1)); answer.codes() != "E0014" {
		t.Errorf("the same number after a restart: %s", answer.text)
	}
	again.issued(again.dps(3))
	entries := second.Ledger()
	if len(entries) != 3 || entries[0].Cancelled || !entries[1].Cancelled || entries[2].NFSeNumber != 3 {
		t.Errorf("the ledger after a restart: %+v", entries)
	}
	after, err := os.ReadFile(filepath.Join(dir, journal.File))
	if lines := bytes.Count(after, []byte("\n")); err != nil || !bytes.HasPrefix(after, whole) || lines != 4 {
		t.Errorf("the file of the ledger: %d lines, %v", lines, err)
	}

	if err := os.WriteFile(filepath.Join(dir, "server.pem"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := sefin.Start(sefin.Options{Options: server.Options{Dir: dir}}); err == nil {
		t.Error("a broken key was accepted")
	}
}
