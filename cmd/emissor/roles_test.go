package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"

	"emissor/test/testkit"
)

// roled are a database's settings for each kind of process, which all log in with
// an account of their own.
type roled struct{ owner, api, worker, dashboard, operator settings }

func newRoled(t *testing.T) (*testkit.Database, roled) {
	t.Helper()
	database := testkit.NewDatabase(t)
	owner := withKeyset(t, settingsOf(database)).with("EMISSOR_WEBHOOK_ALLOW_LOOPBACK", "true")
	as := func(role string) settings {
		_, databaseURL := database.NewLogin(t, role)
		return owner.with("EMISSOR_DATABASE_URL", databaseURL)
	}
	return database, roled{
		owner: owner, api: as(testkit.Roles.API).with("EMISSOR_KEYSET_FILE", ""),
		worker: as(testkit.Roles.Worker), dashboard: as(testkit.Roles.Dashboard), operator: as(testkit.Roles.Operator),
	}
}

// A note's whole way, with an account for each process that is in its role alone:
// commands make what it needs, the API accepts it, the worker does it.
func TestRoles_NoteFromEndToEnd(t *testing.T) {
	t.Parallel()
	_, as := newRoled(t)
	receiver := testkit.NewReceiver(t, nil)
	organization := printed[struct{ ID string }](t, as.operator, "organization", "create", "--name", "Clínica").ID
	key := printed[struct{ Key string }](t, as.operator, "key", "create", "--organization", organization,
		"--environment", "test").Key
	succeeds(t, as.operator, "webhook", "add", receiver.URL, "--organization", organization, "--environment", "test")

	serving := start(t, as.api.withoutTemporal(), "api")
	start(t, as.worker, "worker")
	caller := caller{serving.api, key}
	service := caller.newService(t)
	id := caller.post(t, "/v1/nfse", testkit.Issuance(service, "order"), http.StatusAccepted)["id"].(string)
	shows := func(words string) {
		t.Helper()
		eventuallyShows(t, as.operator, id, words)
	}
	shows("issued")
	testkit.Eventually(t, "the event arrives", func() bool { return len(receiver.Calls()) == 1 })
	caller.post(t, "/v1/nfse/"+id+"/cancel",
		testkit.Body{"reason_code": "1", "reason_text": "emitida com valor errado"}, http.StatusAccepted)
	shows("cancelled")
	testkit.Eventually(t, "the second event arrives", func() bool { return len(receiver.Calls()) == 2 })

	succeeds(t, as.operator, "note", "redrive", id)
	for _, command := range []string{"delivery", "outbox", "email", "ledger", "certificate", "webhook"} {
		arguments := []string{command, "list"}
		if command == "outbox" {
			arguments = arguments[:1]
		}
		if command == "ledger" {
			arguments = append(arguments, "--organization", organization)
		}
		succeeds(t, as.operator, arguments...)
	}
	testkit.Eventually(t, "the API's metrics reach the database", func() bool {
		return strings.Contains(awaitStatus(t, serving.admin+"/metrics", http.StatusOK), "emissor_database_up 1")
	})
	for _, line := range strings.Split(serving.logged(), "\n") {
		if strings.Contains(line, `"level":"ERROR"`) || strings.Contains(line, "permission denied") {
			t.Errorf("the API logged %s", line)
		}
	}
}

// serve is API and worker with the worker's account.
func TestRoles_Serve(t *testing.T) {
	t.Parallel()
	database, as := newRoled(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	caller := caller{start(t, as.worker, "serve").api, key}
	service := caller.newService(t)
	id := caller.post(t, "/v1/nfse", testkit.Issuance(service, "order"), http.StatusAccepted)["id"].(string)
	caller.post(t, "/v1/nfse/"+id+"/cancel",
		testkit.Body{"reason_code": "1", "reason_text": "emitida com valor errado"}, http.StatusAccepted)
	eventuallyShows(t, as.operator, id, "cancelled")
}

// With another's account a process or command is refused, and says so in a line.
func TestRoles_Refused(t *testing.T) {
	t.Parallel()
	database, as := newRoled(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	for _, one := range []settings{as.api, as.worker} {
		fails(t, one, "permission denied", "key", "create", "--organization", organization.ID, "--environment", "test")
		fails(t, one, "permission denied", "organization", "create", "--name", "Clínica")
	}
	fails(t, as.api, "permission denied", "certificate", "list")
	fails(t, as.api, "permission denied", "webhook", "list")
	for _, one := range []settings{as.api, as.worker, as.dashboard, as.operator} {
		result := execute(t, one, "migrate")
		if result.code != 1 || !strings.Contains(result.stderr, "the account that owns the database") {
			t.Errorf("the migration ended with %d\n%s", result.code, result.stderr)
		}
	}
}

// Two installations on one server have roles of their own.
func TestMigrateCommand_RolesByOtherNames(t *testing.T) {
	t.Parallel()
	database := &testkit.Database{URL: testkit.EmptyDatabase(t)}
	prefix := "other_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	other := settingsOf(database).with("EMISSOR_DATABASE_ROLE_PREFIX", prefix)
	for range 2 {
		result := execute(t, other, "migrate")
		if result.code != 0 || !strings.Contains(result.stderr, "the roles have their grants") {
			t.Fatalf("the migration ended with %d\n%s", result.code, result.stderr)
		}
	}
	opened := testkit.OpenDatabase(t, database.URL)
	for _, role := range []string{"_api", "_worker", "_dashboard", "_operator"} {
		t.Cleanup(func() { opened.Exec(t, `DROP OWNED BY `+prefix+role+`; DROP ROLE `+prefix+role) })
	}
	const privilege = `SELECT has_table_privilege($1, 'notes', 'DELETE, UPDATE')::text`
	if opened.Text(t, privilege, prefix+"_worker") != "true" || opened.Text(t, privilege, prefix+"_api") == "true" ||
		opened.Text(t, privilege, testkit.Roles.Worker) == "true" {
		t.Error("the worker's privileges are not those of the other installation's worker alone")
	}
}
