package dashboard

import (
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

// limits are the limits beside that of tries to sign in. Each process counts for itself.
type limits struct{ byOwner, toOne, refusals, emails *limit.Limiter[string] }

func newLimits() limits {
	hourly := func(events int) *limit.Limiter[string] { return limit.New[string](float64(events)/3600, events) }
	return limits{hourly(linksOfOwner), hourly(linksToOne), hourly(refusalsOnRecord),
		hourly(emailsOfOwner)}
}

// mayTry takes one of the tries of a minute: of the user where one is signed in, or else of
// the address.
func (r *request) mayTry() bool {
	name := web.Site(r.client)
	if r.signedIn() {
		name = r.user.ID
	}
	return !r.route.ask(aTry) || r.d.tries.Allow(name, r.d.Now())
}

// noticeProxy warns once that there seems to be a proxy that is not configured: for the
// limits everybody behind it is one address.
func (r *request) noticeProxy() {
	if r.Header.Get("X-Forwarded-For") == "" {
		return
	}
	from := web.RemoteAddress(r.RemoteAddr)
	if web.Networks(r.d.TrustedProxies).Contain(from) {
		return
	}
	r.d.proxied.Do(func() {
		r.d.Logger.WarnContext(r.Context(), "X-Forwarded-For comes from an address that EMISSOR_TRUSTED_PROXIES does "+
			"not name: if a proxy of yours is there, everybody behind it shares one limit of tries",
			"address", from.String())
	})
}

// mayMakeLink reports whether the user may make another link for somebody, who is an
// address or a member's id.
func (r *request) mayMakeLink(somebody string) bool {
	now, organization := r.d.Now(), r.scope.OrganizationID
	return r.d.limits.byOwner.Allow(r.user.ID, now) && r.d.limits.byOwner.Allow(organization, now) &&
		r.d.limits.toOne.Allow(organization+" "+somebody, now)
}
