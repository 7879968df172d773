package certificate

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"unicode"

	"emissor/fiscal"
	"emissor/nfse/fact"
)

const (
	// referenceBlock has the reference of an ExternalKey in the place of a key.
	referenceBlock = "EMISSOR KEY REFERENCE"

	mostReference = 1024 // bytes
)

// ExternalBundle is the bundle of certificates in PEM whose key a program signs with. The leaf is the first that is of
// no authority. What can be put right is an *nfse.Error; whether the program has the key, Prove says.
func ExternalBundle(certificates []byte, program SigningProgram, reference string) (*Bundle, error) {
	if reference == "" || len(reference) > mostReference || strings.ContainsFunc(reference, unicode.IsControl) {
		return nil, invalid(fact.KeyReferenceWrong.With("most", mostReference))
	}
	var all []*x509.Certificate
	for block, rest := pem.Decode(certificates); block != nil; block, rest = pem.Decode(rest) {
		if one, err := x509.ParseCertificate(block.Bytes); err == nil {
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		return nil, invalid(fact.ChainFileUnread.Fact())
	}
	leaf, others := find(all, func(candidate *x509.Certificate) bool { return !candidate.IsCA })
	if leaf == nil {
		return nil, invalid(fact.CertificateOfCA.Fact())
	}
	public, isRSA := leaf.PublicKey.(*rsa.PublicKey)
	if !isRSA {
		return nil, invalid(fact.KeyNotRSA.Fact())
	}
	key := &ExternalKey{program: program, reference: reference, public: public}
	return &Bundle{Key: key, Leaf: leaf, Chain: chainOf(leaf, others)}, nil
}

// External is the key of a certificate where it is kept elsewhere; nil where it is not.
func External(credentials *fiscal.Credentials) *ExternalKey {
	key, _ := credentials.Certificate.PrivateKey.(*ExternalKey)
	return key
}

// Prove shows that a key elsewhere is the leaf's; one that is here was compared with it.
func (b *Bundle) Prove() error {
	if key, is := b.Key.(*ExternalKey); is {
		return key.Prove()
	}
	return nil
}
