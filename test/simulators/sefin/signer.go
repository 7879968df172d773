package sefin

import (
	"crypto/x509"

	"emissor/test/simulators/shared/icp"
)

// signer signs NFS-e and events.
type signer struct{ *icp.Identity }

// SignerName is the common name of who signs NFS-e and events.
const SignerName = "SEFIN NACIONAL DE TESTE"

// openSigner makes the certificate by which the authority signs, or reads the one that
// was kept.
func (s *Simulator) openSigner() error {
	identity, err := s.ICP.NewSigner("nfse-signer", SignerName, s.Now())
	s.signer = &signer{identity}
	return err
}

// SignerRoots returns the roots of the certificate that signs NFS-e and events.
func (s *Simulator) SignerRoots() *x509.CertPool { return s.ICP.SignerRoots() }
