package saopaulo

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1" // what the city signs by
	"crypto/x509"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"emissor/test/simulators/shared/icp"
	"emissor/test/simulators/shared/xmltree"
)

// The algorithms that the manual asks for, and no others.
const (
	canonicalXML  = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315"
	enveloped     = "http://www.w3.org/2000/09/xmldsig#enveloped-signature"
	rsaSHA1       = "http://www.w3.org/2000/09/xmldsig#rsa-sha1"
	digestBySHA1  = "http://www.w3.org/2000/09/xmldsig#sha1"
	codeDigest    = 1056
	codeSignature = 1057
)

// checkSender checks who signed a message and who sent it: certificate, signature, and
// that both are CPFCNPJRemetente's.
func (s *Simulator) checkSender(c *call) []event {
	signature := xmltree.At(c.message.root, "Signature")
	certificate, err := certificateOf(signature)
	if err != nil {
		return []event{refuse(1050).adding(" (" + err.Error() + ")")}
	}
	if code := s.checkCertificate(certificate, c); code != 0 {
		return []event{refuse(code)}
	}
	if code, err := verifySignature(c.message.root, signature, certificate); code != 0 {
		return []event{refuse(code).adding(" (" + err.Error() + ")")}
	}
	c.signer = certificate
	sender := c.message.sender()
	if sender != c.caller || sender != icp.TaxID(certificate) {
		return []event{refuse(1100)}
	}
	return nil
}

// checkCertificate returns the code by which a signer's certificate is refused; 0 is none.
func (s *Simulator) checkCertificate(certificate *x509.Certificate, c *call) int {
	switch {
	case c.Now.Before(certificate.NotBefore) || c.Now.After(certificate.NotAfter):
		return 1051
	case !s.ICP.Trusted(certificate, c.Now) && s.ICP.IsNamedIssuer(certificate):
		return 1053
	case !s.ICP.Trusted(certificate, c.Now):
		return 1055
	case slices.Contains(c.registry.Revoked, certificate.SerialNumber.Text(16)):
		return 1054
	case icp.TaxID(certificate) == "":
		return 1052
	case !icp.Signs(certificate):
		return 1050
	}
	return 0
}

func certificateOf(signature *etree.Element) (*x509.Certificate, error) {
	der, err := base64.StdEncoding.DecodeString(xmltree.TextAt(signature, "KeyInfo/X509Data/X509Certificate"))
	if err != nil {
		return nil, errors.New("X509Certificate is not base64")
	}
	return x509.ParseCertificate(der)
}

// verifySignature checks the enveloped signature of a whole message. It returns the code
// by which it is refused; 0 is none.
func verifySignature(root, signature *etree.Element, certificate *x509.Certificate) (int, error) {
	info := xmltree.At(signature, "SignedInfo")
	if err := checkAlgorithms(info); err != nil {
		return codeSignature, err
	}
	digest, err := digestWithout(root, signature)
	if err != nil || base64.StdEncoding.EncodeToString(digest) != xmltree.TextAt(info, "Reference/DigestValue") {
		return codeDigest, errors.New("DigestValue does not match")
	}
	canonical, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(info)
	if err != nil {
		return codeSignature, err
	}
	if !verifies(certificate, canonical, xmltree.TextAt(signature, "SignatureValue")) {
		return codeSignature, errors.New("SignatureValue does not verify")
	}
	return 0, nil
}

func checkAlgorithms(info *etree.Element) error {
	var references []*etree.Element
	for _, child := range info.ChildElements() {
		if child.Tag == "Reference" {
			references = append(references, child)
		}
	}
	if len(references) != 1 || references[0].SelectAttrValue("URI", "none") != "" {
		return errors.New(`there must be one Reference, with URI=""`)
	}
	var transforms []string
	for _, transform := range xmltree.At(references[0], "Transforms").ChildElements() {
		transforms = append(transforms, transform.SelectAttrValue("Algorithm", ""))
	}
	switch {
	case xmltree.AlgorithmAt(info, "CanonicalizationMethod") != canonicalXML:
		return errors.New("the CanonicalizationMethod is not " + canonicalXML)
	case xmltree.AlgorithmAt(info, "SignatureMethod") != rsaSHA1:
		return errors.New("the SignatureMethod is not " + rsaSHA1)
	case xmltree.AlgorithmAt(references[0], "DigestMethod") != digestBySHA1:
		return errors.New("the DigestMethod is not " + digestBySHA1)
	case len(transforms) != 2 || transforms[0] != enveloped || transforms[1] != canonicalXML:
		return errors.New("the Transforms are not enveloped-signature and " + canonicalXML)
	}
	return nil
}

// digestWithout is the digest of a message without its signature.
func digestWithout(root, signature *etree.Element) ([]byte, error) {
	unsigned := root.Copy()
	unsigned.RemoveChildAt(signature.Index())
	canonical, err := dsig.MakeC14N10RecCanonicalizer().Canonicalize(unsigned)
	digest := sha1.Sum(canonical)
	return digest[:], err
}

// verifies checks a signature RSA-SHA1 in base64 over bytes.
func verifies(certificate *x509.Certificate, signed []byte, value string) bool {
	signature, err := base64.StdEncoding.DecodeString(value)
	key, isRSA := certificate.PublicKey.(*rsa.PublicKey)
	if err != nil || !isRSA {
		return false
	}
	digest := sha1.Sum(signed)
	return rsa.VerifyPKCS1v15(key, crypto.SHA1, digest[:], signature) == nil
}
