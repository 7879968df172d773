package store_test

import (
	"slices"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/companies"
)

// A city that turns to the national system is reported for the companies that issue by the city, as long
// as that counts: for nobody else, and nothing is changed by it.
func TestTurnedCities(t *testing.T) {
	n := newTenant(t)
	of := func(authority string) nfse.FiscalProfile {
		t.Helper()
		profile := n.profile()
		profile.OrganizationID, profile.Authority = n.scope.OrganizationID, authority
		profile.MunicipalityCode = "3509502"
		must(t, n.Changes().Companies.SetFiscalProfile(t.Context(), profile))
		return profile
	}
	profile, worker := of("campinas"), n.worker(t)
	key := companies.CityKey{Authority: "national", Production: profile.Production, MunicipalityCode: "3509502"}
	must(t, worker.Companies.UseProfileCities(t.Context(), "national")) // also that of who issues by the city
	says := func(what string, city fiscal.City, want int) {
		t.Helper()
		must(t, worker.Companies.SaveCity(t.Context(), key, city, time.Hour))
		turned, err := n.Store.Notes.TurnedCities(t.Context(), 10)
		if err != nil || len(turned) != want {
			t.Errorf("%s: %+v, %v", what, turned, err)
		}
	}
	turned := fiscal.City{Active: true, AderenteEmissorNacional: new(true)}
	says("on a system of its own", fiscal.City{Active: true, AderenteEmissorNacional: new(false)}, 0)
	says("without an agreement", fiscal.City{AderenteEmissorNacional: new(true)}, 0)
	says("turned", turned, 1)
	if now, err := n.Store.Companies.FiscalProfile(t.Context(), n.scope.OrganizationID); err != nil ||
		now.Authority != "campinas" {
		t.Errorf("the profile is %+v, %v", now, err)
	}
	must(t, worker.Companies.DoubtCity(t.Context(), key, "E0039"))
	if list, err := n.Store.Notes.TurnedCities(t.Context(), 10); err != nil || len(list) != 0 {
		t.Errorf("doubted it is %+v, %v", list, err)
	}
	of("national")
	says("who has gone over", turned, 0)
	due, err := n.Store.Companies.CitiesDue(t.Context(), "national", 10)
	if err != nil || slices.ContainsFunc(due, func(one companies.DueCity) bool { return one.OrganizationID == "" }) {
		t.Errorf("due are %+v, %v", due, err)
	}
}
