package renegotiation_test

import (
	"context"
	"crypto/rsa"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"emissor/test/simulators/shared/renegotiation"
)

// meet connects a client and a server, whose raw connection can be changed.
func meet(t *testing.T, config *tls.Config, change func(net.Conn) net.Conn) (*tls.Conn, *renegotiation.Conn) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	raw, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	config.ServerName = "127.0.0.1"
	client := tls.Client(raw, config)
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		accepted = change(accepted)
	}
	certificate := ecdsaServer()
	server := renegotiation.NewConn(accepted, &certificate, false)
	t.Cleanup(func() {
		_ = client.Close()
		_ = server.Close()
	})
	return client, server
}

// stuttering gives one byte, then ends by a deadline, and so on.
type stuttering struct {
	net.Conn
	on, late bool
}

func (s *stuttering) Read(p []byte) (int, error) {
	if !s.on {
		return s.Conn.Read(p)
	}
	if s.late = !s.late; s.late {
		return 0, os.ErrDeadlineExceeded
	}
	return s.Conn.Read(p[:1])
}

func TestConn_DeadlineInTheMidstOfARecord(t *testing.T) {
	var raw *stuttering
	client, server := meet(t, clientTLS(), func(conn net.Conn) net.Conn {
		raw = &stuttering{Conn: conn}
		return raw
	})
	go func() { _, _ = client.Write([]byte("first")) }()
	buffer := make([]byte, 100)
	if n, err := server.Read(buffer); err != nil || string(buffer[:n]) != "first" {
		t.Fatalf("%q %v", buffer[:n], err)
	}
	raw.on = true
	if _, err := client.Write([]byte("second")); err != nil {
		t.Fatal(err)
	}
	timeouts := 0
	for {
		n, err := server.Read(buffer)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			timeouts++
			continue
		}
		if err != nil || string(buffer[:n]) != "second" || timeouts < len("second") {
			t.Errorf("%q %v after %d deadlines", buffer[:n], err, timeouts)
		}
		return
	}
}

func TestConn_Renegotiate(t *testing.T) {
	client, server := meet(t, clientTLS(rsaClient()), nil)
	heard := make(chan string)
	go func() {
		_, _ = client.Write([]byte("before"))
		all, _ := io.ReadAll(client)
		heard <- string(all)
	}()
	buffer := make([]byte, 100)
	if n, err := server.Read(buffer); err != nil || string(buffer[:n]) != "before" {
		t.Fatalf("%q %v", buffer[:n], err)
	}
	if state := server.ConnectionState(); !state.HandshakeComplete || state.PeerCertificates != nil {
		t.Errorf("%+v", state)
	}
	if err := server.Renegotiate(t.Context(), renegotiation.Behaviour{}); err != nil {
		t.Fatal(err)
	}
	state := server.ConnectionState()
	if state.Version != tls.VersionTLS12 || name(&state) != "client" ||
		state.CipherSuite != tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 {
		t.Errorf("%+v", state)
	}
	if err := server.Renegotiate(t.Context(), renegotiation.Behaviour{}); err == nil {
		t.Error("it renegotiated twice")
	}
	long := strings.Repeat("after", 10_000)
	if n, err := server.Write([]byte(long)); n != len(long) || err != nil {
		t.Error(n, err)
	}
	_ = server.Close()
	if got := <-heard; got != long {
		t.Errorf("the client read %d bytes", len(got))
	}
}

func TestConn_RenegotiateUntilContextEnds(t *testing.T) {
	client, server := meet(t, clientTLS(rsaClient()), nil)
	go func() { _, _ = client.Write([]byte("the client reads nothing")) }()
	if _, err := server.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := server.Renegotiate(ctx, renegotiation.Behaviour{}); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

func TestConn_CertificateOfSomebodyElse(t *testing.T) {
	for _, certificate := range []tls.Certificate{rsaClient(), ecdsaClient()} {
		if _, ofRSA := certificate.PrivateKey.(*rsa.PrivateKey); ofRSA {
			certificate.PrivateKey = newRSA()
		} else {
			certificate.PrivateKey = newECDSA()
		}
		url := serve(t, renegotiation.Options{}, func(http.ResponseWriter, *http.Request) { t.Error("served") })
		_, _, _, err := exchange(newClient(t, clientTLS(certificate)), url, 0)
		if err == nil || !strings.HasSuffix(err.Error(), "remote error: tls: error decrypting message") {
			t.Error(err)
		}
	}
}

// spoiling changes a byte of what is written, once it is on.
type spoiling struct {
	net.Conn
	on atomic.Bool
}

func (s *spoiling) Read(p []byte) (int, error) {
	n, err := s.Conn.Read(p)
	if s.on.Load() && n > 5 {
		p[n-1] ^= 1
	}
	return n, err
}

func TestConn_SpoiltRecord(t *testing.T) {
	var raw *spoiling
	client, server := meet(t, clientTLS(), func(conn net.Conn) net.Conn {
		raw = &spoiling{Conn: conn}
		return raw
	})
	go func() { _, _ = client.Write([]byte("first")) }()
	if _, err := server.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	raw.on.Store(true)
	if _, err := client.Write([]byte("second")); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Read(make([]byte, 100)); !errors.Is(err, tls.AlertError(20)) {
		t.Error(err)
	}
	if _, err := client.Read(make([]byte, 100)); err == nil || err.Error() != "remote error: tls: bad record MAC" {
		t.Error(err)
	}
}
