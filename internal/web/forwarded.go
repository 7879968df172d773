package web

import (
	"net/http"

	"emissor/internal/limit"
)

// Forwarded bounds the requests under way of each address behind the trusted
// proxies, as the listener bounds the connections of each address in front of them.
type Forwarded struct {
	proxies Networks
	sites   *limit.AtOnce[string]
}

// NewForwarded makes a bound of so many requests at once; 0 bounds nothing.
func NewForwarded(most int, proxies Networks) *Forwarded {
	return &Forwarded{proxies: proxies, sites: limit.NewAtOnce[string](most)}
}

// Begin counts a request until end is called, and says whether its address has no more
// than it may. One that comes through no trusted proxy is always within the bound.
func (f *Forwarded) Begin(r *http.Request) (within bool, end func()) {
	if !f.proxies.Contain(RemoteAddress(r.RemoteAddr)) {
		return true, func() {}
	}
	site := Site(Client(r, f.proxies))
	return f.sites.Begin(site), func() { f.sites.End(site) }
}

// UnderWay is how many requests are under way, of all addresses.
func (f *Forwarded) UnderWay() int { return f.sites.UnderWay() }
