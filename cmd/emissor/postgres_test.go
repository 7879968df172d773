package main

import (
	"os"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// A new database is migrated, twice, and a note is issued in it, on any PostgreSQL that the tests run on.
// dev/postgres.sh runs this on each version that may be used, and says by POSTGRES_VERSION which.
func TestPostgres_MigratesAndIssues(t *testing.T) {
	t.Parallel()
	database := testkit.OpenDatabase(t, testkit.EmptyDatabase(t))
	version := database.Text(t, `SHOW server_version`)
	if wanted := os.Getenv("POSTGRES_VERSION"); !strings.HasPrefix(version, wanted) {
		t.Fatalf("this is PostgreSQL %s, expected %s", version, wanted)
	}
	settings := settingsOf(database)
	for range 2 {
		if result := execute(t, settings, "migrate"); result.code != 0 {
			t.Fatalf("the migration ended with %d\n%s", result.code, result.stderr)
		}
	}
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	caller := caller{start(t, settings, "serve").api, key}
	id := caller.issue(t, caller.newService(t), "pedido-1", nfse.ScenarioAuthorized)
	testkit.Eventually(t, "the note is issued", func() bool {
		return database.Text(t, `SELECT status FROM notes WHERE id = $1`, id) == "issued"
	})
	t.Logf("a note was issued on PostgreSQL %s", version)
}
