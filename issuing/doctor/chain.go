package doctor

import (
	"context"
	"crypto/x509"
	"strings"

	"emissor/fiscal/mtls"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// chain looks at the certificate that a server shows: its names, its dates, and where its chain leads.
func (s Server) chain(needed bool) func(context.Context) ([]Finding, error) {
	return func(ctx context.Context) ([]Finding, error) {
		met, why := mtls.Handshake(ctx, s.Transport, s.URL)
		if met.Certificate == nil {
			return []Finding{skipped(TLS, fact.DoctorNeedsFirst.Fact())}, nil // host says what is wrong
		}
		end := mtls.EndOfChain(met.Certificate, met.Chain)
		names, issuer := namesOf(met.Certificate), name(met.Certificate.Issuer)
		from, until := nfse.DayOf(met.Certificate.NotBefore), nfse.DayOf(met.Certificate.NotAfter)
		if why.None() {
			return []Finding{good(TLS, fact.DoctorTLSGood.With("host", s.host(), "names", names, "issuer", issuer,
				"until", until, "root", name(end.Subject)))}, nil
		}
		seen := fact.DoctorTLSFails.With("host", s.host(), "names", names, "issuer", issuer, "from", from,
			"until", until, "end", name(end.Issuer), "why", why)
		do := fact.DoctorDoHost.Fact()
		switch {
		case why.Is(fact.TLSServerNotTrusted):
			do = fact.DoctorDoTLSRoot.With("end", name(end.Issuer))
		case why.Is(fact.TLSServerOfAnotherHost):
			do = fact.DoctorDoTLSHost.Fact()
		case why.Is(fact.TLSServerNotValid):
			do = fact.DoctorDoTLSDates.Fact()
		}
		if needed {
			return []Finding{problem(TLS, seen, do)}, nil
		}
		return []Finding{warning(TLS, seen, do)}, nil
	}
}

// namesOf are the names that a server's certificate is for, some of them where there are many.
func namesOf(certificate *x509.Certificate) string {
	names := certificate.DNSNames
	for _, ip := range certificate.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 {
		return name(certificate.Subject)
	}
	if len(names) > mostNamed {
		names = append(names[:mostNamed:mostNamed], "…")
	}
	return strings.Join(names, ", ")
}
