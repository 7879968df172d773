package dashboard

import (
	"time"

	"emissor/web"
)

// How many an hour: links are mails to somebody, and refusals are kept for years.
const (
	linksOfOwner     = 60 // that one user makes, and one organization
	linksToOne       = 5  // that one organization makes for one address
	refusalsOnRecord = 20 // of one account
)

// limits are those that hold beside the tries to come in. They are counted in this
// process.
type limits struct{ byOwner, toOne, refusals *web.Limiter }

func newLimits() limits {
	hourly := func(events int) *web.Limiter { return web.NewLimiter(float64(events)/3600, events) }
	return limits{hourly(linksOfOwner), hourly(linksToOne), hourly(refusalsOnRecord)}
}

// mayMakeLink reports whether the user may make another link for somebody, who is an
// address or a member's id.
func (r *request) mayMakeLink(somebody string) bool {
	now, organization := time.Now(), r.scope.OrganizationID
	return r.d.limits.byOwner.Allow(r.user.ID, now) && r.d.limits.byOwner.Allow(organization, now) &&
		r.d.limits.toOne.Allow(organization+" "+somebody, now)
}
