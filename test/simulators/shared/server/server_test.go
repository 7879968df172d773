package server

import (
	"crypto/tls"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"emissor/test/simulators/shared/fault"
	"emissor/test/simulators/shared/icp"
)

var known = fault.Known{Kinds: []fault.Kind{fault.Drop, fault.HalfAnswer, fault.Latency}}

func open(t *testing.T, options Options) *Server {
	t.Helper()
	s, err := Open(options, known)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Of two simulators with the same address the second does not start, and leaves no trace
// in its directory.
func TestOpen_OneAddress(t *testing.T) {
	first := open(t, Options{})
	dir := filepath.Join(t.TempDir(), "kept")
	second, err := Open(Options{Listen: strings.TrimPrefix(first.Base(), "https://"), Dir: dir}, known)
	if err == nil {
		t.Errorf("a second one listens at %s", second.Base())
	}
	if _, err := os.Stat(dir); err == nil {
		t.Error("the second one made its directory")
	}
}

func TestOpen_UnknownFault(t *testing.T) {
	profile := fault.Profile{Faults: []fault.Fault{{Kind: "unknown"}}}
	_, err := Open(Options{FaultProfile: profile}, known)
	if err == nil || !strings.Contains(err.Error(), "faults[0].kind") {
		t.Errorf("%v", err)
	}
}

// An address is free again after a simulator was closed, served or not.
func TestClose(t *testing.T) {
	for _, serves := range []bool{true, false} {
		first := open(t, Options{})
		if serves {
			first.Serve(http.NotFoundHandler())
		}
		if err := first.Close(); err != nil {
			t.Errorf("closed with %v", err)
		}
		open(t, Options{Listen: strings.TrimPrefix(first.Base(), "https://")})
	}
}

// Who trusts the roots is answered, wholly or by half.
func TestCall(t *testing.T) {
	s := open(t, Options{})
	s.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c := s.Receive(w, r, "any"); c != nil {
			c.Answer(w, http.StatusTeapot, append(c.Body, '!'))
		}
	}))
	certificate, err := s.NewCertificate(icp.Subject{TaxID: "11222333000181"})
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.Roots(), Certificates: []tls.Certificate{certificate}},
	}
	defer transport.CloseIdleConnections()
	post := func(body string) (int, string, error) {
		t.Helper()
		response, err := (&http.Client{Transport: transport}).Post(s.Base(), "text/plain", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		return response.StatusCode, string(text), err
	}
	if status, text, err := post("abc"); status != http.StatusTeapot || text != "abc!" || err != nil {
		t.Errorf("%d %q %v", status, text, err)
	}
	if status, _, _ := post(strings.Repeat("x", largestBody+1)); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body that is too large: %d", status)
	}
	half := fault.Profile{Faults: []fault.Fault{{Kind: fault.HalfAnswer}}}
	if err := s.SetFaultProfile(half); err != nil {
		t.Fatal(err)
	}
	if status, text, err := post("abc"); status != http.StatusTeapot || text != "ab" || err == nil {
		t.Errorf("by half: %d %q %v", status, text, err)
	}
}

// A client that is leaving while it waits is cut off: it gets no answer, not even an empty one.
func TestReceive_ClientLeaves(t *testing.T) {
	s := open(t, Options{})
	s.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.Receive(w, r, "any") }))
	slow := fault.Profile{Faults: []fault.Fault{{Kind: fault.Latency, Delay: fault.Duration(time.Hour)}}}
	if err := s.SetFaultProfile(slow); err != nil {
		t.Fatal(err)
	}
	certificate, err := s.NewCertificate(icp.Subject{TaxID: "11222333000181"})
	if err != nil {
		t.Fatal(err)
	}
	connection, err := tls.Dial("tcp", strings.TrimPrefix(s.Base(), "https://"),
		&tls.Config{RootCAs: s.Roots(), Certificates: []tls.Certificate{certificate}})
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if _, err := io.WriteString(connection, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if err := connection.CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if answer, _ := io.ReadAll(connection); len(answer) > 0 {
		t.Errorf("it is answered %q", answer)
	}
}
