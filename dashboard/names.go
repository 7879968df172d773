package dashboard

import (
	"emissor/store/audit"
)

// namesOf finds the names of users and keys for a page. Organizations do not see the
// addresses of who operates the installation.
func (r *request) namesOf(ids []string) (map[string]string, error) {
	found, err := r.d.store.Audit.NamesOf(r.Context(), r.scope.OrganizationID, ids)
	names := map[string]string{}
	for _, one := range found {
		names[one.ID] = one.Name
		if r.hides(one) {
			names[one.ID] = r.language.Say("role.operator")
		}
	}
	return names, err
}

// hides reports whether the reader may not see who somebody is.
func (r *request) hides(one audit.Named) bool { return one.Operator && !r.user.Operator }
