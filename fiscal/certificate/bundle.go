package certificate

import (
	"bytes"
	"crypto"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"strings"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Bundle is the content of a PFX file: a key, the certificate of that key, and
// those between it and its root. The key may be an *ExternalKey.
type Bundle struct {
	Key   crypto.Signer
	Leaf  *x509.Certificate
	Chain []*x509.Certificate // each certifies the one before, the first the leaf; without the root
}

// String keeps the key out of logs.
func (b *Bundle) String() string { return "certificate bundle" }

// GoString keeps the key out of what %#v prints.
func (b *Bundle) GoString() string { return b.String() }

// ReadPFX opens a PFX (PKCS#12) file, in the old encryptions (RC2, 3DES) and in
// the new ones (PBES2). The leaf is the certificate of the key, wherever in the
// file it stands.
//
// A file whose password would take more than seconds to try is refused unread.
//
// What the owner of the file can put right is an *nfse.Error of the field
// password or certificate. No error repeats anything of the file.
func ReadPFX(pfx []byte, password string) (*Bundle, error) {
	if err := checkCost(pfx); err != nil {
		return nil, err
	}
	key, first, others, err := pkcs12.DecodeChain(pfx, password)
	if err != nil {
		return nil, unreadable(err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, invalid(fact.KeyCannotSign.Fact())
	}
	leaf, rest := find(append([]*x509.Certificate{first}, others...), func(candidate *x509.Certificate) bool {
		return isKeyOf(signer, candidate)
	})
	if leaf == nil {
		return nil, invalid(fact.PFXWithoutCertificateOfKey.Fact())
	}
	return &Bundle{Key: signer, Leaf: leaf, Chain: chainOf(leaf, rest)}, nil
}

// unreadable returns what is wrong with a PFX as an *nfse.Error. The package that
// reads them reports some of it in words only.
func unreadable(err error) error {
	var unsupported pkcs12.NotImplementedError
	switch {
	case errors.Is(err, pkcs12.ErrIncorrectPassword), errors.Is(err, pkcs12.ErrDecryption):
		return nfse.InvalidBecause("password", fact.PasswordNotOfFile.Fact())
	case strings.Contains(err.Error(), "UCS-2"):
		return nfse.InvalidBecause("password", fact.PasswordCharacters.Fact())
	case strings.Contains(err.Error(), "private key missing"):
		return invalid(fact.PFXWithoutKey.Fact())
	case strings.Contains(err.Error(), "certificate missing"):
		return invalid(fact.PFXWithoutCertificate.Fact())
	case strings.Contains(err.Error(), "exactly one key bag"):
		return invalid(fact.PFXWithSeveralKeys.Fact())
	case errors.As(err, &unsupported):
		return invalid(fact.PFXKindUnknown.With("kind", string(unsupported)))
	}
	return errNotPFX
}

var errNotPFX = invalid(fact.PFXUnread.Fact())

func isKeyOf(key crypto.Signer, certificate *x509.Certificate) bool {
	public, ok := key.Public().(interface{ Equal(crypto.PublicKey) bool })
	return ok && public.Equal(certificate.PublicKey)
}

// find separates the first certificate that fits from the others.
func find(
	certificates []*x509.Certificate, fits func(*x509.Certificate) bool,
) (found *x509.Certificate, others []*x509.Certificate) {
	for _, candidate := range certificates {
		if found == nil && fits(candidate) {
			found = candidate
		} else {
			others = append(others, candidate)
		}
	}
	return found, others
}

// chainOf brings the other certificates of a file into the order that TLS wants. The root is left out, because every
// peer that checks the chain has it; so is what is not part of the chain.
func chainOf(leaf *x509.Certificate, others []*x509.Certificate) (chain []*x509.Certificate) {
	for last := leaf; ; {
		issuer, rest := find(others, func(candidate *x509.Certificate) bool {
			return bytes.Equal(last.RawIssuer, candidate.RawSubject) && last.CheckSignatureFrom(candidate) == nil
		})
		if issuer == nil || bytes.Equal(issuer.RawSubject, issuer.RawIssuer) {
			return chain
		}
		chain, last, others = append(chain, issuer), issuer, rest
	}
}

// Fingerprint returns the SHA-256 of the certificate.
func (b *Bundle) Fingerprint() []byte {
	sum := sha256.Sum256(b.Leaf.Raw)
	return sum[:]
}

// Marshal writes key, leaf and chain as PEM, to be sealed: the key is not
// encrypted in it. Of an ExternalKey it writes the reference.
func (b *Bundle) Marshal() ([]byte, error) {
	key := &pem.Block{Type: referenceBlock}
	if external, is := b.Key.(*ExternalKey); is {
		key.Bytes = []byte(external.reference)
	} else {
		content, err := x509.MarshalPKCS8PrivateKey(b.Key)
		if err != nil {
			return nil, errors.New("certificate: the key cannot be written") // not err, which is about the key
		}
		key = &pem.Block{Type: "PRIVATE KEY", Bytes: content}
	}
	out := pem.EncodeToMemory(key)
	for _, one := range append([]*x509.Certificate{b.Leaf}, b.Chain...) {
		out = append(out, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: one.Raw})...)
	}
	return out, nil
}

// Parse reads what Marshal wrote. id is the id that the certificate has on record, and program signs where the key is
// kept elsewhere.
func Parse(id string, content []byte, program SigningProgram) (*fiscal.Credentials, error) {
	certificate, err := parse(content, program)
	if err != nil {
		return nil, fact.Failure(fact.SealedCertificateWrong.With("certificate", id))
	}
	return &fiscal.Credentials{ID: id, Certificate: certificate}, nil
}

func parse(content []byte, program SigningProgram) (certificate tls.Certificate, err error) {
	key, chain := pem.Decode(content)
	if key == nil || key.Type != referenceBlock {
		return tls.X509KeyPair(content, content)
	}
	bundle, err := ExternalBundle(chain, program, string(key.Bytes))
	if err != nil {
		return certificate, err
	}
	certificate = tls.Certificate{Certificate: [][]byte{bundle.Leaf.Raw}, PrivateKey: bundle.Key, Leaf: bundle.Leaf}
	for _, one := range bundle.Chain {
		certificate.Certificate = append(certificate.Certificate, one.Raw)
	}
	return certificate, nil
}

// Opened is what Parse has read, to be checked again.
func Opened(credentials *fiscal.Credentials) (*Bundle, error) {
	wrong := fact.Failure(fact.SealedCertificateWrong.With("certificate", credentials.ID))
	key, is := credentials.Certificate.PrivateKey.(crypto.Signer)
	if !is || credentials.Certificate.Leaf == nil {
		return nil, wrong
	}
	bundle := &Bundle{Key: key, Leaf: credentials.Certificate.Leaf}
	for _, content := range credentials.Certificate.Certificate[1:] {
		one, err := x509.ParseCertificate(content)
		if err != nil {
			return nil, wrong
		}
		bundle.Chain = append(bundle.Chain, one)
	}
	return bundle, nil
}
