package store_test

import (
	"fmt"
	"testing"

	"github.com/lib/pq/pqerror"

	"emissor/nfse"
)

// cloneNote writes a second note by SQL: the first one with some columns
// changed.
const cloneNote = `INSERT INTO notes
	SELECT (jsonb_populate_record(notes, jsonb_build_object('id', 'nfse_0', 'reference', 'clone') || $2)).*
	FROM notes WHERE id = $1`

func TestSchema_NoReferenceAcrossTenants(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	for name, other := range map[string]tenancy{"another organization": addTenant(t, tenant.Database, false),
		"live": tenant.inLive(t)} {
		theirs := other.accept(t, "pedido-1")
		customerID := other.Text(t, `SELECT customer_id FROM notes WHERE id = $1`, theirs)
		for column, reference := range map[string]string{"api_key_id": other.key.ID, "service_id": other.service.ID,
			"customer_id": customerID} {
			_, err := tenant.SQL.Exec(cloneNote, id, fmt.Sprintf(`{%q: %q}`, column, reference))
			expectRefusal(t, err, pqerror.ForeignKeyViolation, "notes_organization_id_livemode_"+column+"_fkey")
			_, err = tenant.SQL.Exec(`UPDATE notes SET `+column+` = $1 WHERE id = $2`, reference, id)
			expectRefusal(t, err, pqerror.ForeignKeyViolation, "notes_organization_id_livemode_"+column+"_fkey")
		}
		_, err := tenant.SQL.Exec(`INSERT INTO events (id, organization_id, livemode, note_id, type, payload,
			created_at)
			VALUES ('evt_0', $1, $2, $3, 'nfse.issued', '', now())`, other.scope.OrganizationID, other.scope.Livemode,
			id)
		expectRefusal(t, err, pqerror.ForeignKeyViolation, "events_organization_id_livemode_note_id_fkey")
		if t.Failed() {
			t.Fatalf("a reference to what belongs to %s was written", name)
		}
	}
	if _, err := tenant.SQL.Exec(cloneNote, id, `{}`); err != nil {
		t.Errorf("the clone that the refused ones differ from is refused itself: %v", err)
	}
}

func TestSchema_UnknownOrganization(t *testing.T) {
	tenant := newTenant(t)
	for table, statement := range map[string]string{
		"api_keys": `INSERT INTO api_keys SELECT (jsonb_populate_record(x,
			'{"id": "key_x", "organization_id": "org_x", "hash": "\\x00"}')).* FROM api_keys x`,
		"services": `INSERT INTO services SELECT (jsonb_populate_record(x,
			'{"id": "srv_x", "organization_id": "org_x"}')).* FROM services x`,
		"customers": `INSERT INTO customers (id, organization_id, livemode, tax_id, name, municipality_declared)
			VALUES ('cus_x', 'org_x', false, '1', '', false)`,
		"outbox": `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			VALUES ('note', 'nfse_x', 'org_x', false, 'x')`,
	} {
		_, err := tenant.SQL.Exec(statement)
		expectRefusal(t, err, pqerror.ForeignKeyViolation, table+"_organization_id_fkey")
	}
}

func TestSchema_ImpossibleNote(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	for _, wrong := range []struct{ change, constraint string }{
		{`{"status": "lost"}`, "notes_status_check"},
		{`{"scenario": "chaos"}`, "notes_scenario_check"},
		{`{"scenario": null}`, "notes_check"}, // a test note has a scenario
		{`{"amount_cents": 0}`, "notes_amount_cents_check"},
		{`{"amount_cents": -1}`, "notes_amount_cents_check"},
		{`{"amount_cents": 1000000000000000}`, "notes_amount_cents_check"},
		{`{"municipality_source": "guess"}`, "notes_municipality_source_check"},
		{`{"status": "rejected"}`, "notes_check1"},       // without a rejection
		{`{"rejection": {"code": "1"}}`, "notes_check1"}, // without being rejected
		{`{"status": "issued"}`, "notes_check2"},
		{`{"status": "issued", "issued_at": "2026-11-21"}`, "notes_check2"},
		{`{"status": "issued", "authority_issued_at": "2026-11-21"}`, "notes_check2"},
	} {
		_, err := tenant.SQL.Exec(cloneNote, id, wrong.change)
		expectRefusal(t, err, pqerror.CheckViolation, wrong.constraint)
	}
	live := tenant.inLive(t)
	_, err := tenant.SQL.Exec(cloneNote, live.accept(t, "pedido-1"), `{"scenario": "authorized"}`)
	expectRefusal(t, err, pqerror.CheckViolation, "notes_check")
}

