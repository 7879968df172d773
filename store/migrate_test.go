package store_test

import (
	"errors"
	"strings"
	"testing"

	"emissor/internal/testkit"
	"emissor/store"
)

func TestMigrate_CheckSchemaSaysWhatToDo(t *testing.T) {
	s := testkit.OpenStore(t, testkit.EmptyDatabase(t))
	for range 2 {
		if err := s.CheckSchema(t.Context()); err == nil ||
			!strings.Contains(err.Error(), "run `emissor migrate` first") {
			t.Errorf("answered %v", err)
		}
	}
	for range 2 { // the second time there is nothing to do
		must(t, s.Migrate(t.Context()))
		must(t, s.CheckSchema(t.Context()))
	}
}

func TestMigrate_NewerDatabase(t *testing.T) {
	database := testkit.NewDatabase(t)
	database.Exec(t, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)`)
	must(t, database.Store.CheckSchema(t.Context()))
}

func TestMigrate_AtTheSameTime(t *testing.T) {
	t.Parallel() // it waits for a second
	databaseURL := testkit.EmptyDatabase(t)
	processes := make([]*store.Store, 5)
	for i := range processes {
		processes[i] = testkit.OpenStore(t, databaseURL)
	}
	if err := processes[0].CheckSchema(t.Context()); err == nil {
		t.Error("an empty database is good enough")
	}
	errs := together(len(processes), func(i int) error {
		return errors.Join(processes[i].Migrate(t.Context()), processes[i].CheckSchema(t.Context()))
	})
	must(t, errors.Join(errs...))
}

// Nothing is taken over from the versions before the foundation, and nothing of
// theirs is touched.
func TestMigrate_OldDatabase(t *testing.T) {
	database := testkit.OpenDatabase(t, testkit.EmptyDatabase(t))
	database.Exec(t, `CREATE TABLE organizations (id text)`)
	database.Exec(t, `INSERT INTO organizations VALUES ('org_old')`)
	err := database.Store.Migrate(t.Context())
	if err == nil || !strings.Contains(err.Error(), "make clean") {
		t.Errorf("answered %v", err)
	}
	if kept := database.Count(t, `SELECT count(*) FROM organizations`); kept != 1 {
		t.Error("the old database was touched")
	}
}

// Notes of before are of the day of their acceptance in Brasília, and the version before,
// which says no day, goes on accepting notes.
func TestMigrate_Competence(t *testing.T) {
	tenant := newTenant(t)
	want := map[string]string{
		"2026-12-01T02:59:59.999Z": "2026-11-30", "2026-12-01T03:00:00Z": "2026-12-01",
		"2027-01-01T02:59:59Z": "2026-12-31", "2026-06-15T12:00:00Z": "2026-06-15",
	}
	for acceptedAt := range want {
		_, _, err := tenant.Store.AcceptNote(t.Context(), tenant.note(acceptedAt))
		must(t, err)
		tenant.Exec(t, `UPDATE notes SET created_at = CAST($1 AS text)::timestamptz
			WHERE reference = CAST($1 AS text)`, acceptedAt)
	}
	owner := testkit.OpenStore(t, tenant.URL)
	must(t, owner.MigrateDown(t.Context(), 17))
	tenant.Exec(t, `ALTER TABLE notes ADD COLUMN competence date`) // as one that was interrupted left it
	must(t, owner.Migrate(t.Context()))
	for acceptedAt, day := range want {
		if kept := tenant.Text(t, `SELECT competence::text FROM notes WHERE reference = $1`, acceptedAt); kept != day {
			t.Errorf("accepted at %s it is of %s, want %s", acceptedAt, kept, day)
		}
	}
	columns := tenant.Text(t, `SELECT string_agg(column_name, ', ') FROM information_schema.columns
		WHERE table_name = 'notes' AND column_name NOT IN ('id', 'reference', 'competence')`)
	tenant.Exec(t, `INSERT INTO notes (id, reference, `+columns+`) SELECT 'nfse_before', 'before', `+columns+`
		FROM notes LIMIT 1`)
	if tenant.Count(t, `SELECT count(*) FROM notes WHERE id = 'nfse_before'
		AND competence = (now() AT TIME ZONE 'America/Sao_Paulo')::date`) != 1 {
		t.Error("a note of the version before is not of today")
	}
}
