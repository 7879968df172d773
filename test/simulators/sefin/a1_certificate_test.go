package sefin_test

import (
	"bytes"
	"crypto/x509"
	"encoding/base64"
	"strings"
	"testing"

	"software.sslmate.com/src/go-pkcs12"

	"emissor/test/simulators/sefin"
)

func TestPFX(t *testing.T) {
	simulator := start(t, sefin.Options{})
	for name, subject := range map[string]sefin.Subject{
		"modern": {TaxID: "12ABC34501DE35", Name: "Acme"},
		"legacy": {TaxID: person, Name: "Maria", Legacy: true},
	} {
		t.Run(name, func(t *testing.T) {
			pfx, err := simulator.NewPFX(subject, "segredo")
			if err != nil {
				t.Fatal(err)
			}
			if _, _, _, err := pkcs12.DecodeChain(pfx, "errado"); err == nil {
				t.Error("any password opens it")
			}
			_, leaf, chain, err := pkcs12.DecodeChain(pfx, "segredo")
			if err != nil {
				t.Fatal(err)
			}
			intermediates := x509.NewCertPool()
			for _, above := range chain {
				intermediates.AddCert(above)
			}
			if _, err := leaf.Verify(x509.VerifyOptions{
				Roots: simulator.Roots(), Intermediates: intermediates, CurrentTime: morning,
				KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
			}); err != nil {
				t.Error(err)
			}
			// The otherName, as text in DER.
			if !bytes.Contains(leaf.Raw, []byte(subject.TaxID)) {
				t.Error("the tax id is not in the certificate")
			}
		})
	}
	t.Run("OfAWrongCNPJ", func(t *testing.T) {
		if _, err := simulator.NewPFX(sefin.Subject{TaxID: "11222333000182"}, ""); err == nil {
			t.Error("a certificate was made")
		}
	})
}

// Who trusts SignerRoots trusts what signed an NFS-e, and no A1 certificate's
// issuer is needed for it.
func TestSignerRoots(t *testing.T) {
	simulator, c := startWithIssuer(t)
	nfse := string(simulator.NFSe(c.issued(c.dps(1))))
	const opening, closing = "<X509Certificate>", "</X509Certificate>"
	encoded := nfse[strings.LastIndex(nfse, opening)+len(opening) : strings.LastIndex(nfse, closing)]
	der, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	options := x509.VerifyOptions{
		Roots: simulator.SignerRoots(), CurrentTime: morning, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	}
	if _, err := signer.Verify(options); err != nil {
		t.Error(err)
	}
	if _, err := c.certificate.Leaf.Verify(options); err == nil {
		t.Error("an A1 certificate is trusted without the authority that gave it")
	}
}
