package dashboard

import "emissor/store"

// namesOf finds what to call users and keys in a page. Who operates the installation is
// called that: their address is not for its organizations.
func (r *request) namesOf(ids []string) (map[string]string, error) {
	found, err := r.d.store.NamesOf(r.Context(), r.scope.OrganizationID, ids)
	names := map[string]string{}
	for _, one := range found {
		names[one.ID] = one.Name
		if r.hides(one) {
			names[one.ID] = r.language.Say("role.operator")
		}
	}
	return names, err
}

// hides reports whether the reader is not to know who somebody is.
func (r *request) hides(one store.Named) bool { return one.Operator && !r.user.Operator }
