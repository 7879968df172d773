// Package certificatetest makes certificates in the form of ICP-Brasil for
// tests: a root, an authority under it, and an e-CNPJ or e-CPF of that
// authority. All share one RSA key, since making keys is slow.
package certificatetest

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"sync"
	"testing"
	"time"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/fiscal/certificate"
	"emissor/nfse"
)

// Key returns the key of every certificate here that names no other.
var Key = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// Chain is a root and an authority that it certifies, as ICP-Brasil has them.
type Chain struct {
	Root, Authority *x509.Certificate
	key             *rsa.PrivateKey // of both; not the leaf's, or signatures would prove nothing
}

// NewChain makes a root and an authority, valid for twenty years around now.
func NewChain(t testing.TB) Chain {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	chain := Chain{key: key}
	authority := func(name string) *x509.Certificate {
		return &x509.Certificate{
			SerialNumber: big.NewInt(time.Now().UnixNano()),
			Subject:      pkix.Name{CommonName: name, Organization: []string{"Test"}},
			NotBefore:    time.Now().AddDate(-10, 0, 0), NotAfter: time.Now().AddDate(10, 0, 0),
			IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign,
		}
	}
	root := authority("AC Raiz de Teste")
	chain.Root = create(t, root, root, key.Public(), key)
	chain.Authority = create(t, authority("AC de Teste"), chain.Root, key.Public(), key)
	return chain
}

// Roots returns a pool of the root alone.
func (c Chain) Roots() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(c.Root)
	return pool
}

// Template returns a certificate as a good authority makes it for the holder of a
// tax id: valid from yesterday for a year, for signing and client authentication,
// with the tax id where ICP-Brasil has it.
func Template(holder nfse.TaxID) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: "EMPRESA EXEMPLO LTDA:" + string(holder)},
		NotBefore:    time.Now().AddDate(0, 0, -1).Truncate(time.Second),
		NotAfter:     time.Now().AddDate(1, 0, 0).Truncate(time.Second),

		BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment |
			x509.KeyUsageKeyEncipherment,
		ExtKeyUsage:     []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageEmailProtection},
		ExtraExtensions: []pkix.Extension{AlternativeNames(Holder(holder))},
	}
}

// Holder returns the otherName of a tax id: of a company or of a person.
func Holder(id nfse.TaxID) OtherName {
	if id.IsCNPJ() {
		return OtherName{OID: asn1.ObjectIdentifier{2, 16, 76, 1, 3, 3}, Text: string(id)}
	}
	person := "31121980" + string(id) + "00000000000" + "000000012345678SSPSP"
	return OtherName{OID: asn1.ObjectIdentifier{2, 16, 76, 1, 3, 1}, Text: person}
}

// OtherName is one of a certificate's other names.
type OtherName struct {
	OID  asn1.ObjectIdentifier
	Text string
	Tag  int // of the text's type; an octet string when zero
}

// AlternativeNames returns the extension with an e-mail address, as certificates have
// it, and these names.
func AlternativeNames(names ...OtherName) pkix.Extension {
	general := []asn1.RawValue{{Class: asn1.ClassContextSpecific, Tag: 1, Bytes: []byte("fiscal@example.com")}}
	for _, name := range names {
		if name.Tag == 0 {
			name.Tag = asn1.TagOctetString
		}
		text := marshal(asn1.RawValue{Tag: name.Tag, Bytes: []byte(name.Text)})
		content := append(marshal(name.OID), marshal(tagged(text))...)
		general = append(general, tagged(content))
	}
	return pkix.Extension{Id: asn1.ObjectIdentifier{2, 5, 29, 17}, Value: marshal(general)}
}

// tagged makes a value with the tag [0] of its context.
func tagged(content []byte) asn1.RawValue {
	return asn1.RawValue{Class: asn1.ClassContextSpecific, Tag: 0, IsCompound: true, Bytes: content}
}

// Issue makes a certificate of the shared key by its template.
func (c Chain) Issue(t testing.TB, template *x509.Certificate) *certificate.Bundle {
	t.Helper()
	return c.IssueFor(t, template, Key())
}

// IssueFor makes a certificate of another key by its template.
func (c Chain) IssueFor(t testing.TB, template *x509.Certificate, key crypto.Signer) *certificate.Bundle {
	t.Helper()
	leaf := create(t, template, c.Authority, key.Public(), c.key)
	return &certificate.Bundle{Key: key, Leaf: leaf, Chain: []*x509.Certificate{c.Authority}}
}

// PFX writes a bundle as a PFX file, in today's usual encryption.
func PFX(t testing.TB, bundle *certificate.Bundle, password string) []byte {
	t.Helper()
	pfx, err := pkcs12.Modern2023.Encode(bundle.Key, bundle.Leaf, bundle.Chain, password)
	must(t, err)
	return pfx
}

func create(t testing.TB, template, parent *x509.Certificate, public any, key crypto.Signer) *x509.Certificate {
	t.Helper()
	der, err := x509.CreateCertificate(rand.Reader, template, parent, public, key)
	must(t, err)
	parsed, err := x509.ParseCertificate(der)
	must(t, err)
	return parsed
}

func marshal(value any) []byte {
	der, err := asn1.Marshal(value)
	if err != nil {
		panic(err)
	}
	return der
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
