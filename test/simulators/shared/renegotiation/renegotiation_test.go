package renegotiation_test

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"emissor/test/simulators/shared/renegotiation"
)

func TestServe_ClientOfGo(t *testing.T) {
	for _, server := range []tls.Certificate{ecdsaServer(), rsaServer()} {
		for _, client := range []tls.Certificate{ecdsaClient(), rsaClient()} {
			for _, early := range []bool{false, true} {
				for _, highest := range []uint16{tls.VersionTLS12, 0} {
					name := fmt.Sprintf("%T,%T,early=%t,%x", server.PrivateKey, client.PrivateKey, early, highest)
					t.Run(name, func(t *testing.T) {
						config := clientTLS(client)
						config.MaxVersion = highest
						url := serve(t, renegotiation.Options{Certificate: server, AskEarly: early}, nil)
						for _, first := range []int{0, 10, 6 << 10, 100 << 10} {
							oneConnection(t, newClient(t, config), url, first)
						}
					})
				}
			}
		}
	}
}

// oneConnection makes many requests, and wants them all in one connection. The first finds out who the client is.
func oneConnection(t *testing.T, client *http.Client, url string, first int) {
	t.Helper()
	from := expect(t, client, url, first, fmt.Sprintf("client sent %d", first))
	for range 3 {
		for _, size := range []int{0, 10, 6 << 10, 100 << 10} {
			if next := expect(t, client, url, size, fmt.Sprintf("client sent %d", size)); next != from {
				t.Fatalf("another connection: %s after %s", next, from)
			}
		}
	}
}

func TestServe_ManyConnections(t *testing.T) {
	url := serve(t, renegotiation.Options{}, nil)
	var group sync.WaitGroup
	for i := range 16 {
		client := newClient(t, clientTLS(ecdsaClient()))
		group.Go(func() { oneConnection(t, client, url, i%2*(50<<10)) })
	}
	group.Wait()
}

func TestServe_ClientWithoutCertificate(t *testing.T) {
	url := serve(t, renegotiation.Options{AskEarly: true}, nil)
	expect(t, newClient(t, clientTLS()), url, 10, "nobody sent 10")
}

func TestServe_Late(t *testing.T) {
	late := func(r *http.Request) bool { return r.Method == http.MethodPost }
	for early, before := range map[bool]string{false: "nobody sent 0", true: "client sent 0"} {
		url := serve(t, renegotiation.Options{AskEarly: early, Late: late}, nil)
		client := newClient(t, clientTLS(rsaClient()))
		expect(t, client, url, 0, before)
		expect(t, client, url, 10, "client sent 10")
		expect(t, client, url, 0, before)
	}
}

// A client that shows its certificate in the first handshake, and none in the second.
func TestServe_LateSeesOnlyWhatWasShownLate(t *testing.T) {
	config := clientTLS()
	asked := 0
	config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
		if asked++; asked > 1 {
			return &tls.Certificate{}, nil
		}
		certificate := ecdsaClient()
		return &certificate, nil
	}
	late := func(r *http.Request) bool { return r.Method == http.MethodPost }
	url := serve(t, renegotiation.Options{AskEarly: true, Late: late}, nil)
	client := newClient(t, config)
	expect(t, client, url, 0, "client sent 0")
	expect(t, client, url, 10, "nobody sent 10")
	expect(t, client, url, 0, "client sent 0")
}

func TestServe_RenegotiateNever(t *testing.T) {
	url := serve(t, renegotiation.Options{AskEarly: true}, nil)
	config := clientTLS(rsaClient())
	config.Renegotiation = tls.RenegotiateNever
	_, _, _, err := exchange(newClient(t, config), url, 0)
	if err == nil || !strings.HasSuffix(err.Error(), "local error: tls: no renegotiation") {
		t.Errorf("the client's error: %v", err)
	}
}

// The transport of net/http gives up where a client of crypto/tls can go on reading.
func TestServe_ClientRefusesAndStays(t *testing.T) {
	url := serve(t, renegotiation.Options{AskEarly: true}, nil)
	config := clientTLS(rsaClient())
	config.Renegotiation = tls.RenegotiateNever
	conn, err := tls.Dial("tcp", strings.TrimPrefix(url, "https://"), config)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\nHost: a\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 4096)
	if n, err := conn.Read(buffer); n != 0 || err == nil {
		t.Fatalf("%d %v", n, err)
	}
	n, err := conn.Read(buffer)
	answer := string(buffer[:n])
	if err != nil || !strings.HasPrefix(answer, "HTTP/1.1 200 OK") || !strings.HasSuffix(answer, "nobody sent 0") {
		t.Errorf("%q %v", answer, err)
	}
}

func TestServe_Hijack(t *testing.T) {
	url := serve(t, renegotiation.Options{}, func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		below, ok := conn.(interface{ NetConn() net.Conn })
		if !ok {
			t.Errorf("%T", conn)
			return
		}
		if r.URL.Path == "/reset" {
			_ = below.NetConn().(*net.TCPConn).SetLinger(0)
		}
		_ = below.NetConn().Close()
	})
	client := newClient(t, clientTLS(rsaClient()))
	for path, want := range map[string]string{"/close": "EOF", "/reset": "connection reset by peer"} {
		if _, _, _, err := exchange(client, url+path, 0); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
