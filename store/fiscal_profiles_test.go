package store_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/companies"
)

func (n tenancy) profile() nfse.FiscalProfile {
	return nfse.FiscalProfile{
		OrganizationID: n.scope.OrganizationID, Authority: "national", Production: true, TaxID: issuer,
		MunicipalRegistration: new("12.345-6"), SendMunicipalRegistration: true, MunicipalityCode: "3304557",
		Simples: nfse.SimplesME, SimplesRegime: new(2), SpecialRegime: 6, Series: 900,
		ApproximateTaxes: nfse.ApproximateTaxes{Simples: 600}, InactiveMunicipalities: []string{"3550308"},
	}
}

func TestFiscalProfile_Kept(t *testing.T) {
	tenant := newTenant(t)
	if _, err := tenant.Store.Companies.FiscalProfile(t.Context(), tenant.scope.OrganizationID); !errors.Is(err,
		companies.ErrNoFiscalProfile) {
		t.Errorf("without a profile the answer is %v", err)
	}
	if list, err := tenant.Store.Companies.FiscalProfiles(t.Context()); err != nil || len(list) != 0 {
		t.Errorf("listed are %v, %v", list, err)
	}
	first := tenant.profile()
	second := first
	second.Production, second.Simples, second.SimplesRegime, second.MunicipalRegistration = false, nfse.SimplesNone,
		nil, nil
	second.ApproximateTaxes = nfse.ApproximateTaxes{Federal: 1345, Municipal: 290}
	for _, profile := range []nfse.FiscalProfile{first, second} {
		must(t, tenant.Changes().Companies.SetFiscalProfile(t.Context(), profile))
		read, err := tenant.Store.Companies.FiscalProfile(t.Context(), tenant.scope.OrganizationID)
		if err != nil || !reflect.DeepEqual(read, profile) {
			t.Errorf("read is %+v, %v; expected %+v", read, err, profile)
		}
	}
	other := addTenant(t, tenant.Database, false)
	must(t, other.Changes().Companies.SetFiscalProfile(t.Context(), other.profile()))
	list, err := tenant.Store.Companies.FiscalProfiles(t.Context())
	if err != nil || !reflect.DeepEqual(list, []nfse.FiscalProfile{second, other.profile()}) {
		t.Errorf("listed are %+v, %v", list, err)
	}
}

func TestFiscalProfile_WakesUpHeldNotes(t *testing.T) {
	tenant := newTenant(t)
	live, other := tenant.inLive(t), addTenant(t, tenant.Database, true)
	waiting := []string{live.hold(t, "a"), live.begin(t, "b")}
	other.hold(t, "a")
	must(t, tenant.Changes().Companies.SetFiscalProfile(t.Context(), tenant.profile()))
	if resumed := live.resumed(t); !slices.Equal(resumed, waiting) {
		t.Errorf("woken up are %v, expected %s", resumed, waiting)
	}
}

// Only a change between production and restricted production is on record as one of the
// environment, and the first profile is none.
func TestEnvironmentChanged(t *testing.T) {
	tenant := newTenant(t)
	changed := func(since time.Time) bool {
		t.Helper()
		is, err := tenant.Store.Companies.EnvironmentChanged(t.Context(), tenant.scope.OrganizationID, since)
		must(t, err)
		return is
	}
	before, profile := time.Now().Add(-time.Hour), tenant.profile()
	set := func() {
		t.Helper()
		must(t, tenant.Changes().Companies.SetFiscalProfile(t.Context(), profile))
	}
	if changed(before) {
		t.Error("it was changed without a profile")
	}
	set()
	profile.Series++
	set()
	if changed(before) {
		t.Error("another series is another environment")
	}
	for _, production := range []bool{false, true} {
		tenant.Exec(t, `UPDATE fiscal_profiles SET environment_changed_at = NULL`)
		profile.Production = production
		set()
		profile.Series++
		set()
		if !changed(before) || changed(time.Now().Add(time.Hour)) {
			t.Errorf("to production %t: changed since before %t, since later %t", production, changed(before),
				changed(time.Now().Add(time.Hour)))
		}
	}
}
