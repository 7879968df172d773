package xmldsig

import (
	"crypto"
	"crypto/rsa"
	_ "crypto/sha1"   // a digest that authorities still use
	_ "crypto/sha256" // the other
	"crypto/x509"
	"encoding/base64"
	"errors"
	"strings"

	"github.com/beevik/etree"
	dsig "github.com/russellhaering/goxmldsig"

	"emissor/nfse/fact"
)

const signatureNamespace = "http://www.w3.org/2000/09/xmldsig#"

// parsed is the content of a Signature element.
type parsed struct {
	info         []byte // SignedInfo, canonical: what the key signed
	hash         crypto.Hash
	value        []byte
	uri          string
	canonicalize func(*etree.Element) ([]byte, error)
	digestHash   crypto.Hash
	digest       []byte
	certificates []*x509.Certificate // the signer's first
}

// parse reads the root's own signature. Each part must occur once, and hold no
// comment: a text that is cut in two could be read in two ways.
func parse(root *etree.Element) (parsed, error) {
	children := root.ChildElements()
	var signature *etree.Element
	for _, child := range children {
		if child.Tag == "Signature" && child.NamespaceURI() == signatureNamespace {
			if signature != nil {
				return parsed{}, fact.Failure(fact.SignedSeveralTimes.Fact())
			}
			signature = child
		}
	}
	switch {
	case signature == nil:
		return parsed{}, fact.Failure(fact.SignedByNobody.Fact())
	case children[0] == signature:
		return parsed{}, fact.Failure(fact.SignatureOfNothing.Fact())
	case hasComment(signature):
		return parsed{}, fact.Failure(fact.SignatureHasComment.Fact())
	}
	var p parsed
	info, err := only(signature, "SignedInfo")
	if err != nil {
		return parsed{}, err
	}
	if err := errors.Join(p.readInfo(info), p.readReference(info)); err != nil {
		return parsed{}, err
	}
	if p.value, err = base64Of(signature, "SignatureValue"); err != nil {
		return parsed{}, err
	}
	p.certificates, err = certificatesOf(signature)
	return p, err
}

// readInfo reads how SignedInfo is canonicalized and signed.
func (p *parsed) readInfo(info *etree.Element) error {
	method, err := only(info, "CanonicalizationMethod")
	if err != nil {
		return err
	}
	canonicalize, err := canonicalizer(method)
	if err != nil {
		return err
	}
	if p.info, err = canonicalize(info); err != nil {
		return fact.Failure(fact.SignatureInfoNotCanonical.Fact())
	}
	method, err = only(info, "SignatureMethod")
	if err != nil {
		return err
	}
	switch attribute(method, "Algorithm") {
	case dsig.RSASHA256SignatureMethod:
		p.hash = crypto.SHA256
	case dsig.RSASHA1SignatureMethod:
		p.hash = crypto.SHA1
	default:
		return fact.Failure(fact.SignatureAlgorithm.With("part", "SignatureMethod"))
	}
	return nil
}

// readReference reads what is signed: one element, by its Id, as it is but for
// the signature and the canonical form.
func (p *parsed) readReference(info *etree.Element) error {
	reference, err := only(info, "Reference")
	if err != nil {
		return err
	}
	p.uri = attribute(reference, "URI")
	transforms, err := only(reference, "Transforms")
	if err != nil {
		return err
	}
	for _, transform := range transforms.ChildElements() {
		// The signature stands beside what it signs: leaving it out changes nothing.
		if attribute(transform, "Algorithm") == string(dsig.EnvelopedSignatureAltorithmId) && p.canonicalize == nil {
			continue
		}
		if p.canonicalize != nil {
			return fact.Failure(fact.SignatureTransforms.Fact())
		}
		if p.canonicalize, err = canonicalizer(transform); err != nil {
			return err
		}
	}
	if p.canonicalize == nil {
		return fact.Failure(fact.SignatureWithoutCanonicalization.Fact())
	}
	method, err := only(reference, "DigestMethod")
	if err != nil {
		return err
	}
	switch attribute(method, "Algorithm") {
	case "http://www.w3.org/2001/04/xmlenc#sha256":
		p.digestHash = crypto.SHA256
	case "http://www.w3.org/2000/09/xmldsig#sha1":
		p.digestHash = crypto.SHA1
	default:
		return fact.Failure(fact.SignatureAlgorithm.With("part", "DigestMethod"))
	}
	p.digest, err = base64Of(reference, "DigestValue")
	return err
}

