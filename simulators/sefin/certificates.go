package sefin

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"software.sslmate.com/src/go-pkcs12"
)

// identity is a certificate with its key.
type identity struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// authorities are the certificates of a stand-in: who vouches for its server,
// and a test ICP with a root, the authority that gives A1 certificates, and the
// certificate that signs NFS-e.
type authorities struct {
	serverRoot, server *identity
	icpRoot, icpIssuer *identity
	foreign            *identity // a root outside the test ICP
	signer             *identity
}

// newAuthorities makes them, or reads those kept in a directory; empty keeps
// none.
func newAuthorities(dir string, now time.Time) (*authorities, error) {
	var err error
	make := func(name string, parent *identity, template *x509.Certificate, newKey func() (crypto.Signer, error)) *identity {
		if err != nil {
			return nil
		}
		var made *identity
		made, err = keep(dir, name, func() (*identity, error) { return issue(parent, template, newKey) })
		return made
	}
	a := &authorities{}
	a.serverRoot = make("server-root", nil, caTemplate("Stand-in Server Root", now), newECKey)
	a.server = make("server", a.serverRoot, serverTemplate(now), newECKey)
	a.icpRoot = make("icp-root", nil, caTemplate("AC Raiz de Teste", now), newECKey)
	a.icpIssuer = make("icp-issuer", a.icpRoot, caTemplate("AC Emissora de Teste", now), newECKey)
	a.foreign = make("foreign-root", nil, caTemplate("Foreign Root", now), newECKey)
	a.signer = make("nfse-signer", a.icpRoot, signerTemplate(now), newRSAKey)
	return a, err
}

func newECKey() (crypto.Signer, error)  { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) }
func newRSAKey() (crypto.Signer, error) { return rsa.GenerateKey(rand.Reader, 2048) }

// issue signs a certificate for a new key; without a parent it signs itself.
func issue(parent *identity, template *x509.Certificate, newKey func() (crypto.Signer, error)) (*identity, error) {
	key, err := newKey()
	if err != nil {
		return nil, err
	}
	if parent == nil {
		parent = &identity{template, key}
	}
	template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, err
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.certificate, key.Public(), parent.key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	return &identity{certificate, key}, err
}

const tenYears = 10 * 365 * 24 * time.Hour

