package main

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// A pooler in front of PostgreSQL, as docs/operations/large.md sets it up: in session mode, and with the timeouts that
// it takes from nobody's connection set for the database. Notes are issued by fewer connections than the processes
// have in their pools.
func TestPooler_Session(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	name := database.Text(t, `SELECT current_database()`)
	for _, setting := range []string{"statement_timeout = '30s'", "lock_timeout = '2s'",
		"idle_in_transaction_session_timeout = '10s'"} {
		database.Exec(t, "ALTER DATABASE "+name+" SET "+setting)
	}
	settings := settingsOf(database).with("EMISSOR_DATABASE_URL", poolerOf(t, database.URL, "session"))
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	api := start(t, settings, "api")
	worker := start(t, settings, "worker")
	awaitStatus(t, worker.admin+"/readyz", http.StatusOK)
	caller := caller{api.api, key}
	service := caller.newService(t)
	for n := range 20 {
		id := caller.issue(t, service, fmt.Sprint("order-", n), nfse.ScenarioAuthorized)
		eventuallyShows(t, settings, id, "issued")
	}
}

// poolerOf starts PgBouncer in front of a database, and returns the URL that leads through it.
func poolerOf(t *testing.T, databaseURL, mode string) string {
	t.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		t.Skip("there is no pgbouncer in the path")
	}
	address, err := url.Parse(databaseURL)
	must(t, err)
	password, _ := address.User.Password()
	listen := freeAddress(t)
	_, port, err := net.SplitHostPort(listen)
	must(t, err)
	dir, err := os.MkdirTemp("", "pooler-") // not the test's own, which another account cannot look into
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	must(t, os.Chmod(dir, 0o755))
	users, configuration := filepath.Join(dir, "users"), filepath.Join(dir, "pgbouncer.ini")
	must(t, os.WriteFile(users, fmt.Appendf(nil, "%q %q\n", address.User.Username(), password), 0o644))
	must(t, os.WriteFile(configuration, fmt.Appendf(nil, `[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %s
unix_socket_dir =
auth_type = plain
auth_file = %s
pool_mode = %s
default_pool_size = 30
ignore_startup_parameters = statement_timeout, lock_timeout, idle_in_transaction_session_timeout, extra_float_digits
`, address.Hostname(), address.Port(), port, users, mode), 0o644))
	command := exec.Command(program, configuration)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Credential: ordinary(t)}
	command.Stderr = nil
	must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	testkit.Eventually(t, "the pooler listens", func() bool {
		connection, err := net.Dial("tcp", listen)
		if err != nil {
			return false
		}
		return connection.Close() == nil
	})
	address.Host = listen
	return address.String()
}

// ordinary is an account other than root, as which PgBouncer refuses to run; nil where this is not root.
func ordinary(t *testing.T) *syscall.Credential {
	t.Helper()
	if os.Geteuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	must(t, err)
	id, err := strconv.ParseUint(nobody.Uid, 10, 32)
	must(t, err)
	group, err := strconv.ParseUint(nobody.Gid, 10, 32)
	must(t, err)
	return &syscall.Credential{Uid: uint32(id), Gid: uint32(group)}
}
