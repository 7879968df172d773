package renegotiation_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"emissor/test/simulators/shared/renegotiation"
)

func TestServe_ClientTrustsAnother(t *testing.T) {
	url := serve(t, renegotiation.Options{}, nil)
	config := clientTLS()
	config.RootCAs = x509.NewCertPool()
	if _, _, _, err := exchange(newClient(t, config), url, 0); !errors.As(err, new(x509.UnknownAuthorityError)) {
		t.Error(err)
	}
}

func TestServe_NotTLS(t *testing.T) {
	url := serve(t, renegotiation.Options{}, nil)
	for _, said := range []string{"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\xff\xff", "\x17\x03\x03\x00\x01a",
		"\x16\x03\x01\x00\x04\x01\x00\x00\x00", "\x16\x03\x01\x00\x04\x01\xff\xff\xff", "\x14\x03\x01\x00\x01\x01"} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(url, "https://"))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, said)
		answer := make([]byte, 7)
		if _, err := io.ReadFull(conn, answer); err != nil || answer[0] != 21 || answer[5] != 2 {
			t.Errorf("%q: %x %v", said, answer, err)
		}
		_ = conn.Close()
	}
}

func TestServe_OtherVersions(t *testing.T) {
	url := serve(t, renegotiation.Options{}, nil)
	for _, version := range []uint16{tls.VersionTLS11, tls.VersionTLS13} {
		config := clientTLS(rsaClient())
		config.MinVersion, config.MaxVersion = version, version
		_, _, _, err := exchange(newClient(t, config), url, 0)
		if err == nil || !strings.HasSuffix(err.Error(), "remote error: tls: protocol version not supported") {
			t.Errorf("%x: %v", version, err)
		}
	}
}

func TestServe_OtherClientHellos(t *testing.T) {
	url := serve(t, renegotiation.Options{}, nil)
	for name, change := range map[string]func(*tls.Config){
		"P-256":     func(c *tls.Config) { c.CurvePreferences = []tls.CurveID{tls.CurveP256} },
		"http/1.1":  func(c *tls.Config) { c.NextProtos = []string{"h2", "http/1.1"} },
		"no P-384":  func(c *tls.Config) { c.CurvePreferences = []tls.CurveID{tls.CurveP384} },
		"no suite":  func(c *tls.Config) { c.CipherSuites = []uint16{tls.TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256} },
		"many keys": func(c *tls.Config) { c.CurvePreferences = []tls.CurveID{tls.CurveP384, tls.X25519} },
	} {
		t.Run(name, func(t *testing.T) {
			config := clientTLS(rsaClient())
			change(config)
			client := newClient(t, config)
			if !strings.HasPrefix(name, "no ") {
				expect(t, client, url, 10, "client sent 10")
				return
			}
			_, _, _, err := exchange(client, url, 0)
			if err == nil || !strings.HasSuffix(err.Error(), "remote error: tls: handshake failure") {
				t.Error(err)
			}
		})
	}
}
