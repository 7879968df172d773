package frame

import (
	"net/http"
	"net/url"
	"strings"

	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/access"
	"emissor/store/notes"
)

// crumb is a page above the one that is shown.
type crumb struct{ Key, URL string }

// above are the pages that others stand below, with the keys of their names. A star stands
// for an id.
var above = map[string]string{
	"/notes":                    "section.notes",
	"/notes/*":                  "crumb.note",
	"/notes/*/messages":         "messages.title",
	"/batches":                  "section.batches",
	"/recurring":                "section.recurring",
	"/emails":                   "section.emails",
	"/catalogue/customers":      "section.customers",
	"/catalogue/customers/*":    "crumb.customer",
	"/catalogue/services":       "section.services",
	"/catalogue/services/*":     "crumb.service",
	"/catalogue/works":          "section.works",
	"/catalogue/events":         "section.events",
	"/closing":                  "section.closing",
	"/received":                 "section.received",
	"/integrations":             "section.integrations",
	"/integrations/deliveries":  "deliveries.title",
	"/integrations/requests":    "section.requests",
	"/integrations/endpoints/*": "crumb.endpoint",
	"/company":                  "section.company",
	"/people":                   "section.people",
	"/operations":               "section.operations",
	"/session":                  "section.session",
}

// Crumbs are the pages above this one, the highest first. What a form was sent to is above
// the page that answers it.
func (v View) Crumbs() (crumbs []crumb) {
	if v.r.Method == http.MethodGet && v.r.URL.Path == v.section() {
		return nil
	}
	segments := strings.Split(strings.TrimPrefix(v.r.URL.Path, "/"), "/")
	if v.r.Method == http.MethodGet {
		segments = segments[:len(segments)-1]
	}
	path, pattern := "", ""
	for _, segment := range segments {
		path += "/" + segment
		if above[pattern+"/*"] != "" && above[pattern+"/"+segment] == "" {
			segment = "*"
		}
		pattern += "/" + segment
		if key := above[pattern]; key != "" {
			crumbs = append(crumbs, crumb{key, v.Link(path)})
		}
	}
	return crumbs
}

// The groups of the left column, by the keys of their headings.
const (
	NoGroup           = ""
	groupIssuing      = "group.issuing"
	groupCatalogue    = "group.catalogue"
	groupAccounting   = "group.accounting"
	groupIntegrating  = "group.integrating"
	groupCompany      = "group.company"
	groupInstallation = "group.installation"
)

// Sections are the pages in the left column, in their order; those of a group stand together.
var Sections = []Section{
	{"section.overview", "/", SeeNotes, NoGroup, Always},
	{"section.notes", "/notes", SeeNotes, groupIssuing, Always},
	{"section.batches", "/batches", SeeNotes, groupIssuing, Always},
	{"section.recurring", "/recurring", SeeNotes, groupIssuing, Always},
	{"section.emails", "/emails", SeeBooks, groupIssuing, seldom},
	{"section.status", "/status", User, groupIssuing, seldom},
	{"section.customers", "/catalogue/customers", SeeCatalogue, groupCatalogue, Always},
	{"section.services", "/catalogue/services", SeeCatalogue, groupCatalogue, Always},
	{"section.works", "/catalogue/works", SeeCatalogue, groupCatalogue, withWorks},
	{"section.events", "/catalogue/events", SeeCatalogue, groupCatalogue, withEvents},
	{"section.closing", "/closing", SeeBooks, groupAccounting, Always},
	{"section.received", "/received", SeeBooks, groupAccounting, toAccountants},
	{"section.ledger", "/ledger", SeeBooks, groupAccounting, toAccountants},
	{"section.keys", "/integrations", SeeIntegrations, groupIntegrating, withKeys},
	{"section.requests", "/integrations/requests", SeeRequests, groupIntegrating, toDevelopers},
	{"section.profile", "/company", SeeCompany, groupCompany, Always},
	{"section.people", "/people", SeePeople, groupCompany, Always},
	{"section.audit", "/audit", SeeAudit, groupCompany, seldom},
	{"section.operations", "/operations", Operator, groupInstallation, Always},
}

// Section is a page in the left column.
type Section struct {
	Key   string // of its name
	Path  string
	Who   Audience
	Group string     // key of the heading that it stands under
	Shown visibility // whether it stands there, or below "more"
}

// visibility reports whether a section stands in the menu for a role, by what the company uses. A company without
// programs has nine; people who look for the others find them below "more".
type visibility func(nfse.Role, notes.Used) bool

func Always(nfse.Role, notes.Used) bool { return true }

func seldom(nfse.Role, notes.Used) bool { return false }

