package store_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"emissor/test/testkit"
)

// A table that a migration made and nobody thought of: no role reaches it, and
// this says so before they find out.
func TestGrants_EveryTable(t *testing.T) {
	database := testkit.NewDatabase(t)
	var without []string
	must(t, database.SQL.Select(&without, `
		SELECT relname FROM pg_class
		WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
			AND NOT has_any_column_privilege($1, oid, 'SELECT')`, testkit.Roles.Operator))
	if len(without) > 0 {
		t.Errorf("these tables have no line in the table of grants (store/grants.go): %v", without)
	}
}

// What the database refuses each role, regardless of what a process of that role is asked to do.
func TestGrants_Refused(t *testing.T) {
	database := testkit.NewDatabase(t)
	everyone := []string{testkit.Roles.API, testkit.Roles.Worker, testkit.Roles.Operator, testkit.Roles.Dashboard}
	api, apiAndWorker := everyone[:1], everyone[:2]
	for _, refused := range []struct {
		roles     []string
		statement string
	}{
		{api, `SELECT sealed FROM certificates`},
		{api, `SELECT * FROM certificates`},
		{api, `SELECT secret FROM webhook_endpoints`},
		{api, `SELECT previous_secret FROM webhook_endpoints`},
		{api, `SELECT profile FROM fiscal_profiles`},
		{api, `UPDATE webhook_endpoints SET url = 'https://example.com'`},
		{api, `UPDATE notes SET status = 'issued'`},
		{api, `DELETE FROM notes`},
		{api, `DELETE FROM outbox`},
		{api, `SELECT FROM api_requests`},
		{apiAndWorker, `DELETE FROM api_requests`},
		{api, `DELETE FROM refused_keys`},
		{api, `SELECT add_request_day(current_date)`},
		{everyone[2:], `INSERT INTO api_requests DEFAULT VALUES`},
		{everyone[2:], `SELECT drop_request_day('2020-01-01')`},
		{everyone, `SELECT FROM request_days.day_20200101`},
		{api, `SELECT add_part('events', current_date)`},
		{everyone[2:], `SELECT drop_part('events_202001')`},
		{everyone, `SELECT FROM months.notes_202001`},
		{everyone, `SELECT nextval('row_ids')`},
		{api, `DELETE FROM note_steps`},
		{api, `UPDATE notes SET classification = NULL`},
		{api, `SELECT FROM classification_editions`},
		{apiAndWorker, `INSERT INTO service_classifications DEFAULT VALUES`},
		{apiAndWorker, `UPDATE service_classifications SET classification = '{}'`},
		{apiAndWorker, `INSERT INTO classification_editions DEFAULT VALUES`},
		{api, `INSERT INTO note_documents (note_id, xml) VALUES ('nfse_1', 'x')`},
		{apiAndWorker, `INSERT INTO organizations (id, name) VALUES ('org_1', 'x')`},
		{apiAndWorker, `INSERT INTO api_keys DEFAULT VALUES`},
		{apiAndWorker, `UPDATE api_keys SET revoked_at = NULL`},
		{apiAndWorker, `UPDATE api_keys SET hash = ''`},
		{apiAndWorker, `DELETE FROM api_keys`},
		{apiAndWorker, `INSERT INTO certificates DEFAULT VALUES`},
		{apiAndWorker, `INSERT INTO webhook_endpoints DEFAULT VALUES`},
		{apiAndWorker, `SELECT * FROM users`},
		{apiAndWorker, `SELECT * FROM sessions`},
		{everyone[3:], `UPDATE organizations SET id = 'org_1'`},
		{everyone[3:], `INSERT INTO organizations (id, name, created_at) VALUES ('org_1', 'x', now())`},
		{everyone[3:], `UPDATE batch_lines SET status = 'failed'`},
		{everyone[3:], `UPDATE month_archives SET digest = ''`},
		{everyone[3:], `DELETE FROM organizations`},
		{everyone[3:], `UPDATE fiscal_series SET turn_token = NULL`},
		{everyone[3:], `INSERT INTO fiscal_series DEFAULT VALUES`},
		{everyone[3:], `UPDATE notes SET status = 'issued'`},
		{everyone[2:], `UPDATE fiscal_exchanges SET number = 1`},
		{everyone[2:], `UPDATE fiscal_calls SET outcome = 'accepted'`},
		{everyone[2:], `INSERT INTO note_documents (note_id, xml) VALUES ('nfse_1', 'x')`},
		{everyone, `DELETE FROM notes`},
		{everyone, `DELETE FROM classification_editions`},
		{everyone, `DELETE FROM api_keys`},
		{everyone, `UPDATE note_documents SET xml = 'x'`},
		{everyone, `DELETE FROM certificates`},
		{everyone, `DELETE FROM ledger_entries`},
		{everyone, `CREATE TABLE public.mine (id text)`},
		{everyone, `ALTER TABLE notes ADD COLUMN mine text`},
		{everyone, `DROP TABLE notes`},
		{everyone, `TRUNCATE notes`},
		{everyone, `CREATE INDEX ON notes (status)`},
		{everyone, `ALTER TABLE notes DISABLE TRIGGER ALL`},
		{everyone, `UPDATE schema_migrations SET version_id = 1`},
		{everyone, `CREATE ROLE mine`},
	} {
		for _, role := range refused.roles {
			session, err := database.SQL.Connx(t.Context())
			must(t, err)
			_, err = session.ExecContext(t.Context(), `SET ROLE `+role)
			must(t, err)
			_, err = session.ExecContext(t.Context(), refused.statement)
			if pq.As(err, pqerror.InsufficientPrivilege) == nil {
				t.Errorf("%s: %s: answered %v", role, refused.statement, err)
			}
			_, err = session.ExecContext(t.Context(), `RESET ROLE`)
			must(t, err)
			must(t, session.Close())
		}
	}
}

