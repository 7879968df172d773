package icp

import (
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"time"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/test/simulators/shared/checkdigit"
)

// Subject is whom a test certificate is for, and what is wrong with it.
type Subject struct {
	TaxID     string    `json:"document"`             // CNPJ or CPF, without punctuation
	Name      string    `json:"name"`                 // empty is EMPRESA DE TESTE
	NotBefore time.Time `json:"not_before,omitzero"`  // zero: a day ago
	NotAfter  time.Time `json:"not_after,omitzero"`   // zero: a year after NotBefore
	Foreign   bool      `json:"foreign,omitempty"`    // given by a root outside the test ICP
	Anonymous bool      `json:"anonymous,omitempty"`  // without the otherName of the document
	NoSigning bool      `json:"no_signing,omitempty"` // without the key usages that signing needs
	Legacy    bool      `json:"legacy,omitempty"`     // a PFX with RC2 and 3DES, as many still are
}

// NewCertificate makes an A1 certificate of the test ICP with its chain.
func (a *Authority) NewCertificate(subject Subject, now time.Time) (tls.Certificate, error) {
	leaf, chain, err := a.issueA1(subject, now)
	if err != nil {
		return tls.Certificate{}, err
	}
	certificate := tls.Certificate{
		Certificate: [][]byte{leaf.Certificate.Raw}, PrivateKey: leaf.Key, Leaf: leaf.Certificate,
	}
	for _, above := range chain[:len(chain)-1] { // the root is known to who trusts it
		certificate.Certificate = append(certificate.Certificate, above.Raw)
	}
	return certificate, nil
}

// NewPFX makes an A1 certificate of the test ICP as a PKCS#12 file with key and
// chain, as certificate authorities deliver it.
func (a *Authority) NewPFX(subject Subject, password string, now time.Time) ([]byte, error) {
	leaf, chain, err := a.issueA1(subject, now)
	if err != nil {
		return nil, err
	}
	encoder := pkcs12.Modern2023
	if subject.Legacy {
		encoder = pkcs12.LegacyRC2
	}
	return encoder.Encode(leaf.Key, leaf.Certificate, chain, password)
}

func (a *Authority) issueA1(subject Subject, now time.Time) (*Identity, []*x509.Certificate, error) {
	if !checkdigit.CNPJ(subject.TaxID) && !checkdigit.CPF(subject.TaxID) {
		return nil, nil, errors.New("document must be a CPF or a CNPJ")
	}
	if subject.Name == "" {
		subject.Name = "EMPRESA DE TESTE"
	}
	if subject.NotBefore.IsZero() {
		subject.NotBefore = now.Add(-24 * time.Hour)
	}
	if subject.NotAfter.IsZero() {
		subject.NotAfter = subject.NotBefore.AddDate(1, 0, 0)
	}
	name := pkix.Name{
		Country: []string{"BR"}, Organization: []string{"ICP-Brasil"},
		OrganizationalUnit: []string{"Certificado de teste A1"},
		CommonName:         commonName(subject.Name, subject.TaxID),
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
		extension, err := alternativeName(subject.TaxID)
		if err != nil {
			return nil, nil, err
		}
		template.ExtraExtensions = []pkix.Extension{extension}
	}
	parent, chain := a.issuer, []*x509.Certificate{a.issuer.Certificate, a.root.Certificate}
	if subject.Foreign {
		parent, chain = a.foreign, []*x509.Certificate{a.foreign.Certificate}
	}
	leaf, err := issue(parent, template, a.newRSAKey)
	return leaf, chain, err
}
