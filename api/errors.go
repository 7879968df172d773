package api

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/postgres"
)

// handler answers a request or returns the error to answer with.
type handler func(w http.ResponseWriter, r *http.Request) error

// handle answers with a handler's error. One that is not of the contract is logged and
// answered as internal_error, or as a retryable error where the database is unavailable.
func (a *API) handle(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		err := h(w, r)
		var known *nfse.Error
		switch {
		case err == nil:
			return
		case errors.As(err, &known):
		case postgres.IsUnavailable(err):
			a.logger.WarnContext(r.Context(), "the database did not answer a request",
				"request_id", requestOf(r.Context()).ID, "error", err)
			known = nfse.Unavailable(nfse.CodeServiceUnavailable, "",
				"the service is temporarily unavailable; repeat the request")
		case errors.Is(err, context.Canceled):
			return // the caller has hung up
		default:
			a.logger.ErrorContext(r.Context(), "a request failed",
				"request_id", requestOf(r.Context()).ID, "error", err)
			known = errInternal()
		}
		writeError(w, r, known)
	}
}

// located names the field of an error of the catalogue by its path in this
// request, in the message as well.
func located(err error, path func(field string) string) error {
	var known *nfse.Error
	if !errors.As(err, &known) || known.Field == "" {
		return err
	}
	placed := *known
	placed.Field = path(known.Field)
	if placed.Code == nfse.CodeInvalidRequest {
		placed.Message = placed.Field + " " + known.Message
	}
	return &placed
}

func errInternal() *nfse.Error {
	return nfse.Unavailable(nfse.CodeInternal, "", "an internal error; give support the request_id")
}

// writeError writes the error envelope, and keeps its code and field for the log.
func writeError(w http.ResponseWriter, r *http.Request, err *nfse.Error) {
	current := requestOf(r.Context())
	current.code, current.field = err.Code, err.Field
	web.WriteError(w, current.ID, err)
}

func routeNotFound(http.ResponseWriter, *http.Request) error {
	return nfse.NewError(nfse.CodeNotFound, "", "there is no such path")
}

// methodNotAllowed names the methods that the path has. The router also calls it for a method that it does not know
// at all, on any path.
func methodNotAllowed(router chi.Routes) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		path := cmp.Or(r.URL.RawPath, r.URL.Path) // as the router itself reads it
		var allowed []string
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPatch} {
			if router.Match(chi.NewRouteContext(), method, path) {
				allowed = append(allowed, method)
			}
		}
		if allowed == nil {
			return routeNotFound(w, r)
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		return nfse.NewError(nfse.CodeMethodNotAllowed, "", "this path does not have this method")
	}
}
