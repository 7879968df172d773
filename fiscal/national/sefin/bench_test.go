package sefin

import (
	"bytes"
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
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
)

// ca is a certificate authority of a test.
type ca struct {
	key         *ecdsa.PrivateKey
	certificate *x509.Certificate
	pool        *x509.CertPool
}

func newCA(t testing.TB) *ca {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "CA of a test"}, IsCA: true,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	made := &ca{key, certificate, x509.NewCertPool()}
	made.pool.AddCert(certificate)
	return made
}

// sign makes a certificate for the loopback host, good for servers and clients.
func (ca *ca) sign(t testing.TB, host string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<60))
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "of a test"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.ParseIP(host)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, ca.certificate, &key.PublicKey, ca.key)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// bench is a client with a certificate, and the TLS of a server that wants it.
type bench struct {
	t       testing.TB
	servers *ca // signs the servers
	clients *ca // signs the clients
	server  *tls.Config
	options Options
	access  fiscal.Access
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, servers: newCA(t), clients: newCA(t)}
	b.server = &tls.Config{
		Certificates: []tls.Certificate{b.servers.sign(t, "127.0.0.1")},
		ClientAuth:   tls.RequireAndVerifyClientCert, ClientCAs: b.clients.pool,
		NextProtos: []string{"h2", "http/1.1"},
	}
	b.options = Options{Transport: mtls.Options{ServerRoots: b.servers.pool, UserAgent: "Emissor-test"}}
	credentials := &fiscal.Credentials{ID: "crt_1", Certificate: b.clients.sign(t, "127.0.0.1")}
	b.access = fiscal.Access{Credentials: credentials}
	return b
}

// serve starts an authority that answers with a handler.
func (b *bench) serve(handler http.HandlerFunc) *Client {
	b.t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = b.server
	server.EnableHTTP2 = true
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	b.t.Cleanup(server.Close)
	return b.client(server.URL + "/SefinNacional")
}

// listen starts an authority that does with each connection as it likes, before
// any TLS.
func (b *bench) listen(handle func(net.Conn)) *Client {
	b.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.t.Fatal(err)
	}
	var done sync.WaitGroup
	b.t.Cleanup(func() { listener.Close(); done.Wait() })
	done.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			done.Go(func() {
				defer conn.Close()
				handle(conn)
			})
		}
	})
	return b.client("https://" + listener.Addr().String() + "/SefinNacional")
}

// listenTLS is listen with the handshake done.
func (b *bench) listenTLS(handle func(tcp *net.TCPConn, conn *tls.Conn)) *Client {
	return b.listen(func(tcp net.Conn) {
		conn := tls.Server(tcp, b.server)
		if conn.Handshake() == nil {
			handle(tcp.(*net.TCPConn), conn)
		}
	})
}

func (b *bench) client(url string) *Client {
	b.t.Helper()
	options := b.options
	options.RestrictedURL = url
	c, err := New(options)
	if err != nil {
		b.t.Fatal(err)
	}
	return c
}

func (b *bench) issue(c *Client) fiscal.Answer {
	return c.Send(b.t.Context(), b.access, issuing)
}

// readRequest reads one request whole, which ends like the JSON in it.
func readRequest(conn net.Conn) []byte {
	var read bytes.Buffer
	for piece := make([]byte, 4096); ; {
		n, err := conn.Read(piece)
		read.Write(piece[:n])
		if err != nil || bytes.HasSuffix(read.Bytes(), []byte(`"}`)) {
			return read.Bytes()
		}
	}
}
