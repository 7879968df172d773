package sefin

import (
	"crypto/x509"
	"net/http"
	"slices"

	"emissor/test/simulators/shared/icp"
)

// caller is the CNPJ or CPF of the client's certificate.
type caller string

// identify checks the client's certificate and reads who it was given to.
func (s *Simulator) identify(r *http.Request) (caller, *rejection) {
	if r.TLS == nil || len(r.TLS.PeerCertificates) == 0 {
		return "", reject("E1200")
	}
	certificate, now := r.TLS.PeerCertificates[0], s.Now()
	if now.Before(certificate.NotBefore) || now.After(certificate.NotAfter) {
		return "", reject("E1203")
	}
	if !s.ICP.Trusted(certificate, now) {
		if s.ICP.IsNamedIssuer(certificate) {
			return "", reject("E1205")
		}
		return "", reject("E1208")
	}
	if !slices.Contains(certificate.ExtKeyUsage, x509.ExtKeyUsageClientAuth) {
		return "", reject("E1200").withComplement("The certificate is not for client authentication.")
	}
	taxID := icp.TaxID(certificate)
	if taxID == "" {
		return "", reject("E1209")
	}
	return caller(taxID), nil
}

// isOneOf reports whether the caller is one of those with the tax ids, or of the
// same company.
func (c caller) isOneOf(taxIDs []string) bool {
	company := icp.CompanyOf(string(c))
	return slices.ContainsFunc(taxIDs, func(taxID string) bool { return icp.CompanyOf(taxID) == company })
}
