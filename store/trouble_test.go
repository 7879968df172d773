package store_test

import (
	"testing"
	"time"

	"emissor/nfse/fact"
	"emissor/test/testkit"
)

// manyCompanies fills a database with 1,000 companies and what is theirs, of which little is wrong.
func manyCompanies(t *testing.T) *testkit.Database {
	t.Helper()
	database := testkit.NewDatabase(t)
	for _, statement := range []string{
		`INSERT INTO organizations (id, name) SELECT 'org_' || i, 'Clínica ' || i FROM generate_series(1, 1000) i`,
		`INSERT INTO certificates (id, organization_id, tax_id, subject, issuer, serial, fingerprint, not_before,
				not_after, sealed)
			SELECT 'crt_' || i, 'org_' || (i % 1000 + 1), i::text, 's', 'i', 'x', i::text::bytea, now(),
				now() + CASE WHEN i % 500 = 0 THEN interval '10 days' ELSE interval '300 days' END, ''
			FROM generate_series(1, 10000) i`,
		`INSERT INTO fiscal_series (authority, production, tax_id, municipality_code, series, registration,
				held_reason, held_at)
			SELECT 'sao-paulo', true, i::text, '3550308', 1, '1', CASE WHEN i = 7 THEN '{"code": "x"}'::jsonb END,
				CASE WHEN i = 7 THEN now() END
			FROM generate_series(1, 10000) i`,
		`INSERT INTO tax_id_claims (authority, production, tax_id, organization_id, owner, source)
			SELECT 'sao-paulo', true, substr(id, 5), id, true, 'certificate' FROM organizations`,
		`INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret, disabled_at, disabled_reason)
			SELECT 'ep_' || i, 'org_' || (i % 1000 + 1), true, 'https://example.com', '',
				CASE WHEN i = 3 THEN now() END, CASE WHEN i = 3 THEN '{"code": "x"}'::jsonb END
			FROM generate_series(1, 5000) i`,
		`INSERT INTO users (id, email, created_at) SELECT 'usr_' || i, i || '@example.com', '2026-01-01'
			FROM generate_series(1, 1000) i`,
		`INSERT INTO memberships (organization_id, user_id, role, created_at)
			SELECT 'org_' || i, 'usr_' || i, 'owner', '2026-01-01' FROM generate_series(1, 1000) i`,
		`ANALYZE`,
	} {
		database.Exec(t, statement)
	}
	return database
}

// What is wrong is read along indexes, however much is on record that is not.
func TestPlans_Troubles(t *testing.T) {
	database, now := manyCompanies(t), time.Now()
	p := newPlanned(t, database)
	p.expectTouches(t, "troubles", 2500, func() error {
		all, err := p.Operate.Troubles(t.Context(), now, 50)
		if len(all.Certificates) != 20 || len(all.Series) != 1 || len(all.Webhooks) != 1 || all.None() {
			t.Errorf("wrong are %+v", all)
		}
		return err
	})
}

// What people are told of is looked for along indexes too.
func TestPlans_Alerts(t *testing.T) {
	database := manyCompanies(t)
	p := newPlanned(t, database)
	p.expectTouches(t, "alerts", 2500, func() error { return p.Operate.Alert(t.Context(), false) })
	if told := database.Count(t, `SELECT count(*) FROM alerts`); told != 20 {
		t.Errorf("%d are told", told)
	}
}

// Each kind of trouble is found, of the organization that has it, and gone when it is mended.
func TestTroubles_Found(t *testing.T) {
	n := addTenant(t, testkit.NewDatabase(t), true)
	id := n.accept(t, "order")
	all, err := n.Store.Operate.Troubles(t.Context(), time.Now(), 50)
	must(t, err)
	if !all.None() {
		t.Fatalf("wrong is %+v", all)
	}
	later := time.Now().Add(2 * time.Hour)
	n.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now() WHERE id = $1`, id)
	n.Exec(t, `INSERT INTO refusal_brakes (organization_id, authority, production, tax_id, service_id, note_id, code)
		VALUES ($1, 'national', true, '1', '', $2, 'E0160')`, n.scope.OrganizationID, id)
	all, err = n.Store.Operate.Troubles(t.Context(), later, 50)
	must(t, err)
	if len(all.Slow) != 1 || all.Slow[0].ID != id || len(all.SiblingHolds) != 0 { // its refusal is doubted
		t.Errorf("wrong is %+v", all)
	}
	n.Exec(t, `UPDATE notes SET held_reason = $1, held_since = now()`, fact.NoFiscalProfile.Fact())
	all, err = n.Store.Operate.Troubles(t.Context(), later, 50)
	must(t, err)
	if len(all.Slow) != 0 || len(all.SiblingHolds) != 1 || all.SiblingHolds[0].Code != "E0160" {
		t.Errorf("of a held note is said %+v", all)
	}
}
