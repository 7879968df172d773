package xmldsig

import (
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
)

// Element is an element to be signed. Its text is canonical but for the default
// namespace, which the document's root declares: no prefixes, comments or
// insignificant space, an end tag for every start tag, text escaped as canonical
// XML does, lines that end in LF. Such a text is the same in every profile.
type Element struct {
	Namespace string // declared by the root
	ID        string // value of the attribute Id
	Text      []byte // from <name Id="..."> to </name>
}

// Sign makes the Signature element that goes beside the signed one, under the
// same root, and the digest (DigestValue, in base64) of what it signs. The
// certificate has an RSA key, and only its leaf goes into the signature.
//
// Nothing is parsed: what is signed is the text given, so a caller that sends it must send it byte for byte.
func Sign(profile Profile, element Element, certificate tls.Certificate) (signature []byte, digest string, err error) {
	name, rest, err := element.split()
	if err != nil {
		return nil, "", err
	}
	hash := profile.hash().New()
	fmt.Fprintf(hash, `%s xmlns="%s"`, name, element.Namespace)
	hash.Write(rest)
	digest = base64.StdEncoding.EncodeToString(hash.Sum(nil))
	signature, err = profile.signature("#"+element.ID, digest, certificate)
	return signature, digest, err
}

// SignDocument puts the Signature of a whole document (a reference to "") into
// it, as the last child of its root, and returns the digest of what it signs. The
// document is one element, as canonical XML has it, without a declaration before
// it.
//
// Nothing is parsed here either: what is signed is the text given.
func SignDocument(profile Profile, document []byte, certificate tls.Certificate) (signed []byte, digest string,
	err error) {
	end := bytes.LastIndex(document, []byte("</"))
	if end < 1 || document[0] != '<' || document[1] == '?' || document[len(document)-1] != '>' {
		return nil, "", errors.New("xmldsig: the document is not one element")
	}
	hash := profile.hash().New()
	hash.Write(document)
	digest = base64.StdEncoding.EncodeToString(hash.Sum(nil))
	signature, err := profile.signature("", digest, certificate)
	if err != nil {
		return nil, "", err
	}
	signed = make([]byte, 0, len(document)+len(signature))
	signed = append(signed, document[:end]...)
	signed = append(signed, signature...)
	return append(signed, document[end:]...), digest, nil
}

// SignText signs a text by itself, without XML around it (RSA, PKCS #1 v1.5), and
// returns the signature in base64.
func SignText(profile Profile, text string, certificate tls.Certificate) (string, error) {
	key, err := rsaKey(certificate)
	if err != nil {
		return "", err
	}
	value, err := key.Sign(rand.Reader, sum(profile.hash(), []byte(text)), profile.hash())
	if err != nil {
		return "", fmt.Errorf("xmldsig: sign: %w", err)
	}
	return base64.StdEncoding.EncodeToString(value), nil
}

// signature makes the Signature element of something that a URI refers to.
func (p Profile) signature(uri, digest string, certificate tls.Certificate) ([]byte, error) {
	key, err := rsaKey(certificate)
	if err != nil {
		return nil, err
	}
	info := `<CanonicalizationMethod Algorithm="` + p.canonicalization() + `"></CanonicalizationMethod>` +
		`<SignatureMethod Algorithm="` + p.signatureMethod() + `"></SignatureMethod>` +
		`<Reference URI="` + uri + `"><Transforms>` +
		`<Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"></Transform>` +
		`<Transform Algorithm="` + p.canonicalization() + `"></Transform></Transforms>` +
		`<DigestMethod Algorithm="` + p.digestMethod() + `"></DigestMethod>` +
		`<DigestValue>` + digest + `</DigestValue></Reference></SignedInfo>`
	hash := p.hash().New()
	fmt.Fprintf(hash, `<SignedInfo xmlns="%s">%s`, signatureNamespace, info)
	value, err := key.Sign(rand.Reader, hash.Sum(nil), p.hash())
	if err != nil {
		return nil, fmt.Errorf("xmldsig: sign: %w", err)
	}

	leaf := certificate.Certificate[0]
	signature := make([]byte, 0, 512+len(info)+base64.StdEncoding.EncodedLen(len(value)+len(leaf)))
	signature = fmt.Appendf(signature, `<Signature xmlns="%s"><SignedInfo>%s<SignatureValue>`, signatureNamespace, info)
	signature = base64.StdEncoding.AppendEncode(signature, value)
	signature = append(signature, `</SignatureValue><KeyInfo><X509Data>`...)
	if p.NamesCertificate {
		if signature, err = appendNames(signature, leaf); err != nil {
			return nil, err
		}
	}
	signature = append(signature, `<X509Certificate>`...)
	signature = base64.StdEncoding.AppendEncode(signature, leaf)
	return append(signature, `</X509Certificate></X509Data></KeyInfo></Signature>`...), nil
}

// appendNames names a certificate, as RFC 2253 writes subject and issuer.
func appendNames(to, certificate []byte) ([]byte, error) {
	named, err := x509.ParseCertificate(certificate)
	if err != nil {
		return nil, fmt.Errorf("xmldsig: the certificate: %w", err)
	}
	return fmt.Appendf(to, `<X509SubjectName>%s</X509SubjectName><X509IssuerSerial><X509IssuerName>%s</X509IssuerName>`+
		`<X509SerialNumber>%s</X509SerialNumber></X509IssuerSerial>`,
		html.EscapeString(named.Subject.String()), html.EscapeString(named.Issuer.String()), named.SerialNumber), nil
}

// rsaKey returns the key of a certificate that can sign.
func rsaKey(certificate tls.Certificate) (crypto.Signer, error) {
	key, ok := certificate.PrivateKey.(crypto.Signer)
	if !ok || len(certificate.Certificate) == 0 {
		return nil, errors.New("xmldsig: the certificate is incomplete")
	}
	if _, ok := key.Public().(*rsa.PublicKey); !ok {
		return nil, errors.New("xmldsig: the certificate's key is not RSA")
	}
	return key, nil
}

// split cuts the text where canonical XML declares the namespace: after the name.
func (e Element) split() (name, rest []byte, err error) {
	end := bytes.IndexByte(e.Text, ' ')
	if end < 2 || e.Text[0] != '<' || !bytes.HasPrefix(e.Text[end:], []byte(` Id="`+e.ID+`">`)) {
		return nil, nil, errors.New("xmldsig: the element does not begin with its name and its Id")
	}
	return e.Text[:end], e.Text[end:], nil
}
