package sefin

import (
	"crypto"
	"crypto/rsa"
	_ "crypto/sha1" // a profile that the authority still accepts
	_ "crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/xmltree"
)

var signatureHashes = map[string]crypto.Hash{
	"http://www.w3.org/2000/09/xmldsig#rsa-sha1":        crypto.SHA1,
	"http://www.w3.org/2001/04/xmldsig-more#rsa-sha256": crypto.SHA256,
}

var digestHashes = map[string]crypto.Hash{
	"http://www.w3.org/2000/09/xmldsig#sha1":  crypto.SHA1,
	"http://www.w3.org/2001/04/xmlenc#sha256": crypto.SHA256,
}

const enveloped = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"

var errUnsigned = errors.New("there is no signature")

// verifySignature checks the signature beside an element, and returns the signer's
// certificate, which checkSigner looks at.
func verifySignature(root, signed *etree.Element) (*x509.Certificate, error) {
	signature := xmltree.At(root, "Signature")
	if signature == nil {
		return nil, errUnsigned
	}
	if spaced(signature) {
		return nil, errors.New("there is white space in the Signature")
	}
	info := xmltree.At(signature, "SignedInfo")
	if n := len(info.SelectElements("Reference")); n != 1 {
		return nil, fmt.Errorf("there are %d references, not one", n)
	}
	if err := verifyDigest(xmltree.At(info, "Reference"), signed); err != nil {
		return nil, err
	}
	der, err := base64.StdEncoding.DecodeString(xmltree.TextAt(signature, "KeyInfo/X509Data/X509Certificate"))
	if err != nil {
		return nil, errors.New("X509Certificate is not base64")
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, errors.New("X509Certificate is no certificate")
	}
	canonicalInfo, err := canonicalize(info, xmltree.AlgorithmAt(info, "CanonicalizationMethod"))
	if err != nil {
		return nil, err
	}
	value, err := base64.StdEncoding.DecodeString(xmltree.TextAt(signature, "SignatureValue"))
	if err != nil {
		return nil, errors.New("SignatureValue is not base64")
	}
	key, isRSA := certificate.PublicKey.(*rsa.PublicKey)
	hash, known := signatureHashes[xmltree.AlgorithmAt(info, "SignatureMethod")]
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
	if transforms := xmltree.At(reference, "Transforms"); transforms != nil {
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
	hash, known := digestHashes[xmltree.AlgorithmAt(reference, "DigestMethod")]
	if !known {
		return errors.New("the DigestMethod is not accepted")
	}
	if base64.StdEncoding.EncodeToString(sum(hash, canonical)) != xmltree.TextAt(reference, "DigestValue") {
		return errors.New("DigestValue does not match")
	}
	return nil
}

// spaced reports whether there is white space between the elements of a signature, or within what is base64 of it:
// production refuses both, though the schema takes them and they verify.
func spaced(element *etree.Element) bool {
	text := xmltree.Content(element)
	children := element.ChildElements()
	isBase64 := slices.Contains([]string{"DigestValue", "SignatureValue", "X509Certificate"}, element.Tag)
	return len(children) > 0 && text != "" || isBase64 && strings.ContainsAny(text, " \t\r\n") ||
		slices.ContainsFunc(children, spaced)
}

func sum(hash crypto.Hash, data []byte) []byte {
	digest := hash.New()
	digest.Write(data)
	return digest.Sum(nil)
}
