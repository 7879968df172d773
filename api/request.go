package api

import (
	"context"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"emissor/nfse"
	"emissor/web"
)

// request is what is known of the request being answered, for its log line.
type request struct {
	id             string
	client         netip.Addr // that it comes from
	organizationID string
	noteID         string
	key            nfse.APIKey
	keyID          string // also of a key that is refused
	refusal        string // why the key is
}

type requestKey struct{}

func requestOf(ctx context.Context) *request { return ctx.Value(requestKey{}).(*request) }

// withRequest gives every request an id, sets the headers of every answer, and
// logs and counts the request when it is answered.
func (a *API) withRequest(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		current := &request{id: nfse.NewID(nfse.PrefixRequest)}
		current.client = web.Client(r, a.proxies)
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, current))
		w.Header().Set("X-Request-Id", current.id)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		web.CloseConnection(w, r, a.proxies) // unless the request has a valid key
		web.DescribeLimit(w, a.strangers, web.Site(current.client), started)

		answer := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(answer, r)

		took := time.Since(started)
		route := chi.RouteContext(r.Context()).RoutePattern()
		a.metrics.Request(route, knownMethod(r.Method), strconv.Itoa(answer.Status()), took)
		a.logger.InfoContext(r.Context(), "request", "request_id", current.id, "method", knownMethod(r.Method),
			"route", route, "status", answer.Status(), "duration_ms", took.Milliseconds(),
			"client", current.client.String(), "key_id", current.keyID, "refusal", current.refusal,
			"organization_id", current.organizationID, "note_id", current.noteID)
	})
}

// knownMethod keeps what a stranger sends as a method out of logs and metrics.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// recoverPanics turns a bug into one 500 and a log line.
func (a *API) recoverPanics(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			cause := recover()
			if cause == nil {
				return
			}
			if cause == http.ErrAbortHandler {
				panic(cause)
			}
			a.logger.ErrorContext(r.Context(), "a handler panicked", "request_id", requestOf(r.Context()).id,
				"cause", cause, "stack", string(debug.Stack()))
			writeError(w, r, errInternal())
		}()
		next.ServeHTTP(w, r)
	})
}