// canonicalizer returns the function of a method's Algorithm: C14N 1.0, inclusive
// or exclusive, with or without comments.
func canonicalizer(method *etree.Element) (func(*etree.Element) ([]byte, error), error) {
	var prefixes string
	if children := method.ChildElements(); len(children) == 1 && children[0].Tag == "InclusiveNamespaces" {
		prefixes = attribute(children[0], "PrefixList")
	} else if len(children) > 0 {
		return nil, fact.Failure(fact.SignatureTransforms.Fact())
	}
	var canonicalizer dsig.Canonicalizer
	switch dsig.AlgorithmID(attribute(method, "Algorithm")) {
	case dsig.CanonicalXML10RecAlgorithmId:
		canonicalizer = dsig.MakeC14N10RecCanonicalizer()
	case dsig.CanonicalXML10WithCommentsAlgorithmId:
		canonicalizer = dsig.MakeC14N10WithCommentsCanonicalizer()
	case dsig.CanonicalXML10ExclusiveAlgorithmId:
		canonicalizer = dsig.MakeC14N10ExclusiveCanonicalizerWithPrefixList(prefixes)
	case dsig.CanonicalXML10ExclusiveWithCommentsAlgorithmId:
		canonicalizer = dsig.MakeC14N10ExclusiveWithCommentsCanonicalizerWithPrefixList(prefixes)
	default:
		return nil, fact.Failure(fact.SignatureAlgorithm.With("part", "C14N"))
	}
	return func(element *etree.Element) ([]byte, error) { return canonicalizer.Canonicalize(detach(element)) }, nil
}

// detach copies an element with the namespaces that it is in.
func detach(element *etree.Element) *etree.Element {
	alone := element.Copy()
	declared := map[string]bool{}
	for _, attribute := range alone.Attr {
		declared[attribute.FullKey()] = true
	}
	for parent := element.Parent(); parent != nil; parent = parent.Parent() {
		for _, attribute := range parent.Attr {
			key := attribute.FullKey()
			if (key == "xmlns" || attribute.Space == "xmlns") && !declared[key] {
				declared[key] = true
				inherited := etree.Attr{Space: attribute.Space, Key: attribute.Key, Value: attribute.Value}
				alone.Attr = append(alone.Attr, inherited)
			}
		}
	}
	return alone
}

// certificatesOf reads X509Data; the signer's certificate is the first.
func certificatesOf(signature *etree.Element) ([]*x509.Certificate, error) {
	keyInfo, err := only(signature, "KeyInfo")
	if err != nil {
		return nil, err
	}
	data, err := only(keyInfo, "X509Data")
	if err != nil {
		return nil, err
	}
	var certificates []*x509.Certificate
	for _, child := range data.ChildElements() {
		if child.Tag != "X509Certificate" {
			continue
		}
		der, err := decode(child.Text())
		if err != nil {
			return nil, fact.Failure(fact.SignerCertificateUnread.Fact())
		}
		certificate, err := x509.ParseCertificate(der)
		if err != nil {
			return nil, fact.Failure(fact.SignerCertificateUnread.Fact())
		}
		if key, ok := certificate.PublicKey.(*rsa.PublicKey); ok && key.N.BitLen() > maxKeyBits {
			return nil, fact.Failure(fact.SignerKeyTooLarge.With("bits", maxKeyBits))
		}
		certificates = append(certificates, certificate)
	}
	if len(certificates) == 0 {
		return nil, fact.Failure(fact.SignerCertificateMissing.Fact())
	}
	return certificates, nil
}

// only returns the one child of that name.
func only(element *etree.Element, name string) (*etree.Element, error) {
	var found *etree.Element
	for _, child := range element.ChildElements() {
		if child.Tag != name || child.NamespaceURI() != signatureNamespace {
			continue
		}
		if found != nil {
			return nil, fact.Failure(fact.SignatureHasSeveral.With("part", name))
		}
		found = child
	}
	if found == nil {
		return nil, fact.Failure(fact.SignatureHasNo.With("part", name))
	}
	return found, nil
}

// attribute returns the value of an attribute without a namespace, or "".
func attribute(element *etree.Element, name string) string {
	for _, attribute := range element.Attr {
		if attribute.Space == "" && attribute.Key == name {
			return attribute.Value
		}
	}
	return ""
}

func hasComment(element *etree.Element) bool {
	for _, token := range element.Child {
		if _, is := token.(*etree.Comment); is {
			return true
		}
		if child, is := token.(*etree.Element); is && hasComment(child) {
			return true
		}
	}
	return false
}

func base64Of(element *etree.Element, name string) ([]byte, error) {
	child, err := only(element, name)
	if err != nil {
		return nil, err
	}
	value, err := decode(child.Text())
	if err != nil || len(child.ChildElements()) > 0 {
		return nil, fact.Failure(fact.SignaturePartNotBase64.With("part", name))
	}
	return value, nil
}

// decode reads base64, whose lines may be broken.
func decode(text string) ([]byte, error) {
	return base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
}

func sum(hash crypto.Hash, data []byte) []byte {
	h := hash.New()
	h.Write(data)
	return h.Sum(nil)
}
