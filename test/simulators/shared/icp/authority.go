// Package icp is the test ICP of the simulators: a certificate authority in the image
// of ICP-Brasil that gives A1 certificates, and the certificate of a simulator's server.
package icp

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"slices"
	"sync/atomic"
	"time"
)

// Authority holds the certificates of a simulator: its server's with a root of its
// own, and a test ICP with a root and the authority that gives A1 certificates.
type Authority struct {
	dir                string
	serverRoot, server *Identity
	root, issuer       *Identity
	foreign            *Identity    // a root outside the test ICP
	rsaKeys            atomic.Int32 // that it has used
}

// Open makes the certificates, or reads those kept in a directory; empty keeps none. The server's, where it is made, is
// good for loopback and the address that it listens on.
func Open(dir string, now time.Time, listens net.IP) (*Authority, error) {
	var err error
	create := func(name string, parent *Identity, template *x509.Certificate) *Identity {
		if err != nil {
			return nil
		}
		var created *Identity
		created, err = keep(dir, name, func() (*Identity, error) { return issue(parent, template, newECKey) })
		return created
	}
	a := &Authority{dir: dir}
	a.serverRoot = create("server-root", nil, caTemplate("Simulator Server Root", now))
	a.server = create("server", a.serverRoot, serverTemplate(now, listens))
	a.root = create("icp-root", nil, caTemplate("AC Raiz de Teste", now))
	a.issuer = create("icp-issuer", a.root, caTemplate("AC Emissora de Teste", now))
	a.foreign = create("foreign-root", nil, caTemplate("Foreign Root", now))
	return a, err
}

// NewSigner makes the certificate by which a simulator signs, of the root of the test
// ICP, or reads it where it is kept.
func (a *Authority) NewSigner(file, name string, now time.Time) (*Identity, error) {
	template := &x509.Certificate{
		Subject:   testName(name),
		NotBefore: now.Add(-tenYears), NotAfter: now.Add(tenYears),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
	}
	return keep(a.dir, file, func() (*Identity, error) { return issue(a.root, template, a.newRSAKey) })
}

// tenYears is for how long, before and after they are made, certificates of the simulator itself are good: its clock
// may be skewed to a past day.
const tenYears = 10 * 365 * 24 * time.Hour

func testName(name string) pkix.Name {
	return pkix.Name{
		Country: []string{"BR"}, Organization: []string{"Emissor simulator, no fiscal value"}, CommonName: name,
	}
}

func caTemplate(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   testName(name),
		NotBefore: now.Add(-tenYears), NotAfter: now.Add(tenYears),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
}

func serverTemplate(now time.Time, listens net.IP) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: "localhost"},
		DNSNames:  []string{"localhost"},
		NotBefore: now.Add(-tenYears), NotAfter: now.Add(tenYears),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback, listens},
		KeyUsage:    x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// ServerTLS is the TLS of a simulator's server: 1.2 or 1.3, HTTP/1.1, and it asks for a
// certificate. A client without one, or with a bad one, is refused by an HTTP answer.
func (a *Authority) ServerTLS() *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{{
			Certificate: [][]byte{a.server.Certificate.Raw}, PrivateKey: a.server.Key,
		}},
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}, ClientAuth: tls.RequestClientCert,
	}
}

// Roots returns what a client must trust: the root of the server's certificate and
// the root of the test ICP.
func (a *Authority) Roots() *x509.CertPool { return pool(a.serverRoot, a.root) }

// SignerRoots returns the root of the test ICP.
func (a *Authority) SignerRoots() *x509.CertPool { return pool(a.root) }

// RootsPEM returns the certificates of Roots in PEM, the test ICP's last.
func (a *Authority) RootsPEM() []byte {
	return append(encodeCertificate(a.serverRoot.Certificate), encodeCertificate(a.root.Certificate)...)
}

// Trusted reports whether a certificate was given by the test ICP.
func (a *Authority) Trusted(certificate *x509.Certificate, now time.Time) bool {
	_, err := certificate.Verify(x509.VerifyOptions{
		Roots: pool(a.root), Intermediates: pool(a.issuer), CurrentTime: now,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	return err == nil
}

// IsNamedIssuer reports whether a certificate says that the test ICP gave it.
func (a *Authority) IsNamedIssuer(certificate *x509.Certificate) bool {
	return slices.Equal(certificate.RawIssuer, a.issuer.Certificate.RawSubject)
}

func pool(identities ...*Identity) *x509.CertPool {
	certificates := x509.NewCertPool()
	for _, one := range identities {
		certificates.AddCert(one.Certificate)
	}
	return certificates
}

// Signs reports whether the key usage of a certificate is for signing documents.
func Signs(certificate *x509.Certificate) bool {
	const signing = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	return certificate.KeyUsage&signing == signing
}
