package sefin

import (
	"crypto/x509"
	"time"

	"github.com/beevik/etree"

	"emissor/test/simulators/shared/icp"
)

// signatureCodes are the codes that a document is rejected with for its signature.
type signatureCodes struct {
	missing, wrong                          string
	invalidCertificate, unusableCertificate string
}

var (
	dpsSignatureCodes   = signatureCodes{"E0717", "E0714", "E0715", "E0716"}
	eventSignatureCodes = signatureCodes{"E1989", "E1980", "E1983", "E1986"}
)

// checkSignature verifies the signature beside an element and its certificate, and
// returns the tax id of the signer.
func (s *Simulator) checkSignature(
	root, signed *etree.Element, now time.Time, codes signatureCodes,
) (signer string, _ *rejection) {
	certificate, err := verifySignature(root, signed)
	switch {
	case err == errUnsigned:
		return "", reject(codes.missing)
	case err != nil:
		return "", reject(codes.wrong).withComplement(err.Error())
	}
	if rejected := s.checkSigner(certificate, now, codes); rejected != nil {
		return "", rejected
	}
	return icp.TaxID(certificate), nil
}

// checkSigner reports whether a certificate may sign: it is valid and of the test
// ICP, and of the kind that ICP-Brasil gives to companies and persons.
func (s *Simulator) checkSigner(certificate *x509.Certificate, now time.Time, codes signatureCodes) *rejection {
	switch {
	case now.Before(certificate.NotBefore) || now.After(certificate.NotAfter):
		return reject(codes.invalidCertificate).withComplement("The certificate is not valid at this time.")
	case !s.ICP.Trusted(certificate, now):
		return reject(codes.invalidCertificate).withComplement("The certificate does not chain to a root of the ICP.")
	case !icp.Signs(certificate):
		return reject(codes.unusableCertificate).withComplement("KeyUsage lacks digitalSignature or nonRepudiation.")
	case icp.TaxID(certificate) == "":
		return reject(codes.unusableCertificate).withComplement("The otherName of a CNPJ or a CPF is missing.")
	}
	return nil
}
