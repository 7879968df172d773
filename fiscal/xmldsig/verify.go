package xmldsig

import (
	"bytes"
	"crypto/rsa"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/beevik/etree"

	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

// maxKeyBits bounds the work of verifying with a key that comes in the document.
const maxKeyBits = 8192

const xmlNamespace = "http://www.w3.org/XML/1998/namespace"

// Signature is a verified signature.
type Signature struct {
	ID          string            // of the signed element, the first in the document
	Digest      string            // DigestValue: base64 of the signed element's digest
	Certificate *x509.Certificate // of the signer

	others []*x509.Certificate // that came with it
}

// Others are the certificates that came with the signature beside the signer's; none of them is verified.
func (s Signature) Others() []*x509.Certificate { return s.others }

// Verify verifies the signature of a document: the Signature that is a child of
// the root and signs the root's first element by its Id. A fiscal document may
// embed another with a signature of its own, which is ignored.
//
// With roots, the signer's certificate must be of one of them at the given
// moment, by way of other certificates in the signature if need be; with nil
// roots it is not checked who signed. An error is made of a fact, without any of
// the document's content, which says why the signature is not valid.
func Verify(document []byte, roots *x509.CertPool, at time.Time) (Signature, error) {
	if err := checkForm(document); err != nil {
		return Signature{}, err
	}
	tree := etree.NewDocument()
	if err := tree.ReadFromBytes(document); err != nil || tree.Root() == nil {
		return Signature{}, errNotXML
	}
	signature, err := parse(tree.Root())
	if err != nil {
		return Signature{}, err
	}
	signed := tree.Root().ChildElements()[0]
	id := attribute(signed, "Id")
	if id == "" || signature.uri != "#"+id {
		return Signature{}, fact.Failure(fact.SignatureOfAnotherElement.Fact())
	}
	canonical, err := signature.canonicalize(signed)
	if err != nil {
		return Signature{}, fact.Failure(fact.SignatureElementNotCanonical.Fact())
	}
	if subtle.ConstantTimeCompare(sum(signature.digestHash, canonical), signature.digest) != 1 {
		return Signature{}, fact.Failure(fact.SignedThenChanged.Fact())
	}
	certificate := signature.certificates[0]
	key, ok := certificate.PublicKey.(*rsa.PublicKey)
	if !ok {
		return Signature{}, fact.Failure(fact.SignerKeyNotRSA.Fact())
	}
	hashed := sum(signature.hash, signature.info)
	if err := rsa.VerifyPKCS1v15(key, signature.hash, hashed, signature.value); err != nil {
		return Signature{}, fact.Failure(fact.SignerKeyAnother.Fact())
	}
	verified := Signature{
		ID: id, Digest: base64.StdEncoding.EncodeToString(signature.digest), Certificate: certificate,
		others: signature.certificates[1:],
	}
	if roots != nil {
		if err := verified.LeadsTo(roots, nil, at); err != nil {
			return Signature{}, err
		}
	}
	return verified, nil
}

var errNotXML = fact.Failure(fact.SignedNotXML.Fact())

// checkForm refuses what makes it ambiguous which element an Id names, or what a
// reader sees: document types, instructions, Ids that repeat; and what would cost
// too much to read.
func checkForm(document []byte) error {
	if err := xmlread.Check(document); err != nil {
		return fact.Failure(fact.SignedBeyondBounds.With("why", fact.OfError(err)))
	}
	decoder := xml.NewDecoder(bytes.NewReader(document))
	ids := map[string]bool{}
	depth, roots := 0, 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return errNotXML
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; depth == 1 {
				roots++
			}
			if err := checkAttributes(token.Attr, ids); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
		case xml.Directive:
			return fact.Failure(fact.SignedDocumentType.Fact())
		case xml.ProcInst:
			if token.Target != "xml" {
				return fact.Failure(fact.SignedInstruction.Fact())
			}
		case xml.CharData:
			if depth == 0 && len(bytes.Trim(token, " \t\r\n\ufeff")) > 0 {
				return errNotXML
			}
		}
	}
	if roots != 1 {
		return errNotXML
	}
	return nil
}

func checkAttributes(attributes []xml.Attr, ids map[string]bool) error {
	names := map[xml.Name]bool{}
	for _, attribute := range attributes {
		name := attribute.Name
		switch {
		case names[name]:
			return errNotXML
		case name.Space == "xml" || name.Space == xmlNamespace:
			// Inherited by what is signed inside: canonicalization would have to include it.
			return fact.Failure(fact.SignedXMLAttributes.Fact())
		case name.Space == "" && strings.EqualFold(name.Local, "Id"):
			if ids[attribute.Value] {
				return fact.Failure(fact.SignedIDTwice.Fact())
			}
			ids[attribute.Value] = true
		}
		names[name] = true
	}
	return nil
}

// LeadsTo returns why the signer's certificate is not of one of the roots at a moment, by way of the
// certificates in the signature and of others that are known; roots that are nil are the system's. The
// error is made of a fact.
func (s Signature) LeadsTo(roots *x509.CertPool, known []*x509.Certificate, at time.Time) error {
	between, known := x509.NewCertPool(), slices.Concat(s.others, known)
	for _, certificate := range known {
		between.AddCert(certificate)
	}
	_, err := s.Certificate.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: between, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	var invalid x509.CertificateInvalidError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fact.Failure(fact.SignerCertificateNotValidThen.Fact())
	}
	top, ofItself := highest(s.Certificate, known), s.Certificate.Subject.String()
	if top.Issuer.CommonName != "" && top.Issuer.String() != ofItself {
		return fact.Failure(fact.SignerRootMissing.With("root", top.Issuer.CommonName))
	}
	return fact.Failure(fact.SignerCertificateNotTrusted.Fact())
}

// highest is the last certificate of the chain that a certificate begins, as far as it is known: the certificate of
// its issuer is missing.
func highest(certificate *x509.Certificate, known []*x509.Certificate) *x509.Certificate {
	for range len(known) {
		issuer := slices.IndexFunc(known, func(one *x509.Certificate) bool {
			return !one.Equal(certificate) && certificate.CheckSignatureFrom(one) == nil
		})
		if issuer < 0 {
			break
		}
		certificate = known[issuer]
	}
	return certificate
}
