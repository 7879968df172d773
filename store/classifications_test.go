package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/catalogues"
	"emissor/store/postgres"
	"emissor/test/testkit"
)

func usualClassification() nfse.Classification {
	return nfse.Classification{NBS: "115021000", CIndOp: "100301", CST: "000", CClassTrib: "000001"}
}

// classify classifies the tenant's service.
func (n tenancy) classify(t *testing.T, c nfse.Classification) (changed int) {
	t.Helper()
	changed, err := n.Changes().Catalogues.ClassifyServices(t.Context(), n.scope,
		[]catalogues.ServiceClassification{{ServiceID: n.service.ID, Classification: c}})
	must(t, err)
	return changed
}

func (n tenancy) expectClassification(t *testing.T, expected *nfse.Classification) {
	t.Helper()
	found, err := n.Store.Catalogues.ServiceClassification(t.Context(), n.scope, n.service.ID)
	if err != nil || !reflect.DeepEqual(found, expected) {
		t.Errorf("the service is classified as %+v, %v, expected %+v", found, err, expected)
	}
}

// Everything that a classification may have is kept, and changed, and audited with
// what was before.
func TestClassifyServices_KeepsAll(t *testing.T) {
	tenant := newTenant(t)
	tenant.expectClassification(t, nil)
	full := usualClassification()
	full.IndFinal, full.CCredPres = new(false), new("01")
	full.RegularTaxation = &nfse.RegularTaxation{CST: "200", CClassTrib: "200052"}
	full.Deferral = &nfse.Deferral{State: 1, Municipal: 2, Federal: 100_00}
	full.TpEnteGov, full.TpOper = new(1), new(5)
	full.Property = &nfse.Property{Registration: new("1"), Address: &nfse.PropertyAddress{ZipCode: "01310100",
		Street: "Avenida Paulista", Number: "1578", Complement: new("sala 1"), District: "Bela Vista"}}
	for _, step := range []struct {
		c       nfse.Classification
		changed int
	}{{usualClassification(), 1}, {full, 1}, {full, 0}} {
		if changed := tenant.classify(t, step.c); changed != step.changed {
			t.Errorf("%d were changed, expected %d", changed, step.changed)
		}
		tenant.expectClassification(t, &step.c)
	}
	entries := tenant.auditLog(t, audit.Filter{Action: "service"})
	if len(entries) != 2 || !strings.Contains(string(entries[0].Before), `"c_nbs": "115021000"`) ||
		!strings.Contains(string(entries[0].After), `"c_cred_pres": "01"`) ||
		strings.Contains(string(entries[0].After), "Paulista") || string(entries[1].Before) != "null" {
		t.Errorf("on record are %+v", entries)
	}
	must(t, tenant.Changes().Catalogues.RemoveClassification(t.Context(), tenant.scope, tenant.service.ID))
	tenant.expectClassification(t, nil)
	err := tenant.Changes().Catalogues.RemoveClassification(t.Context(), tenant.scope, tenant.service.ID)
	if !nfse.IsCode(err, nfse.CodeInvalidRequest) {
		t.Errorf("removing what is not there is answered %v", err)
	}
}

// All or none, and nothing of another organization or environment.
func TestClassifyServices_OfTheScopeAlone(t *testing.T) {
	tenant := newTenant(t)
	for name, foreign := range map[string]string{
		"another organization": addTenant(t, tenant.Database, false).service.ID,
		"live":                 tenant.inLive(t).service.ID, "nobody": "srv_1",
	} {
		_, err := tenant.Changes().Catalogues.ClassifyServices(t.Context(), tenant.scope,
			[]catalogues.ServiceClassification{
				{ServiceID: tenant.service.ID, Classification: usualClassification()},
				{ServiceID: foreign, Classification: usualClassification()},
			})
		if !nfse.IsCode(err, nfse.CodeServiceNotFound) || !strings.Contains(fmt.Sprint(err), foreign) {
			t.Errorf("a service of %s is answered %v", name, err)
		}
		err = tenant.Changes().Catalogues.RemoveClassification(t.Context(), tenant.scope, foreign)
		if !nfse.IsCode(err, nfse.CodeServiceNotFound) {
			t.Errorf("removing that of %s is answered %v", name, err)
		}
	}
	tenant.expectClassification(t, nil)
	live := tenant.inLive(t)
	live.classify(t, usualClassification())
	found, err := tenant.Store.Catalogues.ServiceClassification(t.Context(), tenant.scope, live.service.ID)
	if found != nil || err != nil {
		t.Errorf("in test the live service is classified as %+v, %v", found, err)
	}
}

