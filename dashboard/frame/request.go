package frame

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"emissor/dashboard/words"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/access"
	"emissor/store/audit"
)

// GoTo sends the browser elsewhere instead of the page that it asked for.
func (r *Request) GoTo(address string) error {
	http.Redirect(r.W, r.Request, address, http.StatusSeeOther)
	return ErrAnswered
}

// NamesOf finds the names of users and keys for a page. Organizations do not see the
// addresses of who operates the installation.
func (r *Request) NamesOf(ids []string) (map[string]string, error) {
	found, err := r.D.Store.Audit.NamesOf(r.Context(), r.Scope.OrganizationID, ids)
	names := map[string]string{}
	for _, one := range found {
		names[one.ID] = one.Name
		if r.Hides(one) {
			names[one.ID] = r.Language.Say("role.operator")
		}
	}
	return names, err
}

// Hides reports whether the reader may not see who somebody is.
func (r *Request) Hides(one audit.Named) bool { return one.Operator && !r.User.Operator }

// FirstRequest is a request for a first note, with a service of the organization's own.
func (r *Request) FirstRequest(services []nfse.Service) string {
	service, cents := "srv_...", int64(15000)
	for _, one := range services {
		if one.Active {
			service, cents = one.ID, one.DefaultAmountCents
			break
		}
	}
	return Curl(nfse.Issuance{Reference: "order-1", ServiceID: service, AmountCents: cents,
		Customer: &nfse.InlineTaker{TaxID: "52998224725", Name: "Maria da Silva", Address: nfse.Address{
			ZipCode: Optional("01310-100"), Street: Optional("Avenida Paulista"), Number: Optional("1578"),
			District: Optional("Bela Vista"),
		}}})
}

// MadeBy is the id of the request to the API that made a note, while it is on record and the user may
// see it; else empty.
func (r *Request) MadeBy(noteID string) (string, error) {
	if !r.Role.May(nfse.SeeRequests) {
		return "", nil
	}
	return r.D.Store.Operate.RequestThatMade(r.Context(), r.Scope, noteID)
}

// Request is a request for a page, and what is known of it.
type Request struct {
	*http.Request
	W        http.ResponseWriter
	D        *Dashboard
	Route    Route
	ID       string // req_...
	Client   netip.Addr
	Language words.Language

	// Of the user who is signed in; zero when nobody is.
	User        nfse.User
	Memberships []access.UserMembership

	// Of a page of an organization.
	Scope        nfse.Scope
	Organization string // its name
	Role         nfse.Role
}

// SignedIn reports whether somebody is signed in.
func (r *Request) SignedIn() bool { return r.User.ID != "" }

// Changes are made in the name of the user who is signed in.
func (r *Request) Changes() *store.Changes { return r.ChangesOf(r.User.ID) }

// ChangesOf are made in the name of a user who is about to sign in.
func (r *Request) ChangesOf(userID string) *store.Changes {
	return r.D.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: userID, From: r.Client.String(), RequestID: r.ID})
}

// Link is an address within the dashboard: of this organization and environment
// where the page has one, with pairs of names and values as its query.
func (r *Request) Link(path string, pairs ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	if r.Scope.OrganizationID != "" {
		query.Set("org", r.Scope.OrganizationID)
		query.Set("env", r.Scope.Environment())
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// Redirect sends the browser to a page after a change, which then shows the notice.
func (r *Request) Redirect(address, notice string) error {
	if notice != "" {
		r.Put(SessionNotice, notice)
	}
	http.Redirect(r.W, r.Request, address, http.StatusSeeOther)
	return nil
}

// AsScript reports whether the script sent the request, which has JSON and no form.
func (r *Request) AsScript() bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")
}

// AsksForJSON reports whether the request is answered in JSON: the script sent it, or it reads a page
// that has such an answer.
func (r *Request) AsksForJSON() bool {
	return r.AsScript() || strings.HasPrefix(r.Header.Get("Accept"), "application/json")
}

// WriteJSON answers the script.
func (r *Request) WriteJSON(status int, value any) error {
	r.W.Header().Set("Content-Type", "application/json; charset=utf-8")
	r.W.WriteHeader(status)
	return json.NewEncoder(r.W).Encode(value)
}

// Local returns an address within the dashboard, and "/" for any other: anybody may have
// made the link that says where to go after signing in.
func Local(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || parsed.User != nil || !strings.HasPrefix(address, "/") ||
		strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return "/"
	}
	return address
}

// roleSeenLast is the user's role in the page's organization, or else in the one seen last.
func (r *Request) roleSeenLast() nfse.Role {
	if r.User.Operator {
		return nfse.RoleOperator
	}
	if r.Role != "" {
		return r.Role
	}
	last := r.LastOrganization()
	for _, membership := range r.Memberships {
		if membership.OrganizationID == last {
			return membership.Role
		}
	}
	return ""
}

func (r *Request) LastOrganization() string {
	last := r.Get(SessionOrg)
	for _, membership := range r.Memberships {
		if membership.OrganizationID == last {
			return last
		}
	}
	switch {
	case r.User.Operator:
		return last
	case len(r.Memberships) > 0:
		return r.Memberships[0].OrganizationID
	}
	return ""
}
