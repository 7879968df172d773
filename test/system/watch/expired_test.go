//go:build faults

package watch

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// authorityAddress is where the authority listens.
func (i *installation) authorityAddress(t *testing.T) string {
	t.Helper()
	for _, setting := range i.authority.Environment() {
		if address, found := strings.CutPrefix(setting, "EMISSOR_NATIONAL_RESTRICTED_URL="); found {
			parsed, err := url.Parse(address)
			if err != nil {
				t.Fatal(err)
			}
			return parsed.Host
		}
	}
	t.Fatal("the authority has no address")
	return ""
}

// serveExpired serves TLS at an address with a certificate that ended yesterday, until close is called.
func serveExpired(t *testing.T, address string) (close func()) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	expired := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "expired"}, IPAddresses: []net.IP{{127, 0, 0, 1}},
		NotBefore: time.Now().AddDate(-1, 0, 0), NotAfter: time.Now().AddDate(0, 0, -1),
	}
	der, err := x509.CreateCertificate(rand.Reader, expired, expired, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", address, &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.NotFoundHandler(), ReadHeaderTimeout: time.Second,
		ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = server.Serve(listener) }() // ends with Close
	t.Cleanup(func() { _ = server.Close() })
	return func() { _ = server.Close() }
}
