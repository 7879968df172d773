package dashboard

import (
	"errors"
	"net/http"
	"slices"

	"emissor/nfse"
	"emissor/store/access"
	"emissor/store/companies"
	"emissor/store/notes"
)

// findScope finds the organization and the environment that the address names, and the
// user's role there. An organization that is not theirs is not found, like one that does not
// exist. An address that names none is redirected to one that does.
func (r *request) findScope() error {
	query := r.URL.Query()
	organization, environment := query.Get("org"), query.Get("env")
	if (organization == "" || environment == "") && r.Method == http.MethodGet {
		return r.completeAddress()
	}
	if environment != nfse.Environment(true) && environment != nfse.Environment(false) {
		return problem{http.StatusNotFound, "problem.not_found"}
	}
	for _, membership := range r.memberships {
		if membership.OrganizationID == organization {
			r.organization, r.role = membership.Name, membership.Role
		}
	}
	if r.user.Operator {
		found, err := r.d.store.Access.Organization(r.Context(), organization)
		if err != nil {
			return err
		}
		r.organization, r.role = found.Name, nfse.RoleOperator
	}
	if r.role == "" {
		return problem{http.StatusNotFound, "problem.not_found"}
	}
	r.scope = nfse.Scope{OrganizationID: organization, Livemode: environment == nfse.Environment(true)}
	if r.get(sessionOrg) != organization || r.get(sessionEnv) != environment {
		r.put(sessionOrg, organization)
		r.put(sessionEnv, environment)
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		if err := r.readForm(); err != nil {
			return err
		}
		if r.PostForm.Get("env") != environment {
			return problem{http.StatusConflict, "problem.environment"}
		}
	}
	return nil
}

// completeAddress sends the browser to the same page of the organization and
// environment that it saw last, or else of its first organization. An operator who has seen
// none yet begins on the operators' page.
func (r *request) completeAddress() error {
	organization, environment := r.URL.Query().Get("org"), r.URL.Query().Get("env")
	if organization == "" {
		organization = r.lastOrganization()
	}
	if organization == "" && r.user.Operator {
		organizations, _, err := r.d.store.Access.FirstOrganizations(r.Context(), 1)
		if err != nil {
			return err
		}
		if len(organizations) > 0 {
			organization = organizations[0].ID
		}
		if r.URL.Path == "/" {
			r.put(sessionOrg, organization) // the overview is that of this one from now on
			return r.goTo("/operations")
		}
	}
	if organization == "" {
		return problem{http.StatusForbidden, "problem.nowhere"}
	}
	if environment == "" {
		environment = r.get(sessionEnv)
	}
	if environment == "" {
		live, err := r.issuesLive(organization)
		if err != nil {
			return err
		}
		environment = nfse.Environment(live)
	}
	query := r.URL.Query()
	query.Set("org", organization)
	query.Set("env", environment)
	return r.goTo(r.URL.Path + "?" + query.Encode())
}

// issuesLive reports whether the user's organization has live notes, or what it takes to issue
// them: then that is what people come for. It is not asked of an organization that is not
// theirs, which is not found afterwards.
func (r *request) issuesLive(organization string) (bool, error) {
	member := slices.ContainsFunc(r.memberships, func(one access.UserMembership) bool {
		return one.OrganizationID == organization
	})
	if !member && !r.user.Operator {
		return false, nil
	}
	live := nfse.Scope{OrganizationID: organization, Livemode: true}
	latest, err := r.d.store.Notes.FilterNotes(r.Context(), live, notes.NoteFilter{Limit: 1})
	if err != nil || len(latest.Notes) > 0 {
		return len(latest.Notes) > 0, err
	}
	_, err = r.d.store.Companies.FiscalProfile(r.Context(), organization)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	certificates, err := r.d.store.Companies.Certificates(r.Context(), organization)
	return slices.ContainsFunc(certificates, func(one companies.Certificate) bool { return one.RemovedAt == nil }), err
}

// roleSeenLast is the user's role in the page's organization, or else in the one seen last.
func (r *request) roleSeenLast() nfse.Role {
	if r.user.Operator {
		return nfse.RoleOperator
	}
	if r.role != "" {
		return r.role
	}
	last := r.lastOrganization()
	for _, membership := range r.memberships {
		if membership.OrganizationID == last {
			return membership.Role
		}
	}
	return ""
}

func (r *request) lastOrganization() string {
	last := r.get(sessionOrg)
	for _, membership := range r.memberships {
		if membership.OrganizationID == last {
			return last
		}
	}
	switch {
	case r.user.Operator:
		return last
	case len(r.memberships) > 0:
		return r.memberships[0].OrganizationID
	}
	return ""
}
