package dashboard

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
)

// request is a request for a page, and what is known of it.
type request struct {
	*http.Request
	w        http.ResponseWriter
	d        *Dashboard
	route    route
	id       string // req_...
	client   netip.Addr
	language words.Language

	// Of the user who is signed in; zero when nobody is.
	user        nfse.User
	memberships []access.UserMembership

	// Of a page of an organization.
	scope        nfse.Scope
	organization string // its name
	role         nfse.Role
}

// signedIn reports whether somebody is signed in.
func (r *request) signedIn() bool { return r.user.ID != "" }

// changes are made in the name of the user who is signed in.
func (r *request) changes() *store.Changes { return r.changesOf(r.user.ID) }

// changesOf are made in the name of a user who is about to sign in.
func (r *request) changesOf(userID string) *store.Changes {
	return r.d.store.By(nfse.Actor{Kind: nfse.ActorUser, ID: userID, From: r.client.String(), RequestID: r.id})
}

// link is an address within the dashboard: of this organization and environment
// where the page has one, with pairs of names and values as its query.
func (r *request) link(path string, pairs ...string) string {
	query := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			query.Set(pairs[i], pairs[i+1])
		}
	}
	if r.scope.OrganizationID != "" {
		query.Set("org", r.scope.OrganizationID)
		query.Set("env", r.scope.Environment())
	}
	if len(query) == 0 {
		return path
	}
	return path + "?" + query.Encode()
}

// redirect sends the browser to a page after a change, which then shows the notice.
func (r *request) redirect(address, notice string) error {
	if notice != "" {
		r.put(sessionNotice, notice)
	}
	http.Redirect(r.w, r.Request, address, http.StatusSeeOther)
	return nil
}

// asScript reports whether the script sent the request, which has JSON and no form.
func (r *request) asScript() bool {
	return strings.HasPrefix(r.Header.Get("Content-Type"), "application/json")
}

// asksForJSON reports whether the request is answered in JSON: the script sent it, or it reads a page
// that has such an answer.
func (r *request) asksForJSON() bool {
	return r.asScript() || strings.HasPrefix(r.Header.Get("Accept"), "application/json")
}

// writeJSON answers the script.
func (r *request) writeJSON(status int, value any) error {
	r.w.Header().Set("Content-Type", "application/json; charset=utf-8")
	r.w.WriteHeader(status)
	return json.NewEncoder(r.w).Encode(value)
}

// local returns an address within the dashboard, and "/" for any other: anybody may have
// made the link that says where to go after signing in.
func local(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.IsAbs() || parsed.Host != "" || parsed.User != nil || !strings.HasPrefix(address, "/") ||
		strings.HasPrefix(address, "//") || strings.ContainsAny(address, "\\\r\n\t") {
		return "/"
	}
	return address
}