func caTemplate(name string, now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject:   pkix.Name{Country: []string{"BR"}, Organization: []string{"Emissor stand-in, no fiscal value"}, CommonName: name},
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

func signerTemplate(now time.Time) *x509.Certificate {
	return &x509.Certificate{
		Subject: pkix.Name{
			Country: []string{"BR"}, Organization: []string{"Emissor stand-in, no fiscal value"}, CommonName: "SEFIN NACIONAL DE TESTE",
		},
		NotBefore: now.Add(-24 * time.Hour), NotAfter: now.Add(tenYears),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
	}
}

// Subject is whom a test certificate is for, and what is wrong with it.
type Subject struct {
	Document  string    `json:"document"`             // CNPJ or CPF, without punctuation
	Name      string    `json:"name"`                 // empty is EMPRESA DE TESTE
	NotBefore time.Time `json:"not_before,omitzero"`  // zero: a day ago
	NotAfter  time.Time `json:"not_after,omitzero"`   // zero: a year after NotBefore
	Foreign   bool      `json:"foreign,omitempty"`    // given by a root outside the test ICP
	Anonymous bool      `json:"anonymous,omitempty"`  // without the otherName of the document
	NoSigning bool      `json:"no_signing,omitempty"` // without the key usages that signing needs
	Legacy    bool      `json:"legacy,omitempty"`     // a PFX with RC2 and 3DES, as many still are
}

// NewCertificate gives an A1 certificate of the test ICP with its chain.
func (a *Authority) NewCertificate(subject Subject) (tls.Certificate, error) {
	leaf, chain, err := a.give(subject)
	if err != nil {
		return tls.Certificate{}, err
	}
	certificate := tls.Certificate{Certificate: [][]byte{leaf.certificate.Raw}, PrivateKey: leaf.key, Leaf: leaf.certificate}
	for _, above := range chain[:len(chain)-1] { // the root is known to who believes it
		certificate.Certificate = append(certificate.Certificate, above.Raw)
	}
	return certificate, nil
}

// NewPFX gives an A1 certificate of the test ICP as a PKCS#12 file with key and
// chain, as certificate authorities deliver it.
func (a *Authority) NewPFX(subject Subject, password string) ([]byte, error) {
	leaf, chain, err := a.give(subject)
	if err != nil {
		return nil, err
	}
	encoder := pkcs12.Modern2023
	if subject.Legacy {
		encoder = pkcs12.LegacyRC2
	}
	return encoder.Encode(leaf.key, leaf.certificate, chain, password)
}

func (a *Authority) give(subject Subject) (*identity, []*x509.Certificate, error) {
	if !validCNPJ(subject.Document) && !validCPF(subject.Document) {
		return nil, nil, errors.New("document must be a CPF or a CNPJ")
	}
	if subject.Name == "" {
		subject.Name = "EMPRESA DE TESTE"
	}
	if subject.NotBefore.IsZero() {
		subject.NotBefore = a.now().Add(-24 * time.Hour)
	}
	if subject.NotAfter.IsZero() {
		subject.NotAfter = subject.NotBefore.AddDate(1, 0, 0)
	}
	name := pkix.Name{
		Country: []string{"BR"}, Organization: []string{"ICP-Brasil"}, OrganizationalUnit: []string{"Certificado de teste A1"},
		CommonName: commonName(subject.Name, subject.Document),
	}
	template := &x509.Certificate{
		Subject: name, NotBefore: subject.NotBefore, NotAfter: subject.NotAfter, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment | x509.KeyUsageKeyEncipherment,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageEmailProtection},
	}
	if subject.NoSigning {
		template.KeyUsage = x509.KeyUsageKeyEncipherment
	}
	if !subject.Anonymous {
		extension, err := alternativeName(subject.Document)
		if err != nil {
			return nil, nil, err
		}
		template.ExtraExtensions = []pkix.Extension{extension}
	}
	parent, chain := a.pki.icpIssuer, []*x509.Certificate{a.pki.icpIssuer.certificate, a.pki.icpRoot.certificate}
	if subject.Foreign {
		parent, chain = a.pki.foreign, []*x509.Certificate{a.pki.foreign.certificate}
	}
	leaf, err := issue(parent, template, newRSAKey)
	return leaf, chain, err
}

// Roots are who to believe: the root of the server's certificate and the root of
// the test ICP.
func (a *Authority) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.pki.serverRoot.certificate)
	pool.AddCert(a.pki.icpRoot.certificate)
	return pool
}

// RootsPEM are the same as a file.
func (a *Authority) RootsPEM() []byte {
	return append(encodeCertificate(a.pki.serverRoot.certificate), encodeCertificate(a.pki.icpRoot.certificate)...)
}

// SignerRoots are the roots of the certificate that signs NFS-e and events.
func (a *Authority) SignerRoots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.pki.icpRoot.certificate)
	return pool
}

func encodeCertificate(certificate *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw})
}

// keep reads an identity from a directory, or makes it and writes it there.
func keep(dir, name string, make func() (*identity, error)) (*identity, error) {
	if dir == "" {
		return make()
	}
	path := filepath.Join(dir, name+".pem")
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		made, err := make()
		if err != nil {
			return nil, err
		}
		return made, made.write(path)
	}
	if err != nil {
		return nil, err
	}
	return readIdentity(name, content)
}

func (i *identity) write(path string) error {
	key, err := x509.MarshalPKCS8PrivateKey(i.key)
	if err != nil {
		return err
	}
	content := append(encodeCertificate(i.certificate), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})...)
	return replaceFile(path, content)
}

// replaceFile writes a file that is there whole or not at all.
func replaceFile(path string, content []byte) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, content, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

func readIdentity(name string, content []byte) (*identity, error) {
	read := &identity{}
	for block, rest := pem.Decode(content); block != nil; block, rest = pem.Decode(rest) {
		switch block.Type {
		case "CERTIFICATE":
			certificate, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("%s.pem: %w", name, err)
			}
			read.certificate = certificate
		case "PRIVATE KEY":
			key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				return nil, fmt.Errorf("%s.pem: %w", name, err)
			}
			read.key, _ = key.(crypto.Signer)
		}
	}
	if read.certificate == nil || read.key == nil {
		return nil, fmt.Errorf("%s.pem does not hold a certificate and its key: remove the directory to begin anew", name)
	}
	return read, nil
}
