package dashboard

import "emissor/nfse"

// audience is who may use a route.
type audience string

// Who may use a route, besides those who have a permission in the organization that the
// address names.
const (
	stranger audience = "stranger" // anybody; no session is loaded
	visitor  audience = "visitor"  // anybody, signed in or not
	user     audience = "user"     // who is signed in
	operator audience = "operator" // of the installation; no organization is named
)

// The permissions (package nfse) by which routes of an organization are used.
const (
	seeNotes        = audience(nfse.SeeNotes)
	issueNotes      = audience(nfse.IssueNotes)
	seeCatalogue    = audience(nfse.SeeCatalogue)
	changeCatalogue = audience(nfse.ChangeCatalogue)
	seeBooks        = audience(nfse.SeeBooks)
	sendEmails      = audience(nfse.SendEmails)
	seeIntegrations = audience(nfse.SeeIntegrations)
	manageKeys      = audience(nfse.ManageKeys)
	manageEndpoints = audience(nfse.ManageEndpoints)
	retryDeliveries = audience(nfse.RetryDeliveries)
	seeRequests     = audience(nfse.SeeRequests)
	seeCompany      = audience(nfse.SeeCompany)
	manageCompany   = audience(nfse.ManageCompany)
	seePeople       = audience(nfse.SeePeople)
	managePeople    = audience(nfse.ManagePeople)
	seeAudit        = audience(nfse.SeeAudit)
)

// ofOrganization reports whether the route is one of an organization.
func (a audience) ofOrganization() bool { return a.signedIn() && a != user && a != operator }

// permission is what a user of a route of an organization must be permitted.
func (a audience) permission() nfse.Permission { return nfse.Permission(a) }

// signedIn reports whether the audience has to be signed in.
func (a audience) signedIn() bool { return a != stranger && a != visitor }

// asks is what a route asks for besides the role; several are joined with |.
type asks int

// What a route asks for.
const (
	freshPasskey  asks = 1 << iota // a passkey's use in the last minutes: for what is dangerous
	ownPasskey                     // the same, except of users who have no passkey yet
	whenValid                      // with freshPasskey: its page asks, once what was sent is valid (request.askFresh)
	freshInLive                    // the same in the live environment alone
	aTry                           // one of a few tries a minute: for what somebody could guess
	aFile                          // a file comes with the form, and is read in memory only
	aSheet                         // the same with a spreadsheet, which is larger
	aConfirmation                  // that the user confirms the act that they are shown (confirm.go)
	follows                        // the page reloads by itself, which is no use of the session
	looksUpKnown                   // a session is loaded if it was signed in a short while ago, or else as a try

	nothing asks = 0
)

// ask reports whether the route asks for any of these.
func (r route) ask(any asks) bool { return r.asks&any != 0 }

// handler answers a request, or returns what went wrong.
type handler func(*request) error

// route is a line of the table of routes.
type route struct {
	method, path string
	who          audience
	asks         asks
	handler      handler
}

func (r route) pattern() string {
	if r.method == "any" {
		return r.path
	}
	return r.method + " " + r.path
}
