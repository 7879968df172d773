package sefin

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"

	"emissor/fiscal/certificate"
	"emissor/nfse"
)

// Signers are those whose signatures count for a kind of document. A root is not
// enough: every taxpayer of the country has a certificate of the same root.
type Signers []signer

// signer is one of them; one of its fields is set.
type signer struct {
	taxID      nfse.TaxID // CNPJ that the certificate names
	commonName string
	subject    string // as x509 writes it, which is RFC 2253
}

// ParseSigners reads a list, separated by semicolons, of CNPJs and of subjects:
// CN=NAME alone, or the whole as RFC 2253 writes it.
func ParseSigners(words string) (Signers, error) {
	var signers Signers
	for word := range strings.SplitSeq(words, ";") {
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		one, err := parseSigner(word)
		if err != nil {
			return nil, err
		}
		signers = append(signers, one)
	}
	return signers, nil
}

func parseSigner(word string) (signer, error) {
	name, isName := strings.CutPrefix(word, "CN=")
	id, err := nfse.ParseTaxID(word)
	switch {
	case isName && name != "" && !strings.ContainsAny(name, ",+"):
		return signer{commonName: name}, nil
	case strings.Contains(word, "="):
		return signer{subject: word}, nil
	case err != nil:
		return signer{}, fmt.Errorf("%q is neither a CNPJ nor a subject (CN=NAME, or all of it)", word)
	case !id.IsCNPJ():
		return signer{}, errors.New("a signer is a CNPJ, not a CPF")
	}
	return signer{taxID: id}, nil
}

// include reports whether a certificate is of one of them.
func (s Signers) include(of *x509.Certificate) bool {
	id, err := (&certificate.Bundle{Leaf: of}).TaxID()
	for _, one := range s {
		if one.taxID != "" && err == nil && one.taxID == id ||
			one.commonName != "" && one.commonName == of.Subject.CommonName ||
			one.subject != "" && one.subject == of.Subject.String() {
			return true
		}
	}
	return false
}
