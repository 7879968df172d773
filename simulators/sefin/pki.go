package sefin

import (
	"crypto"
	"crypto/x509"
	"crypto/x509/pkix"
	"net"
	"time"
)

// pki are the certificates of a simulator: its server's with a root of its own,
// and a test ICP with a root, the authority that gives A1 certificates, and the
// certificate that signs NFS-e.
type pki struct {
	serverRoot, server *identity
	icpRoot, icpIssuer *identity
	foreign            *identity // a root outside the test ICP
	signer             *identity
}

// newPKI makes the certificates, or reads those kept in a directory; empty keeps
// none.
func newPKI(dir string, now time.Time) (*pki, error) {
	var err error
	create := func(
		name string, parent *identity, template *x509.Certificate, newKey func() (crypto.Signer, error),
	) *identity {
		if err != nil {
			return nil
		}
		var created *identity
		created, err = keep(dir, name, func() (*identity, error) { return issue(parent, template, newKey) })
		return created
	}
	p := &pki{}
	p.serverRoot = create("server-root", nil, caTemplate("Simulator Server Root", now), newECKey)
	p.server = create("server", p.serverRoot, serverTemplate(now), newECKey)
	p.icpRoot = create("icp-root", nil, caTemplate("AC Raiz de Teste", now), newECKey)
	p.icpIssuer = create("icp-issuer", p.icpRoot, caTemplate("AC Emissora de Teste", now), newECKey)
	p.foreign = create("foreign-root", nil, caTemplate("Foreign Root", now), newECKey)
	p.signer = create("nfse-signer", p.icpRoot, signerTemplate(now), newRSAKey)
	return p, err
}

const tenYears = 10 * 365 * 24 * time.Hour

func testName(name string) pkix.Name {
	return pkix.Name{
		Country: []string{"BR"}, Organization: []string{"Emissor simulator, no fiscal value"}, CommonName: name,
	}
}

func caTemplate(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   testName(name),
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(tenYears),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
	}
}

func serverTemplate(now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{CommonName: "localhost"},
		DNSNames:  []string{"localhost"},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(tenYears),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		KeyUsage:    x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
}

// SignerName is the common name of who signs NFS-e and events.
const SignerName = "SEFIN NACIONAL DE TESTE"

func signerTemplate(now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   testName(SignerName),
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(tenYears),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
	}
}

// Roots returns what a client must trust: the root of the server's certificate and
// the root of the test ICP.
func (s *Simulator) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.pki.serverRoot.certificate)
	pool.AddCert(s.pki.icpRoot.certificate)
	return pool
}

// RootsPEM returns the certificates of Roots in PEM.
func (s *Simulator) RootsPEM() []byte {
	server, icp := encodeCertificate(s.pki.serverRoot.certificate), encodeCertificate(s.pki.icpRoot.certificate)
	return append(server, icp...)
}

// SignerRoots returns the roots of the certificate that signs NFS-e and events.
func (s *Simulator) SignerRoots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(s.pki.icpRoot.certificate)
	return pool
}

// trusted tells whether a certificate was given by the test ICP.
func (p *pki) trusted(certificate *x509.Certificate, now time.Time) bool {
	roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(p.icpRoot.certificate)
	intermediates.AddCert(p.icpIssuer.certificate)
	_, err := certificate.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: intermediates, CurrentTime: now,
		KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	return err == nil
}
