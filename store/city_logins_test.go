package store_test

import (
	"testing"

	"emissor/nfse"
	"emissor/store/companies"
)

func (n tenancy) login() companies.CityLogin {
	return companies.CityLogin{ID: nfse.NewID(nfse.PrefixCityLogin), OrganizationID: n.scope.OrganizationID,
		MunicipalityCode: "3503406", Sealed: []byte("sealed")}
}

// An organization has one login at most: a later one takes the place of the earlier, and one that was removed is gone.
func TestCityLogin_One(t *testing.T) {
	n := newTenant(t)
	read := func() *companies.CityLogin {
		t.Helper()
		kept, err := n.Store.Companies.CityLogin(t.Context(), n.scope.OrganizationID)
		must(t, err)
		return kept
	}
	by := n.Changes().Companies
	if _, err := by.RemoveCityLogin(t.Context(), n.scope.OrganizationID); !nfse.IsCode(err, nfse.CodeNotFound) {
		t.Errorf("none is removed: %v", err)
	}
	for range 2 {
		set, err := by.SetCityLogin(t.Context(), n.login())
		must(t, err)
		if kept := read(); kept == nil || kept.ID != set.ID || kept.CreatedAt.IsZero() {
			t.Errorf("kept is %+v, not %+v", kept, set)
		}
	}
	_, err := by.RemoveCityLogin(t.Context(), n.scope.OrganizationID)
	must(t, err)
	if kept := read(); kept != nil {
		t.Errorf("kept is %+v", kept)
	}
}
