package dashboard

import (
	"time"

	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
)

// Route is a line of the table of routes, for its test.
type Route struct {
	Method, Path, Who string
	Fresh             bool // asks for a fresh passkey
	AsksWhenValid     bool // its page asks for it, at least in the live environment
	Confirmed         bool // asks whether it is meant
}

// Routes are all of them.
func Routes(d *frame.Dashboard) (routes []Route) {
	for _, one := range allRoutes(d) {
		routes = append(routes, Route{one.Method, one.Path, string(one.Who), one.Ask(frame.FreshPasskey | frame.OwnPasskey),
			one.Ask(frame.WhenValid | frame.FreshInLive), one.Ask(frame.AConfirmation)})
	}
	return routes
}

// SetOpeningTime sets how long a PFX file may take to open.
func SetOpeningTime(d *frame.Dashboard, limit time.Duration) { d.OpeningTime = limit }

// Local is where signing in leads to.
var Local = frame.Local

// AskProviderAgain lets the pause after the provider's failure be over.
func AskProviderAgain(d *frame.Dashboard) { d.SignOn.FailedAt = time.Time{} }

// UnderWay is how many requests through trusted proxies are.
func UnderWay(d *frame.Dashboard) int { return d.Forwarded.UnderWay() }

// NamedActs are the paths of the acts that are named before they are done.
func NamedActs() (paths []string) {
	for path := range acts {
		paths = append(paths, path)
	}
	return paths
}

// IssueFields are the fields of the form by which a person issues a note.
var IssueFields = notepages.IssueFields

// DetailFields are the fields of that form that only a person can give.
var DetailFields = notepages.DetailFields()
