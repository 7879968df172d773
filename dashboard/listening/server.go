package listening

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"emissor/internal/limit"
	"emissor/internal/metrics"
	"emissor/internal/recent"
	"emissor/internal/retry"
	"emissor/internal/seal"
	"emissor/internal/trace"
	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/webhooks"
)

const (
	longestPoll  = 25 * time.Second // less than what proxies and our own server allow an answer
	mostAtOnce   = 10               // deliveries of one answer
	maxBody      = 16 << 10
	callsPerKey  = 10 // a second
	callsInBurst = 100
	mostOfScope  = 20  // requests of one organization and environment that wait at once
	beginsPerKey = 0.1 // a second
	beginsAtOnce = 20
	knownFor     = 10 * time.Minute
	maxKnown     = 10_000
)

// Options of a Server.
type Options struct {
	Store           *store.Store
	Sealer          *seal.Sealer
	Metrics         *metrics.Metrics
	Traces          *trace.Tracer
	Logger          *slog.Logger
	TrustedProxies  web.Networks
	FailedAuthLimit int // requests a second of one address without a key that was valid recently; 0 is no limit
	PerAddress      int // requests at once of one address behind the proxies without such a key; 0 is no limit
	MostWaiting     int // requests that wait at once
}

// Server answers commands of developers.
type Server struct {
	Options
	requests  web.Requests
	hub       *hub
	strangers *limit.Limiter[string]    // by address
	keys      *limit.Limiter[string]    // by the id of the key
	known     *recent.Set[[32]byte]     // keys that were valid in the last minutes, by their hash
	begins    *limit.Limiter[string]    // endpoints, by the id of the key
	waiting   *limit.AtOnce[nfse.Scope] // requests that wait
	forwarded *web.Forwarded
	closing   context.Context // ends when requests that wait are to be answered
}

// New makes a server, which answers those that wait once closing ends.
func New(closing context.Context, options Options) *Server {
	hear := func(publish func(webhooks.ListeningNews), changed func(error)) {
		options.Store.Webhooks.HearListening(closing, publish, changed)
	}
	return &Server{
		Options: options, closing: closing, hub: newHub(hear, options.Logger),
		requests: web.Requests{Name: "developer request", Metrics: options.Metrics, Logger: options.Logger,
			Proxies: options.TrustedProxies, Traces: options.Traces},
		strangers: limit.New[string](float64(options.FailedAuthLimit), 2*options.FailedAuthLimit),
		keys:      limit.New[string](callsPerKey, callsInBurst),
		known:     recent.NewSet[[32]byte](knownFor, maxKnown),
		begins:    limit.New[string](beginsPerKey, beginsAtOnce),
		waiting:   limit.NewAtOnce[nfse.Scope](mostOfScope),
		forwarded: web.NewForwarded(options.PerAddress, options.TrustedProxies),
	}
}

// Beside answers what is for commands, and leaves the rest to the pages.
func (s *Server) Beside(pages http.Handler) http.Handler {
	mux := http.NewServeMux()
	for pattern, handle := range map[string]handler{
		"POST /listen":               s.begin,
		"GET /listen/{id}":           s.poll,
		"POST /listen/{id}/attempts": s.record,
		"DELETE /listen/{id}":        s.end,
		"GET /requests/tail":         s.tail,
	} {
		mux.Handle(pattern, s.serve(pattern, handle))
	}
	mux.Handle("/", pages)
	return mux
}

// Keep renews what listens here, and ends what nobody has renewed, until ctx ends.
func (s *Server) Keep(ctx context.Context) {
	for {
		if retry.Sleep(ctx, webhooks.RenewEach) != nil {
			return
		}
		ids, keys := s.hub.polled()
		var err error
		if len(ids) > 0 {
			err = errors.Join(s.Store.Webhooks.RenewListeners(ctx, ids), s.Store.Access.APIKeysUsed(ctx, keys))
		}
		if err == nil { // else those that are connected here would end
			err = s.Store.Webhooks.EndLeftListeners(ctx)
		}
		if err != nil && ctx.Err() == nil {
			s.Logger.Warn("the endpoints of commands that listen could not be looked after", "error", err)
		}
	}
}

// handler answers a request of a key, or returns what is wrong.
type handler func(w http.ResponseWriter, r *http.Request, key heldKey) error

// serve answers a route. Cookies are ignored: only the key counts.
func (s *Server) serve(pattern string, handle handler) http.Handler {
	method, route, _ := strings.Cut(pattern, " ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, r := s.requests.Begin(w, r)
		answer.Header().Set("Cache-Control", "no-store")
		answer.Header().Set("X-Content-Type-Options", "nosniff")
		r.Body = http.MaxBytesReader(answer, r.Body, maxBody)
		var key heldKey
		answer.Give(r.Context(), func() {
			var err error
			within, end := s.forwarded.Begin(r)
			defer end()
			key, err = s.authenticate(answer, r, within)
			if key.requestID = answer.ID; err == nil {
				err = handle(answer, r, key)
			}
			if err != nil {
				s.refuse(answer, r, answer.ID, err)
			}
		}, func() { s.refuse(answer, r, answer.ID, errors.New("a handler panicked")) })
		if method == http.MethodGet && answer.Status() == http.StatusOK {
			answer.Span.End(nil) // one that waits asks all the time: the log has the others
			return
		}
		answer.Record(r.Context(), route, method, "organization_id", key.OrganizationID, "key_id", key.ID)
	})
}
