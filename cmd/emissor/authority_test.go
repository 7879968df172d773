package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"
)

// runAuthority runs the command until the test ends, and returns what it prints
// where things are under.
func runAuthority(t *testing.T, args ...string) map[string]string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	command := authorityCommand()
	command.SetArgs(append([]string{"--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"}, args...))
	command.SetOut(writer)
	ended := make(chan error, 1)
	go func() {
		err := command.ExecuteContext(ctx)
		writer.CloseWithError(io.EOF)
		ended <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the command ends with %v", err)
		}
	})
	printed := map[string]string{}
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		if name, value, found := strings.Cut(strings.TrimSpace(lines.Text()), "  "); found {
			printed[name] = strings.TrimSpace(value)
		}
		if printed["roots"] != "" {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	return printed
}

func TestAuthorityServes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "authority")
	printed := runAuthority(t, "--dir", dir)
	get := func(client *http.Client, url string) (int, []byte) {
		t.Helper()
		response, err := client.Get(url)
		must(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		must(t, err)
		return response.StatusCode, body
	}

	_, roots := get(http.DefaultClient, printed["roots"])
	if kept, err := os.ReadFile(filepath.Join(dir, "roots.pem")); err != nil || !bytes.Equal(kept, roots) {
		t.Errorf("the roots that are kept are others than those handed out: %v", err)
	}
	response, err := http.Post(printed["control"]+"/certificates", "application/json",
		strings.NewReader(`{"document":"11222333000181","name":"Acme","password":"segredo"}`))
	must(t, err)
	defer response.Body.Close()
	pfx, err := io.ReadAll(response.Body)
	must(t, err)
	key, leaf, chain, err := pkcs12.DecodeChain(pfx, "segredo")
	must(t, err)
	certificate := tls.Certificate{Certificate: [][]byte{leaf.Raw, chain[0].Raw}, PrivateKey: key}

	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(roots) {
		t.Fatal("there are no roots")
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{certificate}}}
	defer transport.CloseIdleConnections()
	status, body := get(&http.Client{Transport: transport}, printed["issue and ask"]+"/dps/DPS330455721122233300018100001000000000000042")
	if status != http.StatusNotFound || !bytes.Contains(body, []byte(`"tipoAmbiente":2`)) {
		t.Errorf("a document that does not exist: %d %s", status, body)
	}
	if status, body := get(http.DefaultClient, printed["control"]+"/ledger"); status != http.StatusOK || !bytes.Contains(body, []byte(`"issued": []`)) {
		t.Errorf("the ledger: %d %s", status, body)
	}
}

func TestAuthorityIsControlledFromThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1"} {
		command := authorityCommand()
		command.SilenceUsage, command.SilenceErrors = true, true
		command.SetArgs([]string{"--listen", "127.0.0.1:0", "--control", address})
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "--control") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAuthoritySaysWhatItIs(t *testing.T) {
	var help bytes.Buffer
	command := authorityCommand()
	command.SetOut(&help)
	command.SetArgs([]string{"--help"})
	must(t, command.Execute())
	for _, words := range []string{"development\nand tests only", "NO FISCAL VALUE", "loopback"} {
		if !strings.Contains(help.String(), words) {
			t.Errorf("the help does not say %q", words)
		}
	}
}
