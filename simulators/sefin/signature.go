package sefin

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	_ "crypto/sha1" // a profile that the authority still accepts
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"
	"github.com/russellhaering/goxmldsig/etreeutils"
)

// The algorithms that the authority accepts.
const (
	inclusive             = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	inclusiveWithComments = inclusive + "#WithComments"
	exclusive             = "http://www.w3.org/2001/10/xml-exc-c14n#"
	exclusiveWithComments = exclusive + "WithComments"
	enveloped             = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
)

var signatureHashes = map[string]crypto.Hash{
	"http://www.w3.org/2000/09/xmldsig#rsa-sha1":        crypto.SHA1,
	"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": crypto.SHA256,
}

var digestHashes = map[string]crypto.Hash{
	"http://www.w3.org/2000/09/xmldsig#sha1":  crypto.SHA1,
	"http://www.w3.org/2001/04/xmlenc#sha256": crypto.SHA256,
}

var errUnsigned = errors.New("there is no signature")

// verifySignature checks the signature beside an element, and returns who signed.
// Whether the signer may is not asked here.
func verifySignature(root, signed *etree.Element) (*x509.Certificate, error) {
	signature := child(root, "Signature")
	if signature == nil {
		return nil, errUnsigned
	}
	info := child(signature, "SignedInfo")
	if n := len(info.SelectElements("Reference")); n != 1 {
		return nil, fmt.Errorf("there are %d references, not one", n)
	}
	if err := verifyDigest(at(info, "Reference"), signed); err != nil {
		return nil, err
	}
	encoded := strings.Join(strings.Fields(textAt(signature, "KeyInfo/X509Data/X509Certificate")), "")
	der, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, errors.New("X509Certificate is not base64")
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, errors.New("X509Certificate is no certificate")
	}
	canonicalInfo, err := canonicalize(info, algorithm(info, "CanonicalizationMethod"))
	if err != nil {
		return nil, err
	}
	value, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(textAt(signature, "SignatureValue")), ""))
	if err != nil {
		return nil, errors.New("SignatureValue is not base64")
	}
	key, isRSA := certificate.PublicKey.(*rsa.PublicKey)
	hash, known := signatureHashes[algorithm(info, "SignatureMethod")]
	if !isRSA || !known {
		return nil, errors.New("the SignatureMethod is not accepted")
	}
	if rsa.VerifyPKCS1v15(key, hash, sum(hash, canonicalInfo), value) != nil {
		return nil, errors.New("SignatureValue does not verify")
	}
	return certificate, nil
}

func verifyDigest(reference, signed *etree.Element) error {
	if uri := reference.SelectAttrValue("URI", ""); uri != "#"+signed.SelectAttrValue("Id", "") {
		return errors.New("the Reference is not to the signed element")
	}
	method, isEnveloped := "", false
	if transforms := child(reference, "Transforms"); transforms != nil {
		for _, transform := range transforms.ChildElements() {
			if a := transform.SelectAttrValue("Algorithm", ""); a == enveloped {
				isEnveloped = true
			} else {
				method = a
			}
		}
	}
	if !isEnveloped {
		return errors.New("the transform enveloped-signature is missing")
	}
	canonical, err := canonicalize(signed, method)
	if err != nil {
		return err
	}
	hash, known := digestHashes[algorithm(reference, "DigestMethod")]
	if !known {
		return errors.New("the DigestMethod is not accepted")
	}
	if base64.StdEncoding.EncodeToString(sum(hash, canonical)) != strings.TrimSpace(textAt(reference, "DigestValue")) {
		return errors.New("DigestValue does not match")
	}
	return nil
}

func algorithm(element *etree.Element, name string) string {
	if found := child(element, name); found != nil {
		return found.SelectAttrValue("Algorithm", "")
	}
	return ""
}

func sum(hash crypto.Hash, data []byte) []byte {
	digest := hash.New()
	digest.Write(data)
	return digest.Sum(nil)
}

