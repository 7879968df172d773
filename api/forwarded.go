package api

import (
	"net/http"

	"emissor/nfse"
)

// boundForwarded bounds the requests under way of each address behind the trusted
// proxies. Requests with a known key are not bounded.
func (a *API) boundForwarded(next http.Handler) http.Handler {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		within, end := a.forwarded.Begin(r)
		defer end()
		if _, text := authorization(r); !within && !a.known.Has(hashOf(text), a.now()) {
			w.Header().Set("Retry-After", "1")
			return nfse.Unavailable(nfse.CodeRateLimited, "", "too many requests at once; wait as Retry-After says")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// boundScope bounds the requests under way of an organization and environment: however
// slowly their bodies come, they take no more of the connections than one address may.
func (a *API) boundScope(next http.Handler) http.Handler {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		scope := requestOf(r.Context()).key.Scope
		within := a.underWay.Begin(scope)
		defer a.underWay.End(scope)
		if !within {
			w.Header().Set("Retry-After", "1")
			return nfse.Unavailable(nfse.CodeRateLimited, "",
				"too many requests of this organization at once; wait as Retry-After says")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}
