package xmldsig_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"time"

	"emissor/fiscal/xmldsig"
)

// An element is signed by its Id. The text that was signed is sent byte for byte, and a
// changed one does not verify.
func ExampleSign() {
	certificate := selfSigned("Padaria Exemplo")
	element := []byte(`<infDPS Id="DPS1"><vServ>150.00</vServ></infDPS>`)
	signature, digest, err := xmldsig.Sign(xmldsig.Profile{},
		xmldsig.Element{Namespace: "http://www.sped.fazenda.gov.br/nfse", ID: "DPS1", Text: element}, certificate)
	if err != nil {
		panic(err)
	}
	document := fmt.Appendf(nil, `<DPS xmlns="http://www.sped.fazenda.gov.br/nfse">%s%s</DPS>`, element, signature)

	verified, err := xmldsig.Verify(document, roots(certificate), time.Now())
	fmt.Println(verified.ID, verified.Certificate.Subject.CommonName, verified.Digest == digest, err)

	changed := bytes.Replace(document, []byte("150.00"), []byte("950.00"), 1)
	_, err = xmldsig.Verify(changed, roots(certificate), time.Now())
	fmt.Println("changed:", err)

	// Output:
	// DPS1 Padaria Exemplo true <nil>
	// changed: the document was changed after it was signed
}

// selfSigned makes a certificate that is its own root, good for an hour.
func selfSigned(name string) tls.Certificate {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Minute), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

// roots are those that a signer's certificate must lead to.
func roots(certificate tls.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(certificate.Leaf)
	return pool
}
