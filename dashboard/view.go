package dashboard

import (
	"net/url"
	"strings"

	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store/access"
	"emissor/store/notes"
)

// The groups of the left column, by the keys of their headings.
const (
	noGroup           = ""
	groupIssuing      = "group.issuing"
	groupCatalogue    = "group.catalogue"
	groupAccounting   = "group.accounting"
	groupIntegrating  = "group.integrating"
	groupCompany      = "group.company"
	groupInstallation = "group.installation"
)

// sections are the pages in the left column, in their order; those of a group stand together.
var sections = []section{
	{"section.overview", "/", seeNotes, noGroup, always},
	{"section.notes", "/notes", seeNotes, groupIssuing, always},
	{"section.batches", "/batches", seeNotes, groupIssuing, always},
	{"section.recurring", "/recurring", seeNotes, groupIssuing, always},
	{"section.emails", "/emails", seeBooks, groupIssuing, seldom},
	{"section.status", "/status", user, groupIssuing, seldom},
	{"section.customers", "/catalogue/customers", seeCatalogue, groupCatalogue, always},
	{"section.services", "/catalogue/services", seeCatalogue, groupCatalogue, always},
	{"section.works", "/catalogue/works", seeCatalogue, groupCatalogue, withWorks},
	{"section.events", "/catalogue/events", seeCatalogue, groupCatalogue, withEvents},
	{"section.closing", "/closing", seeBooks, groupAccounting, always},
	{"section.received", "/received", seeBooks, groupAccounting, toAccountants},
	{"section.ledger", "/ledger", seeBooks, groupAccounting, toAccountants},
	{"section.keys", "/integrations", seeIntegrations, groupIntegrating, withKeys},
	{"section.requests", "/integrations/requests", seeRequests, groupIntegrating, toDevelopers},
	{"section.profile", "/company", seeCompany, groupCompany, always},
	{"section.people", "/people", seePeople, groupCompany, always},
	{"section.audit", "/audit", seeAudit, groupCompany, seldom},
	{"section.operations", "/operations", operator, groupInstallation, always},
}

// section is a page in the left column.
type section struct {
	Key   string // of its name
	Path  string
	who   audience
	Group string     // key of the heading that it stands under
	shown visibility // whether it stands there, or below "more"
}

// visibility reports whether a section stands in the menu for a role, by what the company uses. A company without
// programs has nine; whoever looks for the others finds them below "more".
type visibility func(nfse.Role, notes.Used) bool

func always(nfse.Role, notes.Used) bool               { return true }
func seldom(nfse.Role, notes.Used) bool               { return false }
func withWorks(_ nfse.Role, used notes.Used) bool     { return used.Works }
func withEvents(_ nfse.Role, used notes.Used) bool    { return used.Events }
func withKeys(role nfse.Role, used notes.Used) bool   { return used.Keys || role == nfse.RoleDeveloper }
func toAccountants(role nfse.Role, _ notes.Used) bool { return role == nfse.RoleAccountant }
func toDevelopers(role nfse.Role, _ notes.Used) bool  { return role == nfse.RoleDeveloper }

// view is what a template gets: the frame of the page, and in Data its content.
type view struct {
	r       *request
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
func (v view) Language() words.Language { return v.r.language }

// Languages are the languages to choose from.
func (v view) Languages() []words.Language { return words.Languages }

// SignedIn reports whether somebody is signed in.
func (v view) SignedIn() bool { return v.r.signedIn() }

// User is who is signed in.
func (v view) User() nfse.User { return v.r.user }

// Organization is the name of the page's organization; empty when it is of none.
func (v view) Organization() string { return v.r.organization }

// OrganizationID is the id of the page's organization; empty when it is of none.
func (v view) OrganizationID() string { return v.r.scope.OrganizationID }

// Environment is test or live; of a page of no organization it means nothing.
func (v view) Environment() string { return v.r.scope.Environment() }

// Test reports whether the page is of the test environment.
func (v view) Test() bool { return v.r.scope.OrganizationID != "" && !v.r.scope.Livemode }

// May reports whether the user's role here permits an act.
func (v view) May(act nfse.Permission) bool { return v.r.role.May(act) }

// Link is an address of the same organization and environment.
func (v view) Link(path string, pairs ...string) string { return v.r.link(path, pairs...) }

// APIURL is where programs reach the API; empty where the installation does not say it.
func (v view) APIURL() string {
	if v.r.d.APIURL == nil {
		return ""
	}
	return strings.TrimSuffix(v.r.d.APIURL.String(), "/")
}

// Here is the address of this page, without what reloading by itself adds.
func (v view) Here() string {
	query := v.r.URL.Query()
	if !query.Has("poll") {
		return v.r.URL.RequestURI()
	}
	query.Del("poll")
	return v.r.URL.EscapedPath() + "?" + query.Encode()
}

// Switch is the address of this section in an environment: the record that a page shows
// does not exist in the other one. From a page of no organization it leads to the overview.
func (v view) Switch(environment string) string {
	query := url.Values{"org": {v.Chosen.OrganizationID}, "env": {environment}}
	if v.r.scope.OrganizationID == "" {
		return "/?" + query.Encode()
	}
	return v.section() + "?" + query.Encode()
}

// section is the path of the section that the page is in.
func (v view) section() string {
	in := ""
	for _, one := range sections { // the longest: a section can be below another
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
func (v view) Framed() bool { return v.SignedIn() && v.r.get(sessionEnrol) == "" }

// Restricted reports whether live notes of what is chosen go to an authority's test system.
func (v view) Restricted() bool { return v.used.Restricted }

// Current reports whether the page is in a section.
func (v view) Current(path string) bool { return v.section() == path }

// newView puts the frame around a page.
func (r *request) newView(title string, data any) (view, error) {
	v := view{r: r, Title: title, Data: data, Organizations: r.memberships}
	if !r.signedIn() {
		return v, nil
	}
	v.Notice = r.pop(sessionNotice)
	if r.get(sessionVerified) == "" && !r.route.ask(ownPasskey) {
		passkeys, err := r.d.store.Access.Passkeys(r.Context(), r.user.ID)
		if err != nil {
			return v, err
		}
		byProvider, err := r.confirmsByProvider() // then no passkey is needed
		if err != nil {
			return v, err
		}
		v.Passkey = len(passkeys) == 0 && !byProvider
	}
	return v, v.choose()
}
