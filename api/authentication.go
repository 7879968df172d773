package api

import (
	"net/http"
	"strings"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
)

// authenticate lets requests through whose key is valid now, within the rates of that
// key and of its organization and environment.
func (a *API) authenticate(next http.Handler) http.Handler {
	return a.handle(func(w http.ResponseWriter, r *http.Request) error {
		now := a.now()
		key, err := a.readKey(w, r, now)
		if err != nil {
			return err
		}
		current := requestOf(r.Context())
		current.key, current.organizationID = key, key.OrganizationID
		if err := a.limitKey(w, key, now); err != nil {
			return err
		}
		next.ServeHTTP(w, r)
		return nil
	})
}

// readKey finds the key of the request. Missing, malformed, unknown, revoked and
// expired keys, and those not allowed from the client's address, get the same answer;
// only a well-formed key costs a look-up.
//
// The address is limited before the look-up, as otherwise unauthenticated requests would cost a look-up each. A key
// that was valid in the last minutes is looked up despite the limit: other callers behind the same address are not
// locked out. A request with a valid key gives the address's token back: a thousand companies behind one address are
// no failures, also after a restart.
func (a *API) readKey(w http.ResponseWriter, r *http.Request, now time.Time) (nfse.APIKey, error) {
	scheme, text := authorization(r)
	hash, address := hashOf(text), web.Site(web.Client(r, a.proxies))
	known := a.known.Has(hash, now)
	if known {
		web.KeepConnection(w, r)
	} else if err := a.limitStranger(w, address, now); err != nil {
		return nfse.APIKey{}, err
	}
	var key nfse.APIKey
	var err error
	if strings.EqualFold(scheme, "Bearer") && nfse.IsAPIKeyText(text) {
		key, err = a.lookUp(r, text)
	} else {
		requestOf(r.Context()).refusal = "the key is missing or malformed"
		a.countRefused(nfse.APIKey{})
		err = nfse.NewError(nfse.CodeInvalidAPIKey, "", "the API key is not valid")
	}
	switch {
	case err == nil:
		if !known {
			a.strangers.GiveBack(address, now)
		}
		a.known.Add(hash, now)
		web.KeepConnection(w, r)
	case nfse.IsCode(err, nfse.CodeInvalidAPIKey):
		a.known.Remove(hash)
		web.CloseConnection(w, r, a.proxies)
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	return key, err
}

func authorization(r *http.Request) (scheme, text string) {
	scheme, text, _ = strings.Cut(r.Header.Get("Authorization"), " ")
	return scheme, text
}

// limitStranger slows down an address that sends keys that are not known to be
// valid: each request costs one of its tokens.
func (a *API) limitStranger(w http.ResponseWriter, address string, now time.Time) error {
	allowed := a.strangers.Allow(address, now)
	web.DescribeLimit(w, a.strangers, address, now)
	if !allowed {
		web.RetryAfter(w, a.strangers)
		return nfse.Unavailable(nfse.CodeRateLimited, "", "too many failed authentications; wait as Retry-After says")
	}
	return nil
}

// limitKey slows down a key, and all keys of an organization and environment together.
// The headers describe whichever of the two has less left.
func (a *API) limitKey(w http.ResponseWriter, key nfse.APIKey, now time.Time) error {
	allowed := a.keys.Allow(key.ID, now)
	web.DescribeLimit(w, a.keys, key.ID, now)
	if !allowed {
		web.RetryAfter(w, a.keys)
		return nfse.Unavailable(nfse.CodeRateLimited, "", "too many requests with this key; wait as Retry-After says")
	}
	allowed = a.scopes.Allow(key.Scope, now)
	if a.scopes != nil && (a.keys == nil || a.scopes.Tokens(key.Scope, now) < a.keys.Tokens(key.ID, now)) {
		web.DescribeLimit(w, a.scopes, key.Scope, now)
	}
	if !allowed {
		web.RetryAfter(w, a.scopes)
		return nfse.Unavailable(nfse.CodeRateLimited, "",
			"too many requests of this organization in this environment; wait as Retry-After says")
	}
	return nil
}
