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
		key, err := a.readKey(r)
		now := time.Now()
		if nfse.IsCode(err, nfse.CodeInvalidAPIKey) {
			return a.refuse(w, a.clientAddress(r), now, err)
		}
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

// readKey finds the key of the request. Missing, malformed, unknown, revoked and
// expired keys, and those not allowed from the client's address, are one answer;
// only a well-formed one costs a look-up.
func (a *API) readKey(r *http.Request) (nfse.APIKey, error) {
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") || !nfse.IsAPIKeyText(text) {
		requestOf(r.Context()).refusal = "the key is missing or malformed"
		return nfse.APIKey{}, nfse.NewError(nfse.CodeInvalidAPIKey, "", "the API key is not valid")
	}
	return a.lookUp(r, text)
}

// refuse answers a failed authentication, and slows down who keeps failing.
func (a *API) refuse(w http.ResponseWriter, address string, now time.Time, err error) error {
	allowed := a.failures.allow(address, now)
	a.failures.describe(w, address, now)
	if !allowed {
		w.Header().Set("Retry-After", a.failures.retryAfter())
		return nfse.Unavailable(nfse.CodeRateLimited, "", "too many failed authentications; wait as Retry-After says")
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	return err
}

// clientAddress is the address that the request comes from: of the connection,
// or, behind trusted proxies, the last in X-Forwarded-For that is not one.
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
