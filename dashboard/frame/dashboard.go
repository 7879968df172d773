package frame

import (
	"context"
	"crypto/x509"
	"log/slog"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-webauthn/webauthn/webauthn"

	"emissor/dashboard/words"
	"emissor/fiscal/authorities"
	"emissor/fiscal/danfse"
	"emissor/fiscal/national/classification"
	"emissor/internal/cnpj"
	"emissor/internal/limit"
	"emissor/internal/mail"
	"emissor/internal/metrics"
	"emissor/internal/municipality"
	"emissor/internal/seal"
	"emissor/internal/trace"
	"emissor/internal/web"
	"emissor/internal/webhook"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store"
)

// Options are what New needs.
type Options struct {
	Store    *store.Store
	Sealer   *seal.Sealer // seals the secrets that are entered in the dashboard
	Mail     *mail.Sender // of one-time links; nil: they are only shown
	Logo     *danfse.Logo // of the DANFSe; nil: plain letters
	Accepted func()       // called after a note or a cancellation was accepted; may be nil
	Metrics  *metrics.Metrics
	Traces   *trace.Tracer
	Logger   *slog.Logger

	Webhooks webhook.Options // for test calls, as for deliveries: where endpoints may be

	Resolver *municipality.Resolver // of zip codes
	CNPJ     *cnpj.Service          // fills in companies; nil: none does
	Tables   *classification.Source // of services for IBS and CBS
	// ClassifiedFrom is the day of competence from which the national system wants IBS and CBS on
	// every note, as the worker has it; empty: never.
	ClassifiedFrom   nfse.Day
	CertificateRoots *x509.CertPool // to which chains of certificates must lead; nil: they are not checked
	PFXProgram       []string       // opens PFX files: it calls certificate.ServeApart

	// URL is where people reach the dashboard: passkeys, origins, cookies and links come from it, regardless of the Host
	// that a proxy sends.
	URL             *url.URL
	APIURL          *url.URL       // where programs reach the API, for pages to show; nil: it is not said
	APIDescription  []byte         // of the API in OpenAPI, for anybody who asks
	TrustedProxies  []netip.Prefix // whose X-Forwarded-For is trusted
	PerAddress      int            // requests at once of each address behind them and of each session; 0 is no limit
	IdleTimeout     time.Duration  // of a session that is not used
	SessionLifetime time.Duration  // of any session
	Tries           int            // to sign in, a minute, of each address and link; 0 is no limit

	// Now is the clock of limits, of the pause after a provider's failure, and of the day by whose tables
	// and laws services are looked at; nil: time.Now.
	Now func() time.Time

	OIDC OIDC // a company's own sign-on; the zero value is none

	Engine  Engine // nil: this process is not connected to it
	Version string // of the program

	// EngineAway reports whether the worker of this process has not reached the engine; nil: it runs none.
	EngineAway func() bool

	// WorkflowLink is the address of a note's workflow in the engine's pages; nil, or an
	// empty text, where there are none.
	WorkflowLink func(scope nfse.Scope, reference string) string
}

// Dashboard answers the requests of people.
type Dashboard struct {
	Options
	Store         *store.Store
	Requests      web.Requests
	Sessions      *scs.SessionManager
	Passkeys      *webauthn.WebAuthn
	Pages         map[words.Language]Templates
	Tries         *limit.Limiter[string] // by address, link and user
	Forwarded     *web.Forwarded
	UnderWay      *limit.AtOnce[SessionHash] // requests of sessions that were signed in a short while ago
	Known         *KnownSessions
	Filling       *limit.Limiter[string] // look-ups that fill in forms, by organization
	Database      *web.Check
	Limits        Limits
	Proxied       sync.Once     // for one warning that a proxy is not trusted
	Drawing       chan struct{} // one for each DANFSe that is drawn right now
	WebhookClient *webhook.Client

	Catalogue *catalogue.Catalogue
	SignOn    *SignOn // nil: there is none

	Opening     chan struct{}         // one for each PFX file that is opened right now
	Openers     *limit.AtOnce[string] // organizations whose PFX files are opened right now
	OpeningTime time.Duration         // for each file
	Sheets      *limit.AtOnce[string] // organizations whose spreadsheets are checked right now
}

// LinkURL is the address of a one-time link.
func LinkURL(dashboard *url.URL, text string) string {
	return dashboard.JoinPath("link", text).String()
}

// Engine is what the dashboard asks the workflow engine where its process is connected to
// it. It only reads.
type Engine interface {
	// Check returns an error if the engine does not answer, or does not know our namespace.
	Check(ctx context.Context) error
	// NextAttempt is when the workflow of a note tries again; zero when no attempt is planned.
	NextAttempt(ctx context.Context, scope nfse.Scope, reference string) (time.Time, error)
}

// EngineDeadline is how long a page waits for the engine: without its answer the page is
// shown all the same.
const EngineDeadline = 500 * time.Millisecond

// Asks reports whether the authority that the form names asks for a field that not all do.
func (f *Form) Asks(field string) bool {
	by, _ := authorities.Named(f.Value("authority"))
	return slices.Contains(by.ProfileFields, field)
}
