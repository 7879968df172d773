package main

import (
	"bytes"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"emissor/test/simulators/shared/simulatortest"
)

// The built program serves, and ends in order on SIGTERM.
func TestProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "city")
	program := simulatortest.RunProgram(t, "--dir", dir)
	defer program.Stop()
	printed := program.Printed
	if !strings.HasSuffix(printed["service"], "/lotenfe.asmx") || !strings.Contains(printed["kept in"], dir) {
		t.Errorf("printed %v", printed)
	}
	status, roots := simulatortest.Get(t, http.DefaultClient, printed["roots"])
	if status != http.StatusOK || !bytes.Contains(roots, []byte("CERTIFICATE")) {
		t.Errorf("the roots: %d %s", status, roots)
	}
	status, ledger := simulatortest.Get(t, http.DefaultClient, printed["control"]+"/ledger")
	if status != http.StatusOK || !bytes.Contains(ledger, []byte(`"issued": []`)) {
		t.Errorf("the ledger: %d %s", status, ledger)
	}
}

func TestCommand_SaysWhatItIs(t *testing.T) {
	simulatortest.CheckHelp(t, command(), "development and tests only")
}
