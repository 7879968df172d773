package national

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
)

// Name is the national system's in fiscal profiles, task queues and metrics.
const Name = "national"

// Options say how the national system is reached and written to.
type Options struct {
	ProductionURL string // base of SEFIN Nacional, as https://host/SefinNacional; empty: this process does not serve production
	RestrictedURL string // the same of produção restrita

	ServerRoots      *x509.CertPool // that sign the servers' TLS certificates; nil is the system's
	SignerRoots      *x509.CertPool // that sign the authority's documents; nil: its signatures are not checked
	RequireSignature bool           // a document whose signature is not believed is not settled

	Signature xmldsig.Profile // of what is sent; the zero Profile is inclusive C14N with RSA-SHA256
	Layouts   Schedule        // which layout is written when; the zero Schedule is always 1.01
	Software  string          // verAplic: name and version of this program, at most 20 characters

	ConnectTimeout time.Duration // default 10 s
	Timeout        time.Duration // of one request; default 45 s
	MinTLS, MaxTLS uint16        // tls.VersionTLS12 ...; zero is TLS 1.2, and Go's highest
	Renegotiation  tls.RenegotiationSupport

	Logger *slog.Logger
}

// Authority is the national system. It implements fiscal.Authority.
type Authority struct {
	options Options
	client  *client
}

var _ fiscal.Authority = (*Authority)(nil)

// New makes the national system reachable. It refuses addresses that are no
// https URLs.
func New(options Options) (*Authority, error) {
	client, err := newClient(options)
	if err != nil {
		return nil, err
	}
	return &Authority{options: options, client: client}, nil
}

// Name implements fiscal.Authority.
func (a *Authority) Name() string { return Name }

// Capabilities implements fiscal.Authority. Confirming the municipal operation
// is no step of the national system: the key's default is ignored here.
func (a *Authority) Capabilities() fiscal.Capabilities {
	return fiscal.Capabilities{Queryable: true, NumberIdempotent: true, Cancels: true}
}

// Serves implements fiscal.Authority.
func (a *Authority) Serves(production bool) bool {
	if production {
		return a.options.ProductionURL != ""
	}
	return a.options.RestrictedURL != ""
}

// Check implements fiscal.Authority.
func (a *Authority) Check(document fiscal.Document, at time.Time) *nfse.Rejection {
	return check(document, at)
}

// Render implements fiscal.Authority.
func (a *Authority) Render(document fiscal.Document, credentials *fiscal.Credentials, at time.Time) (fiscal.Rendering, error) {
	return renderDPS(a.options, document, credentials, at)
}

// Issue implements fiscal.Authority: POST /nfse.
func (a *Authority) Issue(ctx context.Context, as fiscal.Session, rendering fiscal.Rendering) fiscal.Answer {
	return a.client.issue(ctx, as, rendering)
}

// Find implements fiscal.Authority: GET /dps/{id}, then GET /nfse/{key}.
func (a *Authority) Find(ctx context.Context, as fiscal.Session, documentID string) fiscal.Answer {
	return a.client.find(ctx, as, documentID)
}

// RenderCancellation implements fiscal.Authority: event e101101.
func (a *Authority) RenderCancellation(cancellation fiscal.Cancellation, credentials *fiscal.Credentials, at time.Time) (fiscal.Rendering, error) {
	return renderCancellation(a.options, cancellation, credentials, at)
}

// Cancel implements fiscal.Authority: POST /nfse/{key}/eventos.
func (a *Authority) Cancel(ctx context.Context, as fiscal.Session, accessKey string, rendering fiscal.Rendering) fiscal.CancelAnswer {
	return a.client.cancel(ctx, as, accessKey, rendering)
}

// FindCancellation implements fiscal.Authority: GET /nfse/{key}/eventos/101101/1.
func (a *Authority) FindCancellation(ctx context.Context, as fiscal.Session, accessKey string) fiscal.CancelAnswer {
	return a.client.findCancellation(ctx, as, accessKey)
}
