package api

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"github.com/go-chi/chi/v5"

	"emissor/internal/limit"
	"emissor/internal/metrics"
	"emissor/internal/municipality"
	"emissor/internal/trace"
	"emissor/internal/web"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store"
)

const (
	burstSeconds        = 2  // a key and an organization may save up two seconds of requests
	failureBurstSeconds = 10 // an address may save up ten seconds of failed authentications
)

// Options are what the API is made of.
type Options struct {
	Store    *store.Store
	Resolver *municipality.Resolver
	Metrics  *metrics.Metrics
	Logger   *slog.Logger
	Accepted func() // called after a note was committed; may be nil
	Traces   *trace.Tracer

	RateLimit       int            // requests a second of each key; 0 is no limit
	ScopeRateLimit  int            // requests a second of each organization and environment; 0 is no limit
	FailedAuthLimit int            // requests a second of each address without a known key; 0 is no limit
	TrustedProxies  []netip.Prefix // whose X-Forwarded-For is trusted
	// PerAddress is the most requests at once of each address behind the proxies without a
	// known key, and of each organization and environment; 0 is no limit.
	PerAddress int
	Now        func() time.Time // the clock of limits; nil: time.Now
}

// API answers the requests of the contract.
type API struct {
	store     *store.Store
	catalogue *catalogue.Catalogue
	requests  web.Requests
	metrics   *metrics.Metrics
	logger    *slog.Logger
	accepted  func()
	keys      *limit.Limiter[string] // by key id
	scopes    *limit.Limiter[nfse.Scope]
	strangers *limit.Limiter[string] // by address
	uses      keyUses
	log       requestLog
	known     *knownKeys
	database  *web.Check
	proxies   web.Networks
	forwarded *web.Forwarded
	underWay  *limit.AtOnce[nfse.Scope]
	now       func() time.Time // the clock of limits
}

// New makes the API.
func New(options Options) *API {
	api := &API{
		store:     options.Store,
		catalogue: catalogue.New(options.Store, options.Resolver),
		requests: web.Requests{Name: "request", Metrics: options.Metrics, Logger: options.Logger,
			Proxies: options.TrustedProxies, Traces: options.Traces},
		metrics:   options.Metrics,
		logger:    options.Logger,
		accepted:  options.Accepted,
		keys:      limit.New[string](float64(options.RateLimit), burstSeconds*options.RateLimit),
		scopes:    limit.New[nfse.Scope](float64(options.ScopeRateLimit), burstSeconds*options.ScopeRateLimit),
		strangers: limit.New[string](float64(options.FailedAuthLimit), failureBurstSeconds*options.FailedAuthLimit),
		known:     newKnownKeys(),
		proxies:   options.TrustedProxies,
		forwarded: web.NewForwarded(options.PerAddress, options.TrustedProxies),
		underWay:  limit.NewAtOnce[nfse.Scope](options.PerAddress),
		now:       options.Now,
	}
	if api.now == nil {
		api.now = time.Now
	}
	api.log.dropped = api.metrics.RequestsNotLogged
	api.database = web.NewCheck(func(ctx context.Context) error { return options.Store.Ping(ctx) })
	if api.accepted == nil {
		api.accepted = func() {}
	}
	return api
}

// Handler routes the operations of the contract.
func (a *API) Handler() http.Handler {
	router := chi.NewRouter()
	router.Use(a.withRequest)
	router.NotFound(a.handle(routeNotFound))
	router.MethodNotAllowed(a.handle(methodNotAllowed(router)))

	router.Get("/v1/health", a.handle(a.health))
	router.Head("/v1/health", a.handle(a.health))
	router.Get("/llms-full.txt", serveContract)
	router.Head("/llms-full.txt", serveContract)

	router.Group(func(router chi.Router) {
		router.Use(a.boundForwarded, a.authenticate, a.boundScope)
		router.Get("/v1/services", a.handle(a.listServices))
		router.Post("/v1/services", a.handle(a.createService))
		router.Get("/v1/services/{id}", a.handle(a.getService))
		router.Patch("/v1/services/{id}", a.handle(a.updateService))
		router.Get("/v1/customers", a.handle(a.listCustomers))
		router.Post("/v1/customers", a.handle(a.syncCustomer))
		router.Get("/v1/customers/{id}", a.handle(a.getCustomer))
		router.Patch("/v1/customers/{id}", a.handle(a.updateCustomer))
		router.Post("/v1/nfse", a.handle(a.issueNote))
		router.Get("/v1/nfse", a.handle(a.listNotes))
		router.Get("/v1/nfse/{id}", a.handle(a.getNote))
		router.Get("/v1/nfse/{id}/xml", a.handle(a.getNoteXML))
		router.Head("/v1/nfse/{id}/xml", a.handle(a.getNoteXML))
		router.Post("/v1/nfse/{id}/cancel", a.handle(a.cancelNote))
	})
	return router
}