func TestSchema_Unique(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.begin(t, "pedido-1")
	_, err := tenant.settleIssued(t, tenant.Store, id)
	must(t, err)
	tenant.accept(t, "pedido-2")
	for _, twice := range []struct{ statement, constraint string }{
		{`INSERT INTO notes SELECT (jsonb_populate_record(x, jsonb_build_object('id', left(id, 20)))).* FROM notes x
			WHERE reference = 'pedido-1'`, "note_references_pkey"},
		{`INSERT INTO customers SELECT (jsonb_populate_record(x, '{"id": "cus_x"}')).* FROM customers x LIMIT 1`,
			"customers_organization_id_livemode_tax_id_key"},
		{`INSERT INTO api_keys SELECT (jsonb_populate_record(x, '{"id": "key_x"}')).* FROM api_keys x`,
			"api_keys_hash_key"},
		{`INSERT INTO events SELECT (jsonb_populate_record(x, jsonb_build_object('id', left(id, 20)))).* FROM events x`,
			"events_note_id_type_key"},
		{`INSERT INTO note_documents SELECT * FROM note_documents`, "note_documents_pkey"},
		{`INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
			SELECT kind, subject_id, organization_id, livemode, reference FROM outbox LIMIT 1`,
			"outbox_kind_subject_id_key"},
	} {
		_, err := tenant.SQL.Exec(twice.statement)
		expectRefusal(t, err, pqerror.UniqueViolation, twice.constraint)
	}
}

func TestSchema_ImpossibleRecords(t *testing.T) {
	tenant := newTenant(t)
	service := `INSERT INTO services SELECT (jsonb_populate_record(x, '{"id": "srv_x"}'::jsonb || $1)).*
		FROM services x`
	for _, wrong := range []struct{ statement, change, constraint string }{
		{service, `{"default_amount_cents": 0}`, "services_default_amount_cents_check"},
		{service, `{"municipal_taxation": "X"}`, "services_municipal_taxation_check"},
		{service, `{"iss_rate_hundredths": 0}`, "services_iss_rate_hundredths_check"},
		{service, `{"iss_rate_hundredths": 501}`, "services_iss_rate_hundredths_check"},
		{service, `{"expires_at": null}`, "services_check"}, // a test service expires
		{`INSERT INTO zip_code_ranges SELECT * FROM jsonb_populate_record(NULL::zip_code_ranges, $1)`,
			`{"zip_start": "2", "zip_end": "1", "municipality_code": "3550308"}`, "zip_code_ranges_check"},
		{`INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference) SELECT $1::jsonb ->> 'kind',
			'x', id, false, 'x' FROM organizations`,
			`{"kind": "mystery"}`, "outbox_kind_check"},
	} {
		_, err := tenant.SQL.Exec(wrong.statement, wrong.change)
		expectRefusal(t, err, pqerror.CheckViolation, wrong.constraint)
	}
}

func TestScope_Isolation(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.begin(t, "pedido-1")
	settled, err := tenant.settleIssued(t, tenant.Store, id)
	must(t, err)
	for name, other := range map[string]nfse.Scope{
		"another organization": addTenant(t, tenant.Database, false).scope,
		"live":                 {OrganizationID: tenant.scope.OrganizationID, Livemode: true},
		"nobody":               {},
	} {
		_, note := tenant.Store.Notes.Note(t.Context(), other, id)
		_, xml := tenant.Store.Notes.NoteXML(t.Context(), other, id)
		_, service := tenant.Store.Catalogues.Service(t.Context(), other, tenant.service.ID)
		_, customer := tenant.Store.Catalogues.Customer(t.Context(), other, settled.Note.CustomerID)
		_, updateService := tenant.Store.Catalogues.UpdateService(t.Context(), other, tenant.service.ID,
			func(*nfse.Service) error { panic("found") })
		_, updateCustomer := tenant.Store.Catalogues.UpdateCustomer(t.Context(), other, settled.Note.CustomerID,
			func(*nfse.Customer) error { panic("found") })
		for err, code := range map[error]nfse.Code{
			note: nfse.CodeNoteNotFound, xml: nfse.CodeNoteNotFound, service: nfse.CodeServiceNotFound,
			customer:      nfse.CodeCustomerNotFound,
			updateService: nfse.CodeServiceNotFound, updateCustomer: nfse.CodeCustomerNotFound,
		} {
			if !nfse.IsCode(err, code) {
				t.Errorf("%s: %v, expected %s", name, err, code)
			}
		}
	}
}
