package store_test

import (
	"slices"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/companies"
	"emissor/test/testkit"
)

var (
	rio      = companies.CityKey{Authority: "national", MunicipalityCode: "3304557"}
	noAnswer = fact.NoAnswerInTime.Fact()
)

func (n tenancy) city(t *testing.T, key companies.CityKey) companies.CityRecord {
	t.Helper()
	record, err := n.Store.Companies.City(t.Context(), key)
	must(t, err)
	return record
}

// worker is the store as a worker process has it.
func (n tenancy) worker(t *testing.T) *store.Store {
	t.Helper()
	return testkit.OpenStore(t, n.As(testkit.Roles.Worker))
}

func (n tenancy) expectCity(t *testing.T, what string, expected companies.CityRecord) {
	t.Helper()
	record := n.city(t, rio)
	if record.Counts != expected.Counts || record.Due != expected.Due || record.Overdue != expected.Overdue ||
		record.Fetching != expected.Fetching || record.Wanted() != expected.Wanted() ||
		(record.City == nil) != (expected.City == nil) {
		t.Errorf("%s it is %+v", what, record)
	}
}

func TestCity_FromUnknownToDoubted(t *testing.T) {
	n := newTenant(t)
	worker, known := n.worker(t), &fiscal.City{}
	n.expectCity(t, "unknown", companies.CityRecord{Due: true})

	lease := func(expected bool) {
		t.Helper()
		leased, err := worker.Companies.LeaseCity(t.Context(), rio, n.scope.OrganizationID, time.Minute)
		if err != nil || leased != expected {
			t.Errorf("leased %t %v", leased, err)
		}
	}
	lease(true)
	lease(false) // one asks
	n.expectCity(t, "leased", companies.CityRecord{Due: true, Fetching: true})
	n.Exec(t, `UPDATE municipal_parameters SET fetching_until = now() - interval '1 second'`)
	lease(true) // who asked was cut off
	must(t, worker.Companies.FailCity(t.Context(), rio, noAnswer, time.Minute))
	n.expectCity(t, "after a failure", companies.CityRecord{})
	lease(false) // it rests

	must(t, worker.Companies.SaveCity(t.Context(), rio, fiscal.City{Active: true}, 24*time.Hour))
	n.expectCity(t, "fetched", companies.CityRecord{Counts: true, City: known})
	if record := n.city(t, rio); !record.Failure.None() || *record.AskedBy != n.scope.OrganizationID ||
		!record.City.Active {
		t.Errorf("it is %+v", record)
	}
	n.Exec(t, `UPDATE municipal_parameters SET next_fetch_at = now() - interval '1 hour'`)
	n.expectCity(t, "a day old", companies.CityRecord{Counts: true, Due: true, City: known})
	n.Exec(t, `UPDATE municipal_parameters SET next_fetch_at = now() - interval '25 hours'`)
	n.expectCity(t, "overdue", companies.CityRecord{Counts: true, Due: true, Overdue: true, City: known})
	must(t, worker.Companies.FailCity(t.Context(), rio, noAnswer, time.Minute))
	n.expectCity(t, "known, and failed", companies.CityRecord{Counts: true, City: known})
	n.Exec(t, `UPDATE municipal_parameters SET fetched_at = now() - interval '8 days'`)
	n.expectCity(t, "too old", companies.CityRecord{City: known})

	must(t, worker.Companies.SaveCity(t.Context(), rio, fiscal.City{Active: true}, 24*time.Hour))
	must(t, worker.Companies.DoubtCity(t.Context(), rio, "E0619"))
	n.expectCity(t, "doubted", companies.CityRecord{Due: true, City: known})
	must(t, worker.Companies.SaveCity(t.Context(), rio, fiscal.City{Active: true}, 24*time.Hour))
	must(t, worker.Companies.DoubtCity(t.Context(), rio, "E0619"))
	n.expectCity(t, "confirmed, and doubted again", companies.CityRecord{Counts: true, City: known})
	n.Exec(t, `UPDATE municipal_parameters SET confirmed_at = now() - interval '2 hours'`)
	must(t, worker.Companies.DoubtCity(t.Context(), rio, "E0619"))
	n.expectCity(t, "doubted later", companies.CityRecord{Due: true, City: known})
}