// Notes that wait for a person look again; those of others, and after a change
// that changes nothing, do not.
func TestClassifyServices_WakesUpNotes(t *testing.T) {
	tenant := newTenant(t).inLive(t)
	held := tenant.hold(t, "order")
	other := addTenant(t, tenant.Database, true)
	other.hold(t, "order")
	tenant.classify(t, usualClassification())
	if resumed := tenant.resumed(t); !slices.Equal(resumed, []string{held}) {
		t.Errorf("woken up are %v, expected %s", resumed, held)
	}
	tenant.Exec(t, `DELETE FROM outbox`)
	tenant.classify(t, usualClassification())
	if resumed := tenant.resumed(t); len(resumed) > 0 {
		t.Errorf("a change of nothing wakes up %v", resumed)
	}
}

// More than fits into one statement.
func TestClassifyServices_Many(t *testing.T) {
	tenant := newTenant(t)
	const many = 2500
	tenant.Exec(t, `INSERT INTO services SELECT added.* FROM services s, generate_series(1, $1) n,
		jsonb_populate_record(s, jsonb_build_object('id', 'srv_' || n)) added WHERE s.id = $2`, many, tenant.service.ID)
	classifications := make([]catalogues.ServiceClassification, many)
	for i := range classifications {
		classifications[i] = catalogues.ServiceClassification{ServiceID: fmt.Sprintf("srv_%d", i+1),
			Classification: usualClassification()}
	}
	changed, err := tenant.Changes().Catalogues.ClassifyServices(t.Context(), tenant.scope, classifications)
	must(t, err)
	if entries := tenant.Count(t, `SELECT count(*) FROM audit_log WHERE action = 'service.classify'`); changed !=
		many ||
		entries != many || tenant.Count(t, `SELECT count(*) FROM service_classifications`) != many {
		t.Errorf("%d are changed, with %d entries", changed, entries)
	}
}

// At the same time, each entry says what was there before it.
func TestClassifyServices_AtTheSameTime(t *testing.T) {
	tenant := newTenant(t)
	const changes = 8
	errs := together(changes, func(i int) error {
		c := usualClassification()
		c.NBS = fmt.Sprintf("11502100%d", i)
		_, err := tenant.Changes().Catalogues.ClassifyServices(t.Context(), tenant.scope,
			[]catalogues.ServiceClassification{{ServiceID: tenant.service.ID, Classification: c}})
		return err
	})
	must(t, errors.Join(errs...))
	befores := map[string]bool{}
	for _, entry := range tenant.auditLog(t, audit.Filter{Action: "service.classify"}) {
		befores[string(entry.Before)] = true
	}
	if len(befores) != changes {
		t.Errorf("%d entries have %d different states before them", changes, len(befores))
	}
}

// The operator's role may, with its own privileges.
func TestClassifyServices_AsOperator(t *testing.T) {
	tenant := newTenant(t)
	operator := testkit.OpenStore(t, tenant.As(testkit.Roles.Operator))
	by := operator.By(nfse.Actor{Kind: nfse.ActorCommand, ID: "root", From: "host"})
	_, err := by.Catalogues.ClassifyServices(t.Context(), tenant.scope,
		[]catalogues.ServiceClassification{{ServiceID: tenant.service.ID, Classification: usualClassification()}})
	must(t, err)
	must(t, by.Catalogues.RemoveClassification(t.Context(), tenant.scope, tenant.service.ID))
	must(t, by.Catalogues.ImportClassification(t.Context(), []catalogues.ClassificationEdition{edition("nbs",
		"2027-01-01", "1")}))
	api := testkit.OpenStore(t, tenant.As(testkit.Roles.API))
	must(t, second(api.Catalogues.ServiceClassification(t.Context(), tenant.scope, tenant.service.ID)))
	worker := testkit.OpenStore(t, tenant.As(testkit.Roles.Worker))
	must(t, second(worker.Catalogues.ClassificationEditions(t.Context())))
	must(t, second(worker.Catalogues.ClassificationVersion(t.Context())))
}

