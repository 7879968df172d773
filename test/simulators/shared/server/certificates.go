package server

import (
	"crypto/tls"
	"crypto/x509"

	"emissor/test/simulators/shared/icp"
)

// Roots returns what a client must trust: the root of the server's certificate and
// the root of the test ICP.
func (s *Server) Roots() *x509.CertPool { return s.ICP.Roots() }

// RootsPEM returns the certificates of Roots in PEM.
func (s *Server) RootsPEM() []byte { return s.ICP.RootsPEM() }

// NewCertificate makes an A1 certificate of the test ICP with its chain.
func (s *Server) NewCertificate(subject icp.Subject) (tls.Certificate, error) {
	return s.ICP.NewCertificate(subject, s.Now())
}

// NewPFX makes an A1 certificate of the test ICP as a PKCS#12 file with key and
// chain, as certificate authorities deliver it.
func (s *Server) NewPFX(subject icp.Subject, password string) ([]byte, error) {
	return s.ICP.NewPFX(subject, password, s.Now())
}