// Grants that somebody added by hand go, those that were lost come back.
func TestGrant_Refreshes(t *testing.T) {
	database := testkit.NewDatabase(t)
	allowed := func(privilege string) bool {
		return database.Text(t, `SELECT has_column_privilege($1, 'certificates', 'sealed', $2)::text`,
			testkit.Roles.API, privilege) == "true"
	}
	database.Exec(t, `GRANT SELECT (sealed), UPDATE ON certificates TO `+testkit.Roles.API)
	database.Exec(t, `REVOKE ALL ON notes FROM `+testkit.Roles.Worker)
	if !allowed("SELECT") || !allowed("UPDATE") {
		t.Fatal("the grants by hand had no effect")
	}
	granted, err := database.Store.Grant(t.Context(), testkit.Roles)
	must(t, err)
	if len(granted.Missing)+len(granted.Problems) > 0 {
		t.Errorf("left undone: %+v", granted)
	}
	if allowed("SELECT") || allowed("UPDATE") {
		t.Error("the API may still read sealed certificates, or change them")
	}
	must(t, testkit.OpenStore(t, database.As(testkit.Roles.Worker)).CheckSchema(t.Context()))
	if database.Text(t, `SELECT has_table_privilege($1, 'notes', 'UPDATE')::text`, testkit.Roles.Worker) != "true" {
		t.Error("the worker's grant did not come back")
	}
}

// An account that may not make roles grants to those that are there, and says
// which are not. Without any, everything runs with one account as before.
func TestGrant_WithoutTheRightToMakeRoles(t *testing.T) {
	database := testkit.NewDatabase(t)
	owner, ownerURL := database.NewLogin(t)
	database.Exec(t, fmt.Sprintf(`DO $$ DECLARE name text; BEGIN
		EXECUTE 'ALTER DATABASE ' || current_database() || ' OWNER TO %[1]s';
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
			EXECUTE 'ALTER TABLE ' || name || ' OWNER TO %[1]s';
		END LOOP;
		ALTER VIEW parts OWNER TO %[1]s;
		ALTER FUNCTION add_part(text, date) OWNER TO %[1]s;
		ALTER FUNCTION drop_part(text) OWNER TO %[1]s;
		ALTER FUNCTION documents_into_segment(bigint, bigint, text[], bigint[], integer[], integer[], bytea[])
			OWNER TO %[1]s;
		ALTER FUNCTION documents_out_of_segment(bigint, text[], bytea[]) OWNER TO %[1]s;
		ALTER FUNCTION add_request_day(date) OWNER TO %[1]s;
		ALTER FUNCTION drop_request_day(date) OWNER TO %[1]s; END $$`, owner))

	roles := testkit.Roles
	roles.Operator = "emissor_nobody"
	granted, err := testkit.OpenStore(t, ownerURL).Grant(t.Context(), roles)
	must(t, err)
	if len(granted.Missing) != 1 || granted.Missing[0] != roles.Operator || len(granted.Problems) > 0 {
		t.Errorf("left undone: %+v", granted)
	}
	must(t, testkit.OpenStore(t, database.As(testkit.Roles.API)).CheckSchema(t.Context()))
}

// An account without a role is told what to do about it.
func TestCheckSchema_AccountWithoutRole(t *testing.T) {
	database := testkit.NewDatabase(t)
	_, strangerURL := database.NewLogin(t)
	err := testkit.OpenStore(t, strangerURL).CheckSchema(t.Context())
	if err == nil || !strings.Contains(err.Error(), "make it a member of its role, and run `emissor migrate`") {
		t.Errorf("answered %v", err)
	}
}
