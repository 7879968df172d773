package sefin

import (
	"crypto/x509"
	"errors"
	"fmt"
	"regexp"
	"slices"
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
	host       string // that the certificate is valid for
}

// hostForm is the form of a host's name with a dot in it.
var hostForm = regexp.MustCompile(`(?i)^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]+$`)

// ParseSigners reads a list, separated by semicolons, of CNPJs, of subjects (CN=NAME alone, or the whole as RFC 2253
// writes it) and of hosts. A host stands for anybody who has a certificate for its name: what signs NFS-e was
// recorded as CN=www.nfse.gov.br of one authority in 2024 and CN=*.nfse.gov.br of another in 2026, each for at most
// 200 days.
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
	case hostForm.MatchString(word):
		return signer{host: word}, nil
	case isName && name != "" && !strings.ContainsAny(name, ",+"):
		return signer{commonName: name}, nil
	case strings.Contains(word, "="):
		return signer{subject: word}, nil
	case err != nil:
		return signer{}, fmt.Errorf("%q is no CNPJ, no subject (CN=NAME, or all of it) and no host", word)
	case !id.IsCNPJ():
		return signer{}, errors.New("a signer is a CNPJ, not a CPF")
	}
	return signer{taxID: id}, nil
}

// NeedRoots reports whether roots must be configured: the system's certify hosts alone.
func (s Signers) NeedRoots() bool {
	return slices.ContainsFunc(s, func(one signer) bool { return one.host == "" })
}

// Name reports whether one of them is who has a certificate, and whether that is one that is named as a host.
func (s Signers) Name(certificate *x509.Certificate) (named, asHost bool) {
	by := s.of(certificate)
	return len(by) > 0, by.haveHost()
}

func (s Signers) haveHost() bool {
	return slices.ContainsFunc(s, func(one signer) bool { return one.host != "" })
}

// of returns those that a certificate is of.
func (s Signers) of(certificate *x509.Certificate) Signers {
	return slices.DeleteFunc(slices.Clone(s), func(one signer) bool { return !one.has(certificate) })
}

func (s signer) has(of *x509.Certificate) bool {
	switch {
	case s.host != "":
		return of.VerifyHostname(s.host) == nil
	case s.commonName != "":
		return s.commonName == of.Subject.CommonName
	case s.subject != "":
		return s.subject == of.Subject.String()
	}
	id, err := (&certificate.Bundle{Leaf: of}).TaxID()
	return err == nil && s.taxID == id
}
