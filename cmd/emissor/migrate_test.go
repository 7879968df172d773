package main

import (
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"emissor/cmd/emissor/serve"
	"emissor/nfse"
	"emissor/store"
	"emissor/test/testkit"
)

func TestMigrateCommand_MayBeRepeated(t *testing.T) {
	t.Parallel()
	settings := settingsOf(&testkit.Database{URL: testkit.EmptyDatabase(t)})
	for _, command := range [][]string{{"organization", "list"}, {"outbox"}, {"api"}, {"worker"}, {"serve"}} {
		fails(t, settings, "run `emissor migrate` first", command...)
	}
	for _, before := range []int64{0, store.ProgramSchema()} {
		result := execute(t, settings, "migrate", "--json")
		if result.code != 0 || !strings.Contains(result.stderr, "the database schema is up to date") ||
			!strings.Contains(result.stderr, "the search attributes are registered") {
			t.Fatalf("the migration ended with %d\n%s%s", result.code, result.stdout, result.stderr)
		}
		var done serve.Migrated
		must(t, json.Unmarshal([]byte(result.stdout), &done))
		done.MissingRoles, done.RoleProblems = nil, nil // by what this account may
		if now := store.ProgramSchema(); !reflect.DeepEqual(done, serve.Migrated{Schema: now, Before: before,
			DatabaseSchema: now, SearchAttributes: serve.AttributesRegistered}) {
			t.Errorf("it prints %+v", done)
		}
	}
	succeeds(t, settings, "organization", "list")
}

func TestMigrateCommand_Unreachable(t *testing.T) {
	t.Parallel()
	settings := settingsOf(&testkit.Database{URL: testkit.EmptyDatabase(t)})
	result := execute(t, settings.withoutTemporal(), "migrate")
	if result.code != 1 || !strings.Contains(result.stderr, "\nemissor: the engine at 127.0.0.1:1, namespace ") ||
		!strings.Contains(result.stderr, "connection refused") {
		t.Errorf("without Temporal it ended with %d\n%s", result.code, result.stderr)
	}
	succeeds(t, settings, "organization", "list") // the database was done
	fails(t, settings.with("EMISSOR_DATABASE_URL", "postgres://emissor:s3cret@127.0.0.1:1/emissor?sslmode=disable"),
		"connection refused", "migrate")
}

// A namespace may be so new that the engine does not see it yet.
func TestMigrateCommand_WaitsForNamespace(t *testing.T) {
	t.Parallel()
	settings := settingsOf(&testkit.Database{URL: testkit.EmptyDatabase(t)}).with("TEMPORAL_NAMESPACE", "elsewhere")
	migration := launch(t, settings, "migrate")
	testkit.Eventually(t, "the database is done",
		func() bool { return strings.Contains(migration.logged(), "the database schema is up to date") })
	migration.terminate(t)
	<-migration.ended
	code := migration.command.ProcessState.ExitCode()
	if code != 1 || !strings.Contains(migration.logged(), "emissor: the engine at ") ||
		!strings.Contains(migration.logged(), "namespace elsewhere: ") {
		t.Errorf("it ended with %d\n%s", code, migration.logged())
	}
}

// Without the engine the database can be done, and API and dashboard accept; a worker takes no work before the
// namespace has its search attributes, and blames no note for it.
func TestMigrateCommand_DatabaseOnly(t *testing.T) {
	t.Parallel()
	databaseURL, empty := testkit.EmptyDatabase(t), testkit.NewNamespace(t)
	settings := settingsOf(&testkit.Database{URL: databaseURL}).with("TEMPORAL_NAMESPACE", empty)
	if result := execute(t, settings.withoutTemporal(), "migrate", "--database-only"); result.code != 0 ||
		result.stdout != "" {
		t.Fatalf("the migration ended with %d\n%s", result.code, result.stderr)
	}
	database := testkit.OpenDatabase(t, databaseURL)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")

	p := start(t, settings, "serve")
	caller := caller{p.api, key}
	id := caller.issue(t, caller.newService(t), "first", nfse.ScenarioAuthorized)
	testkit.Eventually(t, "the worker says what it waits for", func() bool {
		return strings.Contains(p.logged(), "the namespace "+empty+" lacks the search attributes NoteId (Keyword): "+
			"run `emissor migrate`")
	})
	if body := awaitStatus(t, p.admin+"/readyz", http.StatusServiceUnavailable); body != "the worker is not up\n" {
		t.Errorf("it is not ready because %q", body)
	}
	if failed := database.Count(t, `SELECT failures + attempts FROM outbox`); failed != 0 {
		t.Errorf("the note was tried %d times", failed)
	}

	if result := execute(t, settings, "migrate"); result.code != 0 {
		t.Fatalf("the migration ended with %d\n%s", result.code, result.stderr)
	}
	eventuallyShows(t, settings, id, "issued")
	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
}
