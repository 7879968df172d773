package api

import (
	"net/http"
	"sync"
	"time"

	"emissor/nfse"
	"emissor/web"
)

// boundForwarded bounds the requests under way of each address behind the
// trusted proxies, as the listener bounds the connections of each address in
// front of them. Who has a known key is let through.
func (a *API) boundForwarded(next http.Handler) http.Handler {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		if !a.proxies.Contain(web.RemoteAddress(r.RemoteAddr)) {
			next.ServeHTTP(w, r)
			return nil
		}
		address := web.Site(web.Client(r, a.proxies))
		within := a.forwarded.begin(address)
		defer a.forwarded.end(address)
		if _, text := authorization(r); !within && !a.known.Has(hashOf(text), time.Now()) {
			w.Header().Set("Retry-After", "1")
			return nfse.Unavailable(nfse.CodeRateLimited, "", "too many requests at once; wait as Retry-After says")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// atOnce counts what is under way, by name.
type atOnce struct {
	most int // 0 is no limit

	mu    sync.Mutex
	names map[string]int
}

func newAtOnce(most int) *atOnce { return &atOnce{most: most, names: map[string]int{}} }

// begin counts one more, and says whether that is within the limit.
func (a *atOnce) begin(name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names[name]++
	return a.most == 0 || a.names[name] <= a.most
}

func (a *atOnce) end(name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.names[name]--; a.names[name] == 0 {
		delete(a.names, name)
	}
}
