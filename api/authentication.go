package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"emissor/nfse"
)

// authenticate lets through who holds a key that is valid now, within the rate
// of that key.
func (a *API) authenticate(next http.Handler) http.Handler {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		now := time.Now()
		key, err := a.readKey(w, r, now)
		if err != nil {
			return err
		}
		current := requestOf(r.Context())
		current.key, current.organizationID = key, key.OrganizationID
		allowed := a.keys.allow(key.ID, now)
		a.keys.describe(w, key.ID, now)
		if !allowed {
			w.Header().Set("Retry-After", a.keys.retryAfter())
			return nfse.Unavailable(nfse.CodeRateLimited, "",
				"too many requests with this key; wait as Retry-After says")
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// readKey finds the key of the request. Missing, malformed, unknown and revoked
// keys are one answer, and only a well-formed key costs a look-up.
//
// The address is limited before the look-up, or strangers could keep the
// database busy. A key that was valid in the last minutes is looked up despite
// that: a neighbour behind the same address locks nobody out.
func (a *API) readKey(w http.ResponseWriter, r *http.Request, now time.Time) (nfse.APIKey, error) {
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	hash := hashOf(text)
	if !a.known.Has(hash, now) {
		if err := a.limitStranger(w, a.clientAddress(r), now); err != nil {
			return nfse.APIKey{}, err
		}
	}
	err := error(nfse.NewError(nfse.CodeInvalidAPIKey, "", "the API key is not valid"))
	var key nfse.APIKey
	if strings.EqualFold(scheme, "Bearer") && nfse.IsAPIKeyText(text) {
		key, err = a.store.APIKey(r.Context(), text)
	}
	switch {
	case err == nil:
		a.known.Add(hash, now)
	case nfse.IsCode(err, nfse.CodeInvalidAPIKey):
		a.known.Remove(hash)
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	return key, err
}

// limitStranger slows down an address that sends keys that are not known to be
// valid: each costs one of its tokens, also the first request with a new key.
func (a *API) limitStranger(w http.ResponseWriter, address string, now time.Time) error {
	allowed := a.strangers.allow(address, now)
	a.strangers.describe(w, address, now)
	if !allowed {
		w.Header().Set("Retry-After", a.strangers.retryAfter())
		return nfse.Unavailable(nfse.CodeRateLimited, "", "too many failed authentications; wait as Retry-After says")
	}
	return nil
}

// clientAddress is where the request comes from, as limits count it: the address
// of the connection, or, behind trusted proxies, the last in X-Forwarded-For
// that is not one.
func (a *API) clientAddress(r *http.Request) string {
	address := remoteAddress(r.RemoteAddr)
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && a.trusted(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap()
	}
	return site(address)
}

// site is what limits count as one address: of IPv6 the /64, which is what one
// subscriber gets and may use all of.
func site(address netip.Addr) string {
	if address.Is6() {
		network, _ := address.WithZone("").Prefix(64)
		return network.String()
	}
	return address.String()
}

func (a *API) trusted(address netip.Addr) bool {
	for _, proxy := range a.proxies {
		if proxy.Contains(address) {
			return true
		}
	}
	return false
}

func remoteAddress(hostport string) netip.Addr {
	host, _, _ := net.SplitHostPort(hostport)
	address, _ := netip.ParseAddr(host)
	return address.Unmap()
}
