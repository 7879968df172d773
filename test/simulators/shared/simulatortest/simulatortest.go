// Package simulatortest is what the tests of the simulators share.
package simulatortest

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"emissor/test/simulators/shared/journal"
)

// Morning is when the tests happen, for a simulator.
var Morning = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// Clock stands still at Morning, until it is advanced.
type Clock struct{ passed atomic.Int64 }

// Now is what the clock shows.
func (c *Clock) Now() time.Time { return Morning.Add(time.Duration(c.passed.Load())) }

// Advance moves the clock.
func (c *Clock) Advance(d time.Duration) { c.passed.Add(int64(d)) }

// Started is a simulator that was started without an error. It is closed when the test
// ends.
func Started[S io.Closer](t testing.TB, simulator S, err error) S {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = simulator.Close() })
	return simulator
}

// Connect makes a client that trusts the roots and presents a certificate, if there is
// one.
func Connect(t testing.TB, roots *x509.CertPool, certificate *tls.Certificate) *http.Client {
	config := &tls.Config{RootCAs: roots, Renegotiation: tls.RenegotiateOnceAsClient}
	if certificate != nil {
		config.Certificates = []tls.Certificate{*certificate}
	}
	transport := &http.Transport{TLSClientConfig: config}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// TearLedger leaves the file of the ledger in a directory as a process does that is
// killed in the middle of a line, and returns what the file held before.
func TearLedger(t *testing.T, dir, begun string) (whole []byte) {
	t.Helper()
	path := filepath.Join(dir, journal.File)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(whole, begun...), 0o600); err != nil {
		t.Fatal(err)
	}
	return whole
}

// Tool is the path of a program that dev/setup.sh tests installs.
func Tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("needs %s, which dev/setup.sh tests installs", name)
	}
	return path
}
