package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/access"
	"emissor/store/companies"
	"emissor/store/notes"
)

// findScope finds the organization and the environment that the address names, and the
// user's role there. An organization that is not theirs is not found, like one that does not
// exist. An address that names none is redirected to one that does.
func findScope(r *frame.Request) error {
	query := r.URL.Query()
	organization, environment := query.Get("org"), query.Get("env")
	if (organization == "" || environment == "") && r.Method == http.MethodGet {
		return completeAddress(r)
	}
	if environment != nfse.Environment(true) && environment != nfse.Environment(false) {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	for _, membership := range r.Memberships {
		if membership.OrganizationID == organization {
			r.Organization, r.Role = membership.Name, membership.Role
		}
	}
	if r.User.Operator {
		found, err := r.D.Store.Access.Organization(r.Context(), organization)
		if err != nil {
			return err
		}
		r.Organization, r.Role = found.Name, nfse.RoleOperator
	}
	if r.Role == "" {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	r.Scope = nfse.Scope{OrganizationID: organization, Livemode: environment == nfse.Environment(true)}
	if r.Get(frame.SessionOrg) != organization || r.Get(frame.SessionEnv) != environment {
		r.Put(frame.SessionOrg, organization)
		r.Put(frame.SessionEnv, environment)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := r.ReadForm(); err != nil {
			return err
		}
		if r.PostForm.Get("env") != environment {
			return frame.Problem{Status: http.StatusConflict, Key: "problem.environment"}
		}
	}
	return nil
}

// completeAddress sends the browser to the same page of the organization and
// environment that it saw last, or else of its first organization. An operator who has seen
// none yet begins on the operators' page.
func completeAddress(r *frame.Request) error {
	organization, environment := r.URL.Query().Get("org"), r.URL.Query().Get("env")
	if organization == "" {
		organization = r.LastOrganization()
	}
	if organization == "" && r.User.Operator {
		organizations, _, err := r.D.Store.Access.FirstOrganizations(r.Context(), 1)
		if err != nil {
			return err
		}
		if len(organizations) > 0 {
			organization = organizations[0].ID
		}
		if r.URL.Path == "/" {
			r.Put(frame.SessionOrg, organization) // the overview shows this organization from now on
			return r.GoTo("/operations")
		}
	}
	if organization == "" {
		return frame.Problem{Status: http.StatusForbidden, Key: "problem.nowhere"}
	}
	if environment == "" {
		environment = r.Get(frame.SessionEnv)
	}
	if environment == "" {
		live, err := issuesLive(r, organization)
		if err != nil {
			return err
		}
		environment = nfse.Environment(live)
	}
	query := r.URL.Query()
	query.Set("org", organization)
	query.Set("env", environment)
	return r.GoTo(r.URL.Path + "?" + query.Encode())
}

// issuesLive reports whether the user's organization has live notes, or what it takes to issue
// them: then that is what people come for. It is not asked of an organization that is not
// theirs, which is not found afterwards.
func issuesLive(r *frame.Request, organization string) (bool, error) {
	member := slices.ContainsFunc(r.Memberships, func(one access.UserMembership) bool {
		return one.OrganizationID == organization
	})
	if !member && !r.User.Operator {
		return false, nil
	}
	live := nfse.Scope{OrganizationID: organization, Livemode: true}
	latest, err := r.D.Store.Notes.FilterNotes(r.Context(), live, notes.NoteFilter{Limit: 1})
	if err != nil || len(latest.Notes) > 0 {
		return len(latest.Notes) > 0, err
	}
	_, err = r.D.Store.Companies.FiscalProfile(r.Context(), organization)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	certificates, err := r.D.Store.Companies.Certificates(r.Context(), organization)
	return slices.ContainsFunc(certificates, func(one companies.Certificate) bool { return one.RemovedAt == nil }), err
}
