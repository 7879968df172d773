package dashboard

import (
	"context"
	"crypto/x509"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/go-webauthn/webauthn/webauthn"

	"emissor/dashboard/words"
	"emissor/fiscal/national/classification"
	"emissor/internal/cnpj"
	"emissor/internal/danfse"
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

	// URL is where people reach the dashboard: passkeys, origins, cookies and links
	// come from it, whatever Host a proxy sends.
	URL             *url.URL
	APIURL          *url.URL       // where programs reach the API, for pages to show; nil: it is not said
	APIDescription  []byte         // of the API in OpenAPI, for whoever asks
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

// CheckURL says what is wrong with the address of a dashboard.
func CheckURL(address *url.URL) error {
	switch {
	case address.Scheme != "https" && address.Scheme != "http" || address.Hostname() == "":
		return errors.New("must look like https://notas.example.com")
	case address.Path != "" && address.Path != "/" || address.RawQuery != "" || address.Fragment != "" ||
		address.User != nil:
		return errors.New("must be a scheme and a host, without a path")
	case address.Scheme == "http" && address.Hostname() != "localhost":
		return errors.New("must begin with https:// unless its host is localhost: browsers have no passkeys elsewhere")
	}
	if _, err := netip.ParseAddr(address.Hostname()); err == nil {
		return errors.New("must have a name and not an IP address, which passkeys do not take")
	}
	if !asBrowsersSay(address) {
		return errors.New("must be written as browsers do: in lower case, without the scheme's own port, and names " +
			"with accents as xn--…; passkeys compare it letter by letter")
	}
	return nil
}

// asBrowsersSay reports whether an origin is written as browsers send it.
func asBrowsersSay(address *url.URL) bool {
	port := map[string]string{"http": ":80", "https": ":443"}[address.Scheme]
	return strings.Trim(address.Host, "abcdefghijklmnopqrstuvwxyz0123456789-.:") == "" &&
		!strings.HasSuffix(address.Host, port) && !strings.HasSuffix(address.Host, ":") &&
		!strings.HasSuffix(address.Hostname(), ".")
}

// Dashboard answers the requests of people.
type Dashboard struct {
	Options
	store     *store.Store
	requests  web.Requests
	sessions  *scs.SessionManager
	passkeys  *webauthn.WebAuthn
	pages     map[words.Language]templates
	tries     *limit.Limiter[string] // by address, link and user
	forwarded *web.Forwarded
	underWay  *limit.AtOnce[sessionHash] // requests of sessions that were signed in a short while ago
	known     *knownSessions
	filling   *limit.Limiter[string] // look-ups that fill in forms, by organization
	database  *web.Check
	limits    limits
	proxied   sync.Once     // for one warning that a proxy is not trusted
	drawing   chan struct{} // one for each DANFSe that is drawn right now
	webhooks  *webhook.Client

	catalogue *catalogue.Catalogue
	signOn    *signOn // nil: there is none

	opening     chan struct{}         // one for each PFX file that is opened right now
	openers     *limit.AtOnce[string] // organizations whose PFX files are opened right now
	openingTime time.Duration         // for each file
	sheets      *limit.AtOnce[string] // organizations whose spreadsheets are checked right now
}

// New makes the dashboard.
func New(options Options) (*Dashboard, error) {
	if err := CheckURL(options.URL); err != nil {
		return nil, err
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	d := &Dashboard{
		Options: options, store: options.Store,
		requests: web.Requests{Name: "page", Metrics: options.Metrics, Logger: options.Logger,
			Proxies: options.TrustedProxies, Traces: options.Traces},
		tries:     limit.New[string](float64(options.Tries)/60, options.Tries),
		limits:    newLimits(),
		forwarded: web.NewForwarded(options.PerAddress, options.TrustedProxies), known: newKnownSessions(),
		underWay:  limit.NewAtOnce[sessionHash](options.PerAddress),
		database:  web.NewCheck(func(ctx context.Context) error { return options.Store.Ping(ctx) }),
		drawing:   make(chan struct{}, mostDrawn),
		webhooks:  webhook.NewClient(options.Webhooks),
		filling:   limit.New[string](fillsPerSecond, fillsAtOnce),
		catalogue: catalogue.New(options.Store, options.Resolver),
		opening:   make(chan struct{}, mostOpened), openingTime: openingTime,
		openers: limit.NewAtOnce[string](1), sheets: limit.NewAtOnce[string](1),
	}
	d.sessions = d.newSessions()
	var err error
	if d.passkeys, err = newPasskeys(options.URL); err != nil {
		return nil, err
	}
	if d.signOn, err = newSignOn(options.OIDC, options.URL, options.Now); err != nil {
		return nil, err
	}
	d.pages, err = parseTemplates()
	return d, err
}

// Handler routes the pages. The outermost handler gets a request first.
func (d *Dashboard) Handler() http.Handler {
	mux := http.NewServeMux()
	for _, route := range d.routes() {
		mux.Handle(route.pattern(), d.serve(route))
	}
	return d.secured(d.boundStrangers(compressed(mux)))
}

// LinkURL is the address of a one-time link.
func LinkURL(dashboard *url.URL, text string) string {
	return dashboard.JoinPath("link", text).String()
}
