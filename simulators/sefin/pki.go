package sefin

import (
	"crypto/tls"
	"crypto/x509"
	"time"

	"emissor/simulators/shared/icp"
)

// pki are the certificates of a simulator: the test ICP, and the certificate that
// signs NFS-e.
type pki struct {
	*icp.Authority
	signer *icp.Identity
}

// SignerName is the common name of who signs NFS-e and events.
const SignerName = "SEFIN NACIONAL DE TESTE"

// newPKI makes the certificates, or reads those kept in a directory; empty keeps
// none.
func newPKI(dir string, now time.Time) (*pki, error) {
	authority, err := icp.Open(dir, now)
	if err != nil {
		return nil, err
	}
	signer, err := authority.NewSigner("nfse-signer", SignerName, now)
	return &pki{authority, signer}, err
}

// Subject is whom a test certificate is for, and what is wrong with it.
type Subject = icp.Subject

// What is read of certificates.
var (
	taxIDOf   = icp.TaxID
	companyOf = icp.CompanyOf
)

// NewCertificate makes an A1 certificate of the test ICP with its chain.
func (s *Simulator) NewCertificate(subject Subject) (tls.Certificate, error) {
	return s.pki.NewCertificate(subject, s.now())
}

// NewPFX makes an A1 certificate of the test ICP as a PKCS#12 file with key and
// chain, as certificate authorities deliver it.
func (s *Simulator) NewPFX(subject Subject, password string) ([]byte, error) {
	return s.pki.NewPFX(subject, password, s.now())
}

// Roots returns what a client must trust: the root of the server's certificate and
// the root of the test ICP.
func (s *Simulator) Roots() *x509.CertPool { return s.pki.Roots() }

// RootsPEM returns the certificates of Roots in PEM.
func (s *Simulator) RootsPEM() []byte { return s.pki.RootsPEM() }

// SignerRoots returns the roots of the certificate that signs NFS-e and events.
func (s *Simulator) SignerRoots() *x509.CertPool { return s.pki.SignerRoots() }