// heldOver is a reason to wait that is about a municipality.
func heldOver(municipality string) fact.Fact {
	return fact.Fact{Code: "of_a_city", Arguments: fact.Arguments{"municipality": municipality}}
}

// A change wakes up the notes that wait for it, and no others.
func TestSaveCity_WakesUpHeldNotes(t *testing.T) {
	n := newTenant(t).inLive(t)
	waiting, other := n.begin(t, "waiting"), n.begin(t, "other")
	within, elsewhere := n.begin(t, "within"), n.begin(t, "elsewhere")
	for id, reason := range map[string]fact.Fact{
		waiting:   heldOver(rio.MunicipalityCode),
		within:    fact.NoLongerTaken.With("code", "E0084", "why", []fact.Fact{heldOver(rio.MunicipalityCode)}),
		elsewhere: heldOver("3550308"),
		other:     fact.InWords("a municipality, " + rio.MunicipalityCode),
	} {
		_, err := n.Store.Lifecycle.HoldNote(t.Context(), id, reason)
		must(t, err)
	}
	woken := func() (ids []string) {
		t.Helper()
		must(t, n.SQL.Select(&ids, `DELETE FROM outbox WHERE kind = 'resume' RETURNING subject_id`))
		return ids
	}
	must(t, n.Store.Companies.UseProfileCities(t.Context(), "national"))
	leased, err := n.Store.Companies.LeaseCity(t.Context(), rio, n.scope.OrganizationID, time.Minute)
	if err != nil || !leased {
		t.Fatal(leased, err)
	}
	worker := n.worker(t)
	for i, step := range []struct {
		city   fiscal.City
		wakeUp bool
	}{{fiscal.City{}, true}, {fiscal.City{}, false}, {fiscal.City{Active: true}, true}} {
		must(t, worker.Companies.SaveCity(t.Context(), rio, step.city, time.Hour))
		var expected []string
		if step.wakeUp {
			expected = []string{waiting, within}
		}
		if ids := woken(); !slices.Equal(slices.Sorted(slices.Values(ids)), expected) {
			t.Errorf("%d: woken up are %v", i, ids)
		}
	}
}

// Parameters that could not be had for so long that they decide nothing hold no note.
func TestFailCity_WakesUpNotesHeldOverWhatIsTooOld(t *testing.T) {
	n := newTenant(t).inLive(t)
	waiting := n.begin(t, "waiting")
	_, err := n.Store.Lifecycle.HoldNote(t.Context(), waiting, heldOver(rio.MunicipalityCode))
	must(t, err)
	worker := n.worker(t)
	must(t, worker.Companies.FailCity(t.Context(), rio, noAnswer, time.Minute)) // nothing is known of it
	_, err = worker.Companies.LeaseCity(t.Context(), rio, n.scope.OrganizationID, time.Minute)
	must(t, err)
	must(t, worker.Companies.SaveCity(t.Context(), rio, fiscal.City{}, time.Hour))
	n.Exec(t, `DELETE FROM outbox`)
	for days, wakeUp := range map[int]int{6: 0, 8: 1} {
		n.Exec(t, `UPDATE municipal_parameters SET fetched_at = now() - make_interval(days => $1)`, days)
		must(t, worker.Companies.FailCity(t.Context(), rio, noAnswer, time.Minute))
		var woken []string
		must(t, n.SQL.Select(&woken, `DELETE FROM outbox WHERE kind = 'resume' RETURNING subject_id`))
		if len(woken) != wakeUp {
			t.Errorf("after %d days %v are woken up", days, woken)
		}
	}
}

