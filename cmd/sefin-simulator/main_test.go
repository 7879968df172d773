package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/test/simulators/shared/simulatortest"
)

// The built program serves, and ends in order on SIGTERM, also while somebody holds a
// connection to its control address.
func TestProgram(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "authority")
	program := simulatortest.RunProgram(t, "--dir", dir)
	defer program.Stop()
	printed := program.Printed

	_, roots := simulatortest.Get(t, http.DefaultClient, printed["roots"])
	if kept, err := os.ReadFile(filepath.Join(dir, "roots.pem")); err != nil || !bytes.Equal(kept, roots) {
		t.Errorf("the roots that are kept are others than those handed out: %v", err)
	}
	status, body := simulatortest.Get(t, clientOf(t, printed["control"], roots),
		printed["issue and query"]+"/dps/DPS330455721122233300018100001000000000000042")
	if status != http.StatusNotFound || !bytes.Contains(body, []byte(`"codigo":"E2404"`)) {
		t.Errorf("a document that does not exist: %d %s", status, body)
	}
	status, body = simulatortest.Get(t, http.DefaultClient, printed["control"]+"/ledger")
	if status != http.StatusOK || !bytes.Contains(body, []byte(`"issued": []`)) {
		t.Errorf("the ledger: %d %s", status, body)
	}
}

// With --issnet or --fiorilli the built program is a city of that family, which asks for a certificate and is
// controlled by /behaviour too.
func TestProgram_ISSNet(t *testing.T)   { playsCity(t, "--issnet") }
func TestProgram_Fiorilli(t *testing.T) { playsCity(t, "--fiorilli") }

func playsCity(t *testing.T, flag string) {
	t.Helper()
	program := simulatortest.RunProgram(t, flag)
	defer program.Stop()
	control, service := program.Printed["control"], program.Printed["issue and query"]
	status, body := simulatortest.Get(t, http.DefaultClient, control+"/behaviour")
	if status != http.StatusOK || strings.TrimSpace(string(body)) != "{}" {
		t.Errorf("how it behaves: %d %s", status, body)
	}
	_, roots := simulatortest.Get(t, http.DefaultClient, program.Printed["roots"])
	if status, body = simulatortest.Get(t, clientOf(t, control, roots), service); status != http.StatusMethodNotAllowed {
		t.Errorf("a GET of the service: %d %s", status, body)
	}
}

// clientOf presents a certificate that the control address gave.
func clientOf(t *testing.T, control string, roots []byte) *http.Client {
	t.Helper()
	response, err := http.Post(control+"/certificates", "application/json",
		strings.NewReader(`{"document":"11222333000181","name":"Acme","password":"segredo"}`))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	pfx, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	key, leaf, chain, err := pkcs12.DecodeChain(pfx, "segredo")
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(roots) {
		t.Fatal("there are no roots")
	}
	return simulatortest.Connect(t, pool,
		&tls.Certificate{Certificate: [][]byte{leaf.Raw, chain[0].Raw}, PrivateKey: key})
}

func TestCommand_SaysWhatItIs(t *testing.T) {
	simulatortest.CheckHelp(t, command(), "development\nand tests only")
}
