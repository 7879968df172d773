package dashboard

import (
	"emissor/dashboard/frame"
	"emissor/internal/limit"
	"emissor/internal/web"
)

// How many an hour: links are mailed to somebody, and refusals are kept for years.
const (
	linksOfOwner     = 60  // that one user makes, and one organization
	emailsOfOwner    = 120 // that one user sends again, and one organization
	linksToOne       = 5   // that one organization makes for one address
	refusalsOnRecord = 20  // of one account
)

func newLimits() frame.Limits {
	hourly := func(events int) *limit.Limiter[string] { return limit.New[string](float64(events)/3600, events) }
	return frame.Limits{ByOwner: hourly(linksOfOwner), ToOne: hourly(linksToOne), Refusals: hourly(refusalsOnRecord),
		Emails: hourly(emailsOfOwner)}
}

// mayTry takes one of the tries of a minute: of the user where one is signed in, or else of
// the address.
func mayTry(r *frame.Request) bool {
	name := web.Site(r.Client)
	if r.SignedIn() {
		name = r.User.ID
	}
	return !r.Route.Ask(frame.ATry) || r.D.Tries.Allow(name, r.D.Now())
}

// noticeProxy warns once that there seems to be a proxy that is not configured: for the
// limits everybody behind it is one address.
func noticeProxy(r *frame.Request) {
	if r.Header.Get("X-Forwarded-For") == "" {
		return
	}
	from := web.RemoteAddress(r.RemoteAddr)
	if web.Networks(r.D.TrustedProxies).Contain(from) {
		return
	}
	r.D.Proxied.Do(func() {
		r.D.Logger.WarnContext(r.Context(), "X-Forwarded-For comes from an address that EMISSOR_TRUSTED_PROXIES does "+
			"not name: if a proxy of yours is there, everybody behind it shares one limit of tries",
			"address", from.String())
	})
}
