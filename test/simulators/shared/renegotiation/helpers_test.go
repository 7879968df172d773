package renegotiation_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"emissor/test/simulators/shared/renegotiation"
)

// Identities are made once, as keys of RSA take their time.
var (
	ecdsaServer = sync.OnceValue(func() tls.Certificate { return identity("server", newECDSA()) })
	otherServer = sync.OnceValue(func() tls.Certificate { return identity("server", newECDSA()) })
	rsaServer   = sync.OnceValue(func() tls.Certificate { return identity("server", newRSA()) })
	rsaClient   = sync.OnceValue(func() tls.Certificate { return identity("client", newRSA()) })
	ecdsaClient = sync.OnceValue(func() tls.Certificate { return identity("client", newECDSA()) })
)

func newECDSA() crypto.Signer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

func newRSA() crypto.Signer {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
}

// identity is a certificate that signs itself, with its key.
func identity(name string, key crypto.Signer) tls.Certificate {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// serve serves until the test ends, and returns where. Without a handler it is whoIsIt.
func serve(t *testing.T, options renegotiation.Options, handler http.HandlerFunc) string {
	t.Helper()
	if options.Certificate.PrivateKey == nil {
		options.Certificate = ecdsaServer()
	}
	if handler == nil {
		handler = whoIsIt
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, ErrorLog: log.New(io.Discard, "", 0),
	}
	done := make(chan error)
	go func() { done <- renegotiation.Serve(server, listener, handler, options) }()
	t.Cleanup(func() {
		_ = server.Close()
		if err := <-done; err != http.ErrServerClosed {
			t.Errorf("Serve returned %v", err)
		}
	})
	return "https://" + listener.Addr().String()
}

// whoIsIt answers with who the client is, from where, and how many bytes it sent.
func whoIsIt(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("From", r.RemoteAddr)
	_, _ = fmt.Fprintf(w, "%s sent %d", name(r.TLS), n)
}

func name(state *tls.ConnectionState) string {
	if len(state.PeerCertificates) == 0 {
		return "nobody"
	}
	return state.PeerCertificates[0].Subject.CommonName
}

// clientTLS is of a client that trusts both servers and renegotiates.
func clientTLS(certificates ...tls.Certificate) *tls.Config {
	roots := x509.NewCertPool()
	roots.AddCert(ecdsaServer().Leaf)
	roots.AddCert(rsaServer().Leaf)
	return &tls.Config{
		RootCAs: roots, Certificates: certificates, MaxVersion: tls.VersionTLS12,
		Renegotiation: tls.RenegotiateOnceAsClient,
	}
}

func newClient(t *testing.T, config *tls.Config) *http.Client {
	transport := &http.Transport{TLSClientConfig: config, ExpectContinueTimeout: time.Minute}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: 20 * time.Second}
}

// exchange sends a body, or a GET if size is 0, and returns status, answer and the client's address.
func exchange(client *http.Client, url string, size int) (status int, answer, from string, err error) {
	var response *http.Response
	if size == 0 {
		response, err = client.Get(url)
	} else {
		response, err = client.Post(url, "text/plain", bytes.NewReader(make([]byte, size)))
	}
	if err != nil {
		return 0, "", "", err
	}
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	return response.StatusCode, string(body), response.Header.Get("From"), err
}

// expect exchanges, and wants 200 and an answer.
func expect(t *testing.T, client *http.Client, url string, size int, want string) (from string) {
	t.Helper()
	status, answer, from, err := exchange(client, url, size)
	if err != nil || status != http.StatusOK || answer != want {
		t.Errorf("%d bytes: %d %q %v, want %q", size, status, answer, err, want)
	}
	return from
}
