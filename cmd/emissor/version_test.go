package main

import (
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"emissor/cmd/emissor/cli"
	"emissor/cmd/emissor/serve"
	"emissor/store"
	"emissor/test/testkit"
)

// The version has the form of https://semver.org, and ends in -dev between two releases.
func TestVersion_File(t *testing.T) {
	if !regexp.MustCompile(`^\d+\.\d+\.\d+(-dev)?\n$`).MatchString(versionFile) {
		t.Errorf("the file VERSION is %q", versionFile)
	}
	if name := cli.Software(); name != "emissor-"+cli.Version() {
		t.Errorf("documents name the program %s", name)
	}
}

func TestVersion_Command(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"version", "commit", "schema"} {
		if printed := succeeds(t, settings{}, "version"); !strings.Contains(printed, word+" ") {
			t.Errorf("it printed\n%s", printed)
		}
	}
	v := printed[cli.Versions](t, settings{}, "version")
	if v.Version != cli.Version() || v.Commit == "" || v.Schema != store.ProgramSchema() || v.DatabaseSchema != nil {
		t.Errorf("it is %+v", v)
	}
	empty := settingsOf(&testkit.Database{URL: testkit.EmptyDatabase(t)})
	if v := printed[cli.Versions](t, empty, "version", "--database"); v.DatabaseSchema == nil || *v.DatabaseSchema != 0 {
		t.Errorf("of an empty database it is %+v", v)
	}
	migrated := settingsOf(testkit.NewDatabase(t))
	if v := printed[cli.Versions](t, migrated, "version", "--database"); v.DatabaseSchema == nil ||
		*v.DatabaseSchema != v.Schema {
		t.Errorf("of a migrated database it is %+v", v)
	}
	fails(t, settings{}, "EMISSOR_DATABASE_URL", "version", "--database")
}

// A program that is one migration ahead of its database refuses it; one that is behind goes on, and
// its migration takes nothing from the next version.
func TestVersion_OlderAndNewerSchema(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	prefix := "older_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	own := settingsOf(database).with("EMISSOR_DATABASE_ROLE_PREFIX", prefix)
	database.Exec(t, `DELETE FROM schema_migrations WHERE version_id = $1`, store.ProgramSchema())
	older := fmt.Sprintf("the database schema is at version %d and this program needs %d: run `emissor migrate` first",
		store.ProgramSchema()-1, store.ProgramSchema())
	dashboard := own.with("EMISSOR_DASHBOARD_URL", "http://localhost:1")
	for _, command := range [][]string{{"organization", "list"}, {"api"}, {"worker"}, {"dashboard"}, {"serve"}} {
		fails(t, dashboard, older, command...)
	}

	newer := store.ProgramSchema() + 1
	database.Exec(t, `INSERT INTO schema_migrations (version_id, is_applied) VALUES ($1, true), ($2, true)`, newer-1,
		newer)
	succeeds(t, own, "organization", "list")
	p := start(t, own, "serve")
	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	result := execute(t, own, "migrate")
	if result.code != 0 || !strings.Contains(result.stderr, "the database schema is newer than this program's") {
		t.Errorf("the migration ended with %d\n%s", result.code, result.stderr)
	}
	if made := database.Count(t, `SELECT count(*) FROM pg_roles WHERE starts_with(rolname, $1)`, prefix); made != 0 {
		t.Errorf("it made %d roles", made)
	}
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	own := settingsOf(testkit.NewDatabase(t)).withoutTemporal()
	p := start(t, own, "api")
	awaitStatus(t, p.admin+"/readyz", http.StatusOK)
	address := strings.TrimPrefix(p.admin, "http://")
	port := address[strings.LastIndex(address, ":"):]
	for _, listen := range []string{address, "0.0.0.0" + port, port, "[::]" + port} {
		asked := settings{"EMISSOR_ADMIN_LISTEN": listen}
		testkit.Eventually(t, "it is ready, and nothing is said", func() bool { // the check has two seconds
			checked := execute(t, asked, "healthcheck")
			return checked.code == 0 && checked.stdout+checked.stderr == ""
		})
		testkit.Eventually(t, "a script reads that it is ready", func() bool {
			var found serve.ProcessReadiness
			must(t, json.Unmarshal([]byte(execute(t, asked, "healthcheck", "--json").stdout), &found))
			return found == serve.ProcessReadiness{Ready: true, Answer: "ready"}
		})
	}
	fails(t, settings{"EMISSOR_ADMIN_LISTEN": "127.0.0.1:1"}, "connection refused", "healthcheck")
	fails(t, settings{"EMISSOR_ADMIN_LISTEN": "nowhere"}, "EMISSOR_ADMIN_LISTEN: ", "healthcheck")
	worker := start(t, own, "worker")
	fails(t, settings{"EMISSOR_ADMIN_LISTEN": strings.TrimPrefix(worker.admin, "http://")},
		"not ready: the worker is not up", "healthcheck")
	waiting := execute(t, settings{"EMISSOR_ADMIN_LISTEN": strings.TrimPrefix(worker.admin, "http://")}, "healthcheck",
		"--json")
	var found serve.ProcessReadiness
	must(t, json.Unmarshal([]byte(waiting.stdout), &found))
	if found != (serve.ProcessReadiness{Ready: false, Answer: "the worker is not up"}) || waiting.code != 1 {
		t.Errorf("of a worker that is not up a script reads %+v", waiting)
	}
}

// In an image without files of CAs the program trusts those of the web all the same.
func TestRoots_WithoutFiles(t *testing.T) {
	const inside = "EMISSOR_TEST_WITHOUT_ROOTS"
	if os.Getenv(inside) == "" {
		alone := exec.Command(os.Args[0], "-test.run=^TestRoots_WithoutFiles$")
		alone.Env = append(os.Environ(), inside+"=1", "SSL_CERT_FILE=/nowhere", "SSL_CERT_DIR=/nowhere")
		if output, err := alone.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, output)
		}
		return
	}
	pool, err := x509.SystemCertPool()
	must(t, err)
	if pool.Equal(x509.NewCertPool()) {
		t.Error("no CA is trusted")
	}
}
