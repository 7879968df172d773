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
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run runs the command until the test ends, and returns what it prints where
// things are under.
func run(t *testing.T, args ...string) map[string]string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	command := command()
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
	printed := readPrinted(reader)
	go func() { _, _ = io.Copy(io.Discard, reader) }()
	return printed
}

// readPrinted reads names and values, up to where the roots are.
func readPrinted(output io.Reader) map[string]string {
	printed := map[string]string{}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if name, value, found := strings.Cut(strings.TrimSpace(lines.Text()), "  "); found {
			printed[name] = strings.TrimSpace(value)
		}
		if printed["roots"] != "" {
			break
		}
	}
	return printed
}

func get(t *testing.T, client *http.Client, url string) (int, []byte) {
	t.Helper()
	response, err := client.Get(url)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, body
}

func TestSimulator(t *testing.T) {
	t.Run("Serves", serves)
	t.Run("StopsWhenItIsTold", stops)
	t.Run("IsControlledFromThisMachineOnly", func(t *testing.T) {
		for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1"} {
			command := command()
			command.SetArgs([]string{"--listen", "127.0.0.1:0", "--control", address})
			err := command.ExecuteContext(t.Context())
			if err == nil || !strings.Contains(err.Error(), "--control") {
				t.Errorf("%s: %v", address, err)
			}
		}
	})
	t.Run("SaysWhatItIs", func(t *testing.T) {
		var help bytes.Buffer
		command := command()
		command.SetOut(&help)
		command.SetArgs([]string{"--help"})
		must(t, command.Execute())
		for _, words := range []string{"development\nand tests only", "NO FISCAL VALUE", "loopback"} {
			if !strings.Contains(help.String(), words) {
				t.Errorf("the help does not say %q", words)
			}
		}
	})
}

func serves(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "authority")
	printed := run(t, "--dir", dir)

	_, roots := get(t, http.DefaultClient, printed["roots"])
	if kept, err := os.ReadFile(filepath.Join(dir, "roots.pem")); err != nil || !bytes.Equal(kept, roots) {
		t.Errorf("the roots that are kept are others than those handed out: %v", err)
	}
	status, body := get(t, clientOf(t, printed["control"], roots),
		printed["issue and query"]+"/dps/DPS330455721122233300018100001000000000000042")
	if status != http.StatusNotFound || !bytes.Contains(body, []byte(`"tipoAmbiente":2`)) {
		t.Errorf("a document that does not exist: %d %s", status, body)
	}
	status, body = get(t, http.DefaultClient, printed["control"]+"/ledger")
	if status != http.StatusOK || !bytes.Contains(body, []byte(`"issued": []`)) {
		t.Errorf("the ledger: %d %s", status, body)
	}
}

// clientOf presents a certificate that the control address gave.
func clientOf(t *testing.T, control string, roots []byte) *http.Client {
	t.Helper()
	response, err := http.Post(control+"/certificates", "application/json",
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
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{certificate}},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// The program ends in order on SIGTERM, also while somebody holds a connection to
// its control address.
func stops(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "sefin-simulator")
	if output, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	program := exec.CommandContext(t.Context(), binary, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0")
	output, err := program.StdoutPipe()
	must(t, err)
	must(t, program.Start())
	printed := readPrinted(output)
	if status, _ := get(t, http.DefaultClient, printed["control"]+"/faults"); status != http.StatusOK {
		t.Errorf("the faults: %d", status)
	}
	told := time.Now()
	must(t, program.Process.Signal(syscall.SIGTERM))
	if err := program.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
	if took := time.Since(told); took > 10*time.Second {
		t.Errorf("it ends after %s", took)
	}
}