func withWorks(_ nfse.Role, used notes.Used) bool { return used.Works }

func withEvents(_ nfse.Role, used notes.Used) bool { return used.Events }

func withKeys(role nfse.Role, used notes.Used) bool { return used.Keys || role == nfse.RoleDeveloper }

func toAccountants(role nfse.Role, _ notes.Used) bool { return role == nfse.RoleAccountant }

func toDevelopers(role nfse.Role, _ notes.Used) bool { return role == nfse.RoleDeveloper }

// View is what a template gets: the frame of the page, and in Data its content.
type View struct {
	r       *Request
	Title   string // key
	Data    any
	Notice  string // key of what was done just now
	Passkey bool   // the account has none: the page reminds of it

	Chosen            chosen                  // what the frame says that one is in
	used              notes.Used              // of what is chosen
	Organizations     []access.UserMembership // to choose from
	MoreOrganizations bool                    // there are others, on the operators' page
}

// Language is the tag of the page's language.
func (v View) Language() words.Language { return v.r.Language }

// Languages are the languages to choose from.
func (v View) Languages() []words.Language { return words.Languages }

// SignedIn reports whether somebody is signed in.
func (v View) SignedIn() bool { return v.r.SignedIn() }

// User is who is signed in.
func (v View) User() nfse.User { return v.r.User }

// Organization is the name of the page's organization; empty when it is of none.
func (v View) Organization() string { return v.r.Organization }

// OrganizationID is the id of the page's organization; empty when it is of none.
func (v View) OrganizationID() string { return v.r.Scope.OrganizationID }

// Environment is test or live; of a page of no organization it means nothing.
func (v View) Environment() string { return v.r.Scope.Environment() }

// Test reports whether the page is of the test environment.
func (v View) Test() bool { return v.r.Scope.OrganizationID != "" && !v.r.Scope.Livemode }

// May reports whether the user's role here permits an act.
func (v View) May(act nfse.Permission) bool { return v.r.Role.May(act) }

// Link is an address of the same organization and environment.
func (v View) Link(path string, pairs ...string) string { return v.r.Link(path, pairs...) }

// APIURL is where programs reach the API; empty where the installation does not say it.
func (v View) APIURL() string {
	if v.r.D.APIURL == nil {
		return ""
	}
	return strings.TrimSuffix(v.r.D.APIURL.String(), "/")
}

// Here is the address of this page, without what reloading by itself adds.
func (v View) Here() string {
	query := v.r.URL.Query()
	if !query.Has("poll") {
		return v.r.URL.RequestURI()
	}
	query.Del("poll")
	return v.r.URL.EscapedPath() + "?" + query.Encode()
}

// Switch is the address of this section in an environment: the record that a page shows
// does not exist in the other one. From a page of no organization it leads to the overview.
func (v View) Switch(environment string) string {
	query := url.Values{"org": {v.Chosen.OrganizationID}, "env": {environment}}
	if v.r.Scope.OrganizationID == "" {
		return "/?" + query.Encode()
	}
	return v.section() + "?" + query.Encode()
}

// section is the path of the section that the page is in.
func (v View) section() string {
	in := ""
	for _, one := range Sections { // the longest: a section can be below another
		if one.Path != "/" && len(one.Path) > len(in) &&
			(v.r.URL.Path == one.Path || strings.HasPrefix(v.r.URL.Path, one.Path+"/")) {
			in = one.Path
		}
	}
	if in != "" {
		return in
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(v.r.URL.Path, "/"), "/")
	return "/" + first
}

// Framed reports whether the page has the left column: somebody is signed in, and may use
// other pages.
func (v View) Framed() bool { return v.SignedIn() && v.r.Get(SessionEnrol) == "" }

// Restricted reports whether live notes of what is chosen go to an authority's test system.
func (v View) Restricted() bool { return v.used.Restricted }

// Current reports whether the page is in a section.
func (v View) Current(path string) bool { return v.section() == path }

// newView puts the frame around a page.
func (r *Request) newView(title string, data any) (View, error) {
	v := View{r: r, Title: title, Data: data, Organizations: r.Memberships}
	if !r.SignedIn() {
		return v, nil
	}
	v.Notice = r.Pop(SessionNotice)
	if r.Get(sessionVerified) == "" && !r.Route.Ask(OwnPasskey) {
		passkeys, err := r.D.Store.Access.Passkeys(r.Context(), r.User.ID)
		if err != nil {
			return v, err
		}
		byProvider, err := r.ConfirmsByProvider() // then no passkey is needed
		if err != nil {
			return v, err
		}
		v.Passkey = len(passkeys) == 0 && !byProvider
	}
	return v, v.choose()
}