func TestClassifiedServices(t *testing.T) {
	tenant := newTenant(t)
	second := tenantOf(t, tenant.Database, tenant.scope.OrganizationID, false)
	tenant.inLive(t)
	tenant.classify(t, usualClassification())
	list := func(unclassified bool, page postgres.Page) (ids []string, more bool) {
		t.Helper()
		services, more, err := tenant.Store.Catalogues.ClassifiedServices(t.Context(), tenant.scope, unclassified, page)
		must(t, err)
		for _, service := range services {
			ids = append(ids, service.ID)
			if (service.ID == tenant.service.ID) != (service.Classification != nil) || service.Name != "Consulta" {
				t.Errorf("listed is %+v", service)
			}
		}
		return ids, more
	}
	for _, asked := range []struct {
		unclassified bool
		page         postgres.Page
		ids          []string
		more         bool
	}{
		{false, postgres.Page{Limit: 10}, []string{second.service.ID, tenant.service.ID}, false},
		{false, postgres.Page{Limit: 1}, []string{second.service.ID}, true},
		{false, postgres.Page{Limit: 1, After: second.service.ID}, []string{tenant.service.ID}, false},
		{true, postgres.Page{Limit: 10}, []string{second.service.ID}, false},
	} {
		if ids, more := list(asked.unclassified, asked.page); !slices.Equal(ids, asked.ids) || more != asked.more {
			t.Errorf("listed are %v, more %v, expected %v, %v", ids, more, asked.ids, asked.more)
		}
	}
	codes, err := tenant.Store.Catalogues.NationalTaxCodes(t.Context(), tenant.scope,
		[]string{tenant.service.ID, "srv_1"})
	if err != nil || !reflect.DeepEqual(codes, map[string]string{tenant.service.ID: "040101"}) {
		t.Errorf("the national tax codes are %v, %v", codes, err)
	}
}

func edition(table, from, row string) catalogues.ClassificationEdition {
	return catalogues.ClassificationEdition{Table: table, Name: "test", ValidFrom: from, SourceName: "table.xlsx",
		SourceSHA256: strings.Repeat("0a", 32), Content: json.RawMessage(`[{"row": "` + row + `"}]`)}
}

func TestClassificationEditions(t *testing.T) {
	tenant := newTenant(t)
	version := func() string {
		t.Helper()
		version, err := tenant.Store.Catalogues.ClassificationVersion(t.Context())
		must(t, err)
		return version
	}
	none := version()
	must(t, tenant.Changes().Catalogues.ImportClassification(t.Context(),
		[]catalogues.ClassificationEdition{edition("cst", "2027-01-01", "1"), edition("cclasstrib", "2027-01-01", "2")}))
	before := version()
	must(t, tenant.Changes().Catalogues.ImportClassification(t.Context(),
		[]catalogues.ClassificationEdition{edition("cst", "2026-01-01", "3")}))
	editions, err := tenant.Store.Catalogues.ClassificationEditions(t.Context())
	must(t, err)
	var listed []string
	for _, e := range editions {
		listed = append(listed, e.Table+" "+e.ValidFrom+" "+string(e.Content))
	}
	if expected := []string{`cst 2027-01-01 [{"row": "1"}]`, `cclasstrib 2027-01-01 [{"row": "2"}]`,
		`cst 2026-01-01 [{"row": "3"}]`}; !slices.Equal(listed, expected) {
		t.Errorf("listed are %q, expected %q", listed, expected)
	}
	after := version()
	if before == none || after == before || after != version() || !nfse.IsID(nfse.PrefixEdition, editions[0].ID) {
		t.Errorf("the versions are %q, %q and %q", none, before, after)
	}
	// One that began earlier, and was committed later.
	tenant.Exec(t, `INSERT INTO classification_editions SELECT (jsonb_populate_record(e, '{"id": "edi_0"}')).*
		FROM classification_editions e LIMIT 1`)
	if version() == after {
		t.Error("an edition with an older id changes nothing")
	}
	after = version()
	// All or none.
	wrong := edition("cst", "2028-01-01", "4")
	wrong.SourceSHA256 = "x"
	err = tenant.Changes().Catalogues.ImportClassification(t.Context(),
		[]catalogues.ClassificationEdition{edition("cst", "2028-01-01", "4"), wrong})
	if err == nil || version() != after {
		t.Errorf("a wrong edition is answered %v, and the version is %s", err, version())
	}
}

// A note that waits looks again, by the tables that were imported.
func TestImportClassification_WakesUpNotesThatWait(t *testing.T) {
	n := newTenant(t).inLive(t)
	held := n.begin(t, "held")
	n.begin(t, "not held")
	_, err := n.Store.Lifecycle.HoldNote(t.Context(), held, fact.NoLongerTaken.With("code", "E0958", "why",
		fact.InWords("...")))
	must(t, err)
	n.Exec(t, `DELETE FROM outbox`)
	operator := testkit.OpenStore(t, n.As(testkit.Roles.Operator))
	must(t, operator.By(testkit.Operator).Catalogues.ImportClassification(t.Context(),
		[]catalogues.ClassificationEdition{edition("cclasstrib", "2027-01-01", "1")}))
	var woken []string
	must(t, n.SQL.Select(&woken, `SELECT subject_id FROM outbox WHERE kind = 'resume'`))
	if !slices.Equal(woken, []string{held}) {
		t.Errorf("woken up are %v", woken)
	}
}
