package dashboard

import "time"

// Route is a line of the table of routes, for its test.
type Route struct {
	Method, Path, Who string
	Fresh             bool // asks for a fresh passkey
	AsksWhenValid     bool // its page asks for it, at least in the live environment
	Confirmed         bool // asks whether it is meant
}

// Routes are all of them.
func (d *Dashboard) Routes() (routes []Route) {
	for _, one := range d.routes() {
		routes = append(routes, Route{one.method, one.path, string(one.who), one.ask(freshPasskey | ownPasskey),
			one.ask(whenValid | freshInLive), one.ask(aConfirmation)})
	}
	return routes
}

// SetOpeningTime sets how long a PFX file may take to open.
func (d *Dashboard) SetOpeningTime(limit time.Duration) { d.openingTime = limit }

// Local is where signing in leads to.
var Local = local

// AskProviderAgain lets the pause after the provider's failure be over.
func (d *Dashboard) AskProviderAgain() { d.signOn.failedAt = time.Time{} }

// UnderWay is how many requests through trusted proxies are.
func (d *Dashboard) UnderWay() int { return d.forwarded.UnderWay() }

// NamedActs are the paths of the acts that are named before they are done.
func NamedActs() (paths []string) {
	for path := range acts {
		paths = append(paths, path)
	}
	return paths
}

// IssueFields are those of the form by which a person issues a note.
var IssueFields = issueFields

// DetailFields are those of them that only a person can give.
var DetailFields = detailFields()
