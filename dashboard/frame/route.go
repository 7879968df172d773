package frame

import (
	"emissor/nfse"
)

// Audience is who may use a route.
type Audience string

// Who may use a route, besides those who have a permission in the organization that the
// address names.
const (
	Stranger Audience = "stranger" // anybody; no session is loaded
	Visitor  Audience = "visitor"  // anybody, signed in or not
	User     Audience = "user"     // who is signed in
	Operator Audience = "operator" // of the installation; no organization is named
)

// The permissions (package nfse) by which routes of an organization are used.
const (
	SeeNotes        = Audience(nfse.SeeNotes)
	IssueNotes      = Audience(nfse.IssueNotes)
	SeeCatalogue    = Audience(nfse.SeeCatalogue)
	ChangeCatalogue = Audience(nfse.ChangeCatalogue)
	SeeBooks        = Audience(nfse.SeeBooks)
	SendEmails      = Audience(nfse.SendEmails)
	SeeIntegrations = Audience(nfse.SeeIntegrations)
	ManageKeys      = Audience(nfse.ManageKeys)
	ManageEndpoints = Audience(nfse.ManageEndpoints)
	RetryDeliveries = Audience(nfse.RetryDeliveries)
	SeeRequests     = Audience(nfse.SeeRequests)
	SeeCompany      = Audience(nfse.SeeCompany)
	ManageCompany   = Audience(nfse.ManageCompany)
	SeePeople       = Audience(nfse.SeePeople)
	ManagePeople    = Audience(nfse.ManagePeople)
	SeeAudit        = Audience(nfse.SeeAudit)
)

// OfOrganization reports whether the route is one of an organization.
func (a Audience) OfOrganization() bool { return a.SignedIn() && a != User && a != Operator }

// Permission is what a user of a route of an organization must be permitted.
func (a Audience) Permission() nfse.Permission { return nfse.Permission(a) }

// SignedIn reports whether the audience has to be signed in.
func (a Audience) SignedIn() bool { return a != Stranger && a != Visitor }

// Asks is what a route asks for besides the role; several are joined with |.
type Asks int

// What a route asks for.
const (
	FreshPasskey  Asks = 1 << iota // a passkey's use in the last minutes: for what is dangerous
	OwnPasskey                     // the same, except of users who have no passkey yet
	WhenValid                      // with FreshPasskey: its page asks, once what was sent is valid (request.AskFresh)
	FreshInLive                    // the same in the live environment alone
	ATry                           // one of a few tries a minute: for what somebody could guess
	AFile                          // a file comes with the form, and is read in memory only
	ASheet                         // the same with a spreadsheet, which is larger
	AConfirmation                  // that the user confirms the act that they are shown (confirm.go)
	Follows                        // the page reloads by itself, which is no use of the session
	LooksUpKnown                   // a session is loaded if it was signed in a short while ago, or else as a try

	Nothing Asks = 0
)

// Ask reports whether the route asks for any of these.
func (r Route) Ask(any Asks) bool { return r.Asks&any != 0 }

// Handler answers a request, or returns what went wrong.
type Handler func(*Request) error

// Route is a line of the table of routes.
type Route struct {
	Method, Path string
	Who          Audience
	Asks         Asks
	Handler      Handler
}

func (r Route) Pattern() string {
	if r.Method == "any" {
		return r.Path
	}
	return r.Method + " " + r.Path
}

// On is the route of a method and a path: who may use it, what else it asks for, and what answers.
func On(method, path string, who Audience, asks Asks, handler Handler) Route {
	return Route{method, path, who, asks, handler}
}
