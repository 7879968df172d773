package store_test

import (
	"errors"
	"testing"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// A register belongs to one organization and environment. A record is changed only by somebody who saw its current
// version. It is closed for good, and then nothing new can refer to it.
func TestRegisters(t *testing.T) {
	tenant := newTenant(t).inLive(t)
	by, ctx, works := tenant.Changes(), t.Context(), catalogues.Works
	work, err := works.Add(ctx, by.Catalogues, tenant.scope, nfse.Work{Name: "Casa", Registration: "900012345678"})
	must(t, err)
	second, err := works.Add(ctx, by.Catalogues, tenant.scope, nfse.Work{Name: "Prédio"})
	must(t, err)
	if work.Record.ID != work.ID || work.Record.Registration != "900012345678" || work.ClosedAt != nil {
		t.Errorf("added is %+v", work)
	}
	changed := nfse.Work{Name: "Casa 2", MunicipalityCode: "3304557"}
	seen := nfse.VersionOf(work.Record)
	must(t, works.Set(ctx, by.Catalogues, tenant.scope, work.ID, changed, seen))
	must(t, works.Set(ctx, by.Catalogues, tenant.scope, work.ID, changed, seen)) // the same again
	if err := works.Set(ctx, by.Catalogues, tenant.scope, work.ID,
		nfse.Work{Name: "x"}, seen); !errors.Is(err, postgres.ErrChanged) {
		t.Errorf("a change that was made from an older version is answered %v", err)
	}
	note := tenant.hold(t, "held")
	tenant.resumed(t)
	tax := func(work string) error {
		return by.Catalogues.TaxService(ctx, tenant.scope, tenant.service.ID, nfse.ServiceTaxation{WorkID: work}, "")
	}
	must(t, tax(work.ID))
	if woken := tenant.resumed(t); len(woken) != 1 || woken[0] != note {
		t.Errorf("woken up are %v", woken)
	}
	taken, err := tenant.Store.Lifecycle.TakeTaxation(ctx, note)
	if err != nil || taken == nil || taken.Work == nil || taken.Work.Name != "Casa 2" || taken.Work.ID != work.ID {
		t.Errorf("the note took %+v, %v", taken, err)
	}
	must(t, works.Close(ctx, by.Catalogues, tenant.scope, work.ID))
	must(t, works.Close(ctx, by.Catalogues, tenant.scope, work.ID))
	if n := len(tenant.auditLog(t, audit.Filter{Action: string(audit.WorkClose)})); n != 1 {
		t.Errorf("it is closed %d times", n)
	}
	must(t, by.Catalogues.TaxService(ctx, tenant.scope, tenant.service.ID,
		nfse.ServiceTaxation{WorkID: work.ID, Deduction: 1_00}, "")) // it names it already
	must(t, tax(second.ID))
	for name, id := range map[string]string{"closed": work.ID, "nothing that is registered": "wrk_1"} {
		if err := tax(id); !nfse.IsCode(err, nfse.CodeInvalidRequest) {
			t.Errorf("a work that is %s is answered %v", name, err)
		}
	}
	if err := works.Set(ctx, by.Catalogues, tenant.scope, work.ID, changed, ""); !errors.Is(err, catalogues.ErrClosed) {
		t.Errorf("a change of a closed work is answered %v", err)
	}
	open, more, err := works.List(ctx, tenant.Store.Catalogues, tenant.scope, true, postgres.Page{Limit: 1})
	if err != nil || more || len(open) != 1 || open[0].ID != second.ID {
		t.Errorf("open are %+v, %t, %v", open, more, err)
	}
	all, more, err := works.List(ctx, tenant.Store.Catalogues, tenant.scope, false,
		postgres.Page{Limit: 1, After: second.ID})
	if err != nil || more || len(all) != 1 || all[0].ID != work.ID || all[0].ClosedAt == nil {
		t.Errorf("all after the second are %+v, %t, %v", all, more, err)
	}
	other := addTenant(t, tenant.Database, true)
	_, err = works.One(ctx, tenant.Store.Catalogues, other.scope, second.ID)
	if !errors.Is(err, catalogues.ErrNotRegistered) {
		t.Errorf("another organization reads it: %v", err)
	}
	if err := works.Close(ctx, by.Catalogues, other.scope, second.ID); !errors.Is(err, catalogues.ErrNotRegistered) {
		t.Errorf("another organization closes it: %v", err)
	}
}
