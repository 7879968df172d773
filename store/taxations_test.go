package store_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// Everything that is set is kept, changed and taken away, with what was before in the audit log,
// and an organization's waiting notes are woken up.
func TestTaxations_KeepAll(t *testing.T) {
	live := newTenant(t).inLive(t)
	customer, _, err := live.Store.Catalogues.SyncCustomer(t.Context(), live.scope, "52998224725", named("Maria"))
	must(t, err)
	note := live.hold(t, "held")
	live.resumed(t)
	serviceNow := func() nfse.ServiceTaxation {
		now, err := live.Store.Catalogues.ServiceTaxation(t.Context(), live.scope, live.service.ID)
		must(t, err)
		return now
	}
	set := nfse.Withholding{IRRF: 1_50, PIS: 65, COFINS: 3_00, CSLL: 1_00, INSS: 11_00, INSSBase: 60_00}
	for _, wanted := range []nfse.ServiceTaxation{
		{Withholding: &set}, {Withholding: &nfse.Withholding{}, Deduction: 40_00}, {},
	} {
		must(t, live.Changes().Catalogues.TaxService(t.Context(), live.scope, live.service.ID, wanted,
			nfse.VersionOf(serviceNow())))
		if now := serviceNow(); !reflect.DeepEqual(now, wanted) {
			t.Errorf("the service is taxed as %+v, expected %+v", now, wanted)
		}
		if woken := live.resumed(t); !slices.Equal(woken, []string{note}) {
			t.Errorf("woken up are %v", woken)
		}
	}
	for _, wanted := range []nfse.CustomerTaxation{
		{Withholds: nfse.WithholdsItsOwn, Withholding: &set}, {Simples: true}, {Withholds: nfse.WithholdsNothing}, {},
	} {
		must(t, live.Changes().Catalogues.TaxCustomer(t.Context(), live.scope, customer.ID, wanted, ""))
		now, err := live.Store.Catalogues.CustomerTaxation(t.Context(), live.scope, customer.ID)
		if err != nil || !reflect.DeepEqual(now, wanted) {
			t.Errorf("the customer withholds %+v, %v, expected %+v", now, err, wanted)
		}
	}
	if n := live.Text(t, `SELECT count(*) FROM service_taxations`) + live.Text(t,
		`SELECT count(*) FROM customer_taxations`); n != "00" {
		t.Errorf("%s rows are left", n)
	}
	changes := len(live.auditLog(t, audit.Filter{Action: string(audit.ServiceTax)}))
	if changes != 3 {
		t.Errorf("the audit log has %d changes of the service", changes)
	}
	must(t, live.Changes().Catalogues.TaxCustomer(t.Context(), live.scope, customer.ID, nfse.CustomerTaxation{}, ""))
	entries := live.auditLog(t, audit.Filter{Action: string(audit.CustomerTax)})
	if len(entries) != 4 { // what changes nothing is not recorded
		t.Errorf("the audit log has %d changes of the customer", len(entries))
	}
}

// A change is made from what its maker saw, and of nothing of another organization or environment.
func TestTaxations_RefuseOthers(t *testing.T) {
	tenant := newTenant(t)
	taxation := nfse.ServiceTaxation{Withholding: &nfse.Withholding{IRRF: 1_50}}
	seen := nfse.VersionOf(nfse.ServiceTaxation{})
	tax := func(id, version string) error {
		return tenant.Changes().Catalogues.TaxService(t.Context(), tenant.scope, id, taxation, version)
	}
	must(t, tax(tenant.service.ID, seen))
	if err := tax(tenant.service.ID, seen); !errors.Is(err, postgres.ErrChanged) {
		t.Errorf("a change that was made from an older version is answered %v", err)
	}
	for name, foreign := range map[string]string{
		"another organization": addTenant(t, tenant.Database, false).service.ID,
		"live":                 tenant.inLive(t).service.ID, "nobody": "srv_1",
	} {
		if err := tax(foreign, ""); !nfse.IsCode(err, nfse.CodeServiceNotFound) {
			t.Errorf("a service of %s is answered %v", name, err)
		}
	}
	err := tenant.Changes().Catalogues.TaxCustomer(t.Context(), tenant.scope, "cus_1",
		nfse.CustomerTaxation{Simples: true}, "")
	if !nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		t.Errorf("a customer that is not there is answered %v", err)
	}
}