// canonicalize writes an element, where it stands in its document, as an
// algorithm prescribes.
func canonicalize(element *etree.Element, method string) ([]byte, error) {
	switch method {
	case inclusive:
		return dsig.MakeC14N10RecCanonicalizer().Canonicalize(element)
	case inclusiveWithComments:
		return dsig.MakeC14N10WithCommentsCanonicalizer().Canonicalize(element)
	case exclusive, exclusiveWithComments:
		context, err := etreeutils.NSBuildParentContext(element)
		if err != nil {
			return nil, err
		}
		alone, err := etreeutils.NSDetatch(context, element)
		if err != nil {
			return nil, err
		}
		if method == exclusive {
			return dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList("").Canonicalize(alone)
		}
		return dsig.MakeC14N10ExclusiveWithCommentsCanonicalizerWithPrefixList("").Canonicalize(alone)
	}
	return nil, errors.New("the canonicalization is not accepted")
}

// signerProblem says why the certificate of a signature is refused: as no valid one, as
// one outside the standard; empty accepts it.
func (a *Authority) signerProblem(certificate *x509.Certificate, now time.Time) (invalid, outside string) {
	if now.Before(certificate.NotBefore) || now.After(certificate.NotAfter) {
		return "The certificate is not valid at this time.", ""
	}
	if !a.pki.trusted(certificate, now) {
		return "The certificate does not chain to a root of the ICP.", ""
	}
	const signing = x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment
	switch {
	case certificate.Version != 3 || certificate.IsCA:
		return "", "The certificate is not of an end entity, version 3."
	case certificate.KeyUsage&signing != signing:
		return "", "KeyUsage lacks digitalSignature or nonRepudiation."
	case documentOf(certificate) == "":
		return "", "The otherName of a CNPJ or a CPF is missing."
	}
	return "", ""
}

// trusted tells whether a certificate was given by the test ICP.
func (p *authorities) trusted(certificate *x509.Certificate, now time.Time) bool {
	roots, intermediates := x509.NewCertPool(), x509.NewCertPool()
	roots.AddCert(p.icpRoot.certificate)
	intermediates.AddCert(p.icpIssuer.certificate)
	_, err := certificate.Verify(x509.VerifyOptions{
		Roots: roots, Intermediates: intermediates, CurrentTime: now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	return err == nil
}

// sign puts the authority's signature beside the element with an Id that a
// document holds, and returns the whole document.
func (p *authorities) sign(opening, signed, closing string) ([]byte, error) {
	tree := etree.NewDocument()
	if err := tree.ReadFromString(opening + signed + closing); err != nil {
		return nil, err
	}
	element := tree.Root().ChildElements()[0]
	canonical, err := canonicalize(element, exclusiveWithComments)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(canonical)
	info := `<SignedInfo xmlns="` + signatureNamespace + `">` +
		`<CanonicalizationMethod Algorithm="` + exclusiveWithComments + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"></SignatureMethod>` +
		`<Reference URI="#` + element.SelectAttrValue("Id", "") + `"><Transforms>` +
		`<Transform Algorithm="` + enveloped + `"></Transform><Transform Algorithm="` + exclusiveWithComments + `"></Transform></Transforms>` +
		`<DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"></DigestMethod>` +
		`<DigestValue>` + base64.StdEncoding.EncodeToString(digest[:]) + `</DigestValue></Reference></SignedInfo>`
	hashed := sha256.Sum256([]byte(info))
	value, err := p.signer.key.Sign(rand.Reader, hashed[:], crypto.SHA256)
	if err != nil {
		return nil, err
	}
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + opening + signed +
		`<Signature xmlns="` + signatureNamespace + `">` + strings.Replace(info, ` xmlns="`+signatureNamespace+`"`, "", 1) +
		`<SignatureValue>` + base64.StdEncoding.EncodeToString(value) + `</SignatureValue><KeyInfo><X509Data><X509Certificate>` +
		base64.StdEncoding.EncodeToString(p.signer.certificate.Raw) + `</X509Certificate></X509Data></KeyInfo></Signature>` + closing), nil
}
