package sefin

import (
	"crypto/x509"
	"net/http"
	"slices"
)

// caller is who is at the other end: the document of its certificate.
type caller string

// identify looks at the client's certificate.
func (a *Authority) identify(r *http.Request) (caller, *message) {
	if r.TLS == nil || len(r.TLS.PeerCertificates) == 0 {
		return "", refuse("E1200")
	}
	certificate, now := r.TLS.PeerCertificates[0], a.now()
	if now.Before(certificate.NotBefore) || now.After(certificate.NotAfter) {
		return "", refuse("E1203")
	}
	if !a.pki.trusted(certificate, now) {
		if slices.Equal(certificate.RawIssuer, a.pki.icpIssuer.certificate.RawSubject) {
			return "", refuse("E1205")
		}
		return "", refuse("E1208")
	}
	if !slices.Contains(certificate.ExtKeyUsage, x509.ExtKeyUsageClientAuth) {
		return "", refuse("E1200").because("The certificate is not for client authentication.")
	}
	document := documentOf(certificate)
	if document == "" {
		return "", refuse("E1209")
	}
	return caller(document), nil
}

// isOneOf tells whether the caller is one of some documents, or of the same
// company.
func (c caller) isOneOf(documents []string) bool {
	return slices.ContainsFunc(documents, func(document string) bool { return root8(document) == root8(string(c)) })
}
