package doctor

import (
	"cmp"
	"context"
	"crypto/tls"
	"slices"
	"time"

	"emissor/fiscal/mtls"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// hosts checks that each server of an authority is reached by TLS: once, no matter how many issue there. One where
// nobody does yet stops no note.
func (d *Doctor) hosts(ctx context.Context, patients []patient) []Finding {
	if d.Authorities == nil {
		return []Finding{skipped(Host, fact.DoctorElsewhere.Fact())}
	}
	if len(d.Authorities) == 0 {
		return []Finding{warning(Host, fact.DoctorNoAuthority.Fact(), fact.DoctorDoAddress.Fact())}
	}
	var looks []func() []Finding
	for _, server := range d.Hosts {
		used := slices.ContainsFunc(patients, func(p patient) bool {
			return p.err == nil && p.profile.Authority == server.Authority && p.profile.Production == server.Production
		})
		if used || server.Always {
			looks = append(looks, func() []Finding { return d.check(ctx, Host, server.look(used && !server.Beside)) })
			if d.FirstContact {
				looks = append(looks, func() []Finding { return d.check(ctx, TLS, server.chain(used && !server.Beside)) })
			}
		}
	}
	return inParallel(looks...)
}

// host is a server as it is said: its host, and which of the authority's servers it is.
func (s Server) host() string { return s.URL.Host + " (" + cmp.Or(s.Name, s.Authority) + ")" }

// endsSoon is when a server's certificate is to be renewed by those whose server it is: they do so in time.
const endsSoon = 3 * 24 * time.Hour

// look connects to a server.
func (s Server) look(needed bool) func(context.Context) ([]Finding, error) {
	return func(ctx context.Context) ([]Finding, error) {
		met, why := mtls.Handshake(ctx, s.Transport, s.URL)
		seen := fact.DoctorHostGood.With("host", s.host(), "version", met.Version, "until", nfse.DayOf(met.NotAfter))
		switch {
		case !why.None() && needed:
			return []Finding{problem(Host, fact.DoctorHostFails.With("host", s.host(), "why", why),
				fact.DoctorDoHost.Fact())}, nil
		case !why.None():
			return []Finding{warning(Host, fact.DoctorHostFails.With("host", s.host(), "why", why),
				fact.DoctorDoHost.Fact())}, nil
		case time.Until(met.NotAfter) < endsSoon:
			return []Finding{warning(Host, seen, fact.DoctorDoHost.Fact())}, nil
		case s.Late && !met.Asks && s.Transport.Renegotiation == tls.RenegotiateNever:
			asksLate := fact.DoctorHostAsksLate.With("host", s.host())
			return []Finding{warning(Host, asksLate, fact.DoctorDoTLS.Fact())}, nil
		}
		return []Finding{good(Host, seen)}, nil
	}
}
