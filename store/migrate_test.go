package store_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"emissor/store"
	"emissor/test/testkit"
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
	database.Exec(t, `INSERT INTO schema_migrations (version_id, is_applied) VALUES (999, true)`)
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

// Nothing is taken over from databases that were made before the foundation, and nothing in them is
// touched: neither those that have other migrations of the same numbers, nor one that never
// kept which it has.
func TestMigrate_OldDatabase(t *testing.T) {
	history := func(table string, last int) string {
		return fmt.Sprintf(`CREATE TABLE %[1]s (version_id bigint NOT NULL, is_applied boolean NOT NULL);
			INSERT INTO %[1]s SELECT version, true FROM generate_series(0, %[2]d) version`, table, last)
	}
	for name, history := range map[string]string{
		"none":                          ``,
		"goose's own":                   history("goose_db_version", 27),
		"goose's own, only the first":   history("goose_db_version", 1),
		"before the fold":               history("schema_versions", 24),
		"before the fold, as many":      history("schema_versions", int(store.ProgramSchema())),
		"before the fold, and one more": history("schema_versions", int(store.ProgramSchema())+1),
	} {
		t.Run(name, func(t *testing.T) {
			database := testkit.OpenDatabase(t, testkit.EmptyDatabase(t))
			database.Exec(t, `CREATE TABLE organizations (id text); INSERT INTO organizations VALUES ('org_old')`)
			database.Exec(t, history)
			for what, err := range map[string]error{
				"migrating": database.Store.Migrate(t.Context()), "starting": database.Store.CheckSchema(t.Context()),
			} {
				if err == nil || !strings.Contains(err.Error(), `run "make clean"`) ||
					!strings.Contains(err.Error(), "or use an empty database") {
					t.Errorf("%s answered %v", what, err)
				}
			}
			tables := database.Text(t, `SELECT string_agg(table_name, ' ' ORDER BY table_name)
				FROM information_schema.tables
				WHERE table_schema = 'public' AND table_name NOT IN ('goose_db_version', 'schema_versions')`)
			if kept := database.Text(t, `SELECT string_agg(id, ' ') FROM organizations`); kept != "org_old" ||
				tables != "organizations" {
				t.Errorf("the old database was touched: %s, %s", tables, kept)
			}
		})
	}
}

// Who works while the schema is migrated may hold a lock for longer than a migration waits for it: it is tried again.
func TestMigrate_LockIsHeld(t *testing.T) {
	t.Parallel() // it waits for seconds
	database := testkit.OpenDatabase(t, testkit.EmptyDatabase(t)+"&lock_timeout=1000")
	working := begun(t, database)
	_, err := working.Exec(`CREATE TABLE organizations (id text)`)
	must(t, err)

	migrated := make(chan error, 1)
	go func() { migrated <- database.Store.Migrate(t.Context()) }()
	tries := map[string]bool{}
	testkit.Eventually(t, "the migration has tried twice", func() bool {
		select {
		case err := <-migrated:
			t.Fatalf("the migration ended while the lock was held: %v", err)
		default:
		}
		tries[database.Text(t, `SELECT coalesce(max(xact_start)::text, '') FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`)] = true
		delete(tries, "")
		return len(tries) == 2
	})
	must(t, working.Rollback())
	must(t, <-migrated)
	must(t, database.Store.CheckSchema(t.Context()))
}

// A migration that waits for a lock has everybody wait behind it: each gives up after a second, and is tried again.
func TestMigrations_WaitBriefly(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	must(t, err)
	for _, file := range files {
		version, err := goose.NumericComponent(file)
		must(t, err)
		if version == 1 { // the foundation: nobody uses the database yet
			continue
		}
		text, err := os.ReadFile(file)
		must(t, err)
		if !strings.Contains(string(text), "\nSET LOCAL lock_timeout = '1s';\n") {
			t.Errorf("%s does not set lock_timeout", file)
		}
	}
}
