package listening

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
)

// heldKey is the key of a request.
type heldKey struct {
	nfse.APIKey
	text string
	hash [32]byte
	from netip.Addr

	requestID string    // of the request that it came with
	began     time.Time // when that came
}

// authenticate finds the key of a request, within the limits of its address (within: it has not too many at once) and
// of the key. A command that waits here with this key is known already, and costs no statement.
func (s *Server) authenticate(w http.ResponseWriter, r *http.Request, within bool) (heldKey, error) {
	now := time.Now()
	scheme, text, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	key := heldKey{text: text, hash: [32]byte(nfse.HashAPIKey(text)), from: web.Client(r, s.TrustedProxies),
		began: now}
	known := s.known.Has(key.hash, now)
	if !known && !within {
		return key, nfse.Unavailable(nfse.CodeRateLimited, "", "too many requests of this address at once")
	}
	if !known && s.FailedAuthLimit > 0 && !s.strangers.Allow(web.Site(key.from), now) {
		web.RetryAfter(w, s.strangers)
		return key, nfse.Unavailable(nfse.CodeRateLimited, "",
			"too many failed authentications; wait as Retry-After says")
	}
	err := error(nfse.NewError(nfse.CodeInvalidAPIKey, "", "the API key is not valid"))
	if strings.EqualFold(scheme, "Bearer") && nfse.IsAPIKeyText(text) {
		key.APIKey, err = s.keyOf(r, key)
	}
	if nfse.IsCode(err, nfse.CodeInvalidAPIKey) {
		s.known.Remove(key.hash)
		web.CloseConnection(w, r, s.TrustedProxies)
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	if err != nil {
		return key, err
	}
	if !known {
		s.strangers.GiveBack(web.Site(key.from), now)
	}
	s.known.Add(key.hash, now)
	web.KeepConnection(w, r)
	if !s.keys.Allow(key.ID, now) {
		web.RetryAfter(w, s.keys)
		return key, nfse.Unavailable(nfse.CodeRateLimited, "",
			"too many requests with this key; wait as Retry-After says")
	}
	return key, nil
}

// keyOf is the key as it is remembered of a command that waits here, or as it is on record.
func (s *Server) keyOf(r *http.Request, key heldKey) (nfse.APIKey, error) {
	if connected := s.hub.find(r.PathValue("id"), key.hash); connected != nil && r.Method == http.MethodGet &&
		connected.key.Refusal(key.from, time.Now()) == "" {
		return connected.key.APIKey, nil
	}
	return s.Store.Access.APIKey(r.Context(), key.text, key.from)
}