// What profiles and notes use is refreshed, with the certificate of an organization
// that has one, and another's after a failure.
func TestCitiesDue(t *testing.T) {
	n := newTenant(t)
	second := addTenant(t, n.Database, false)
	worker := n.worker(t)
	due := func() []companies.DueCity {
		t.Helper()
		cities, err := worker.Companies.CitiesDue(t.Context(), "national", 10)
		must(t, err)
		services, err := worker.Companies.ServicesDue(t.Context(), "national", 10)
		must(t, err)
		return append(cities, services...)
	}
	for _, tenant := range []tenancy{n, second} {
		n.SetProfile(t, nfse.FiscalProfile{
			OrganizationID: tenant.scope.OrganizationID, Authority: "national", TaxID: "11222333000181",
			MunicipalityCode: "3304557", Simples: nfse.SimplesNone, Series: 1,
		})
	}
	must(t, worker.Companies.UseProfileCities(t.Context(), "national"))
	must(t, worker.Companies.UseProfileCities(t.Context(), "national"))
	if list := due(); len(list) > 0 {
		t.Errorf("without a certificate %+v is due", list)
	}
	for _, tenant := range []tenancy{n, second} {
		_, err := n.Changes().Companies.AddCertificate(t.Context(), tenant.certificate("EMPRESA:11222333000181", 100))
		must(t, err)
	}
	must(t, worker.Companies.UseCityService(t.Context(), rio, "01.07.01.000"))
	must(t, worker.Companies.UseCityService(t.Context(), rio, "01.07.01.000"))
	list := due()
	if len(list) != 2 || list[0].CityKey != rio || list[1].Service != "01.07.01.000" ||
		list[0].OrganizationID != n.scope.OrganizationID {
		t.Fatalf("%+v is due", list)
	}
	_, err := worker.Companies.LeaseCity(t.Context(), rio, n.scope.OrganizationID, time.Minute)
	must(t, err)
	must(t, worker.Companies.FailCity(t.Context(), rio, fact.AnswerNotUnderstood.With("status", 403), 0))
	if list := due(); list[0].OrganizationID != second.scope.OrganizationID {
		t.Errorf("after a failure %+v is due", list)
	}
	must(t, worker.Companies.FailCityService(t.Context(), rio, "01.07.01.000", noAnswer, time.Hour))
	must(t, worker.Companies.SaveCity(t.Context(), rio, fiscal.City{Active: true}, time.Hour))
	if list := due(); len(list) > 0 {
		t.Errorf("afterwards %+v is due", list)
	}
	found := fiscal.ServiceParameters{Rates: []fiscal.CityRate{{Percent: "5.00", From: "2023-01-02"}}}
	must(t, worker.Companies.SaveCityService(t.Context(), rio, "01.07.01.000", found, time.Hour))
	services, err := n.Store.Companies.CityServices(t.Context(), rio)
	must(t, err)
	if len(services) != 1 || services[0].Service.Rates[0].Percent != "5.00" || !services[0].Failure.None() {
		t.Errorf("kept are %+v", services)
	}
	operator := testkit.OpenStore(t, n.As(testkit.Roles.Operator))
	must(t, operator.By(testkit.Operator).Companies.RefreshCity(t.Context(), rio))
	if list := due(); len(list) != 2 {
		t.Errorf("refreshed %+v is due", list)
	}
	n.expectCity(t, "refreshed", companies.CityRecord{Counts: true, Due: true, Overdue: true, City: &fiscal.City{}})
	n.Exec(t, `UPDATE municipal_parameters SET used_at = now() - interval '31 days'`)
	n.Exec(t, `UPDATE municipal_service_parameters SET used_at = now() - interval '31 days'`)
	if list := due(); len(list) > 0 {
		t.Errorf("out of use %+v is due", list)
	}
	cities, err := operator.Companies.Cities(t.Context(), "3304557")
	if err != nil || len(cities) != 1 || !cities[0].Unused || !cities[0].Counts {
		t.Errorf("listed are %+v %v", cities, err)
	}
}
