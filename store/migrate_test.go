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
