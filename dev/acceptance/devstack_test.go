package acceptance

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/lib/pq"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
)

// The command gets three servers it can use, and its exit code is devstack's.
func TestDevstack_UsableServers(t *testing.T) {
	t.Parallel()
	s := up(t, "exit 7")

	db := open(t, s)
	for setting, want := range map[string]string{
		"fsync": "on", "synchronous_commit": "on", "listen_addresses": "127.0.0.1",
		"unix_socket_directories": "", "password_encryption": "scram-sha-256", "server_encoding": "UTF8",
	} {
		var got string
		if err := db.QueryRow("SELECT current_setting($1)", setting).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q (%v), want %q", setting, got, err, want)
		}
	}
	without := strings.Replace(s.env["EMISSOR_DATABASE_URL"], ":"+password(t, s)+"@", ":guess@", 1)
	if stranger, err := sql.Open("postgres", without); err != nil || stranger.Ping() == nil {
		t.Errorf("a wrong password was accepted (%v)", err)
	}

	described, err := temporal(t, s).DescribeNamespace(t.Context(),
		&workflowservice.DescribeNamespaceRequest{Namespace: s.env["TEMPORAL_NAMESPACE"]})
	if err != nil {
		t.Fatal(err)
	}
	if kept := described.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration(); kept != 72*time.Hour {
		t.Errorf("finished workflows are kept for %s, want 72 hours", kept)
	}

	response, err := http.Get(s.env["TEMPORAL_UI_URL"] + "/api/v1/namespaces/emissor")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusOK ||
		!strings.Contains(string(body), `"emissor"`) {
		t.Errorf("the UI answered %d: %s", response.StatusCode, body)
	}

	s.release()
	if code := s.wait(); code != 7 {
		t.Errorf("exit code %d, want the command's 7\n%s", code, s.output)
	}
	s.mustBeGone()
}

// However a stack ends, no process of it stays, not even those that the command left in the background.
func TestDevstack_NothingStaysBehind(t *testing.T) {
	for name, test := range map[string]struct {
		trap, last string
		signal     syscall.Signal // to devstack; without one the script goes on to its last command
		code       int
	}{
		"the command ends":     {last: "exit 0", code: 0},
		"SIGTERM":              {signal: syscall.SIGTERM, code: 128 + 15},
		"SIGINT":               {trap: "trap 'exit 0' INT; ", signal: syscall.SIGINT, code: 0},
		"SIGKILL of devstack":  {signal: syscall.SIGKILL, code: -1},
		"SIGKILL of its child": {last: "kill -KILL $$", code: 128 + 9},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			going := filepath.Join(t.TempDir(), "going")
			script := fmt.Sprintf("sleep 600 & sh -c 'sleep 600' & %[1]s: > %[2]s; while [ -e %[2]s ]; do sleep 0.05; done\n",
				test.trap, going) + test.last
			s := up(t, script, "-state", filepath.Join(t.TempDir(), "state"))
			s.release()
			await(t, time.Minute, "the script gets going", func() bool {
				_, err := os.Stat(going)
				return err == nil
			})
			s.pids = append(s.pids, family(s.cmd.Process.Pid)...)
			if test.signal != 0 {
				s.kill(test.signal)
			} else if err := os.Remove(going); err != nil {
				t.Fatal(err)
			}
			if code := s.wait(); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, s.output)
			}
			s.mustBeGone()
		})
	}
}

// A server that dies unasked takes everything down, with a word about it.
func TestDevstack_DeadServer(t *testing.T) {
	for name, process := range map[string]string{
		"PostgreSQL":  "unix_socket_directories",
		"Temporal":    "engine\x00server",
		"Temporal UI": "engine-ui\x00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := up(t, "sleep 600")
			if err := syscall.Kill(s.child(process), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			if code := s.wait(); code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if want := name + " died (signal: killed)"; !strings.Contains(s.output.String(), want) {
				t.Errorf("it did not say %q:\n%s", want, s.output)
			}
			s.mustBeGone()
		})
	}
}

// What is committed is there after a crash of PostgreSQL and in the next run, and Temporal finds its way
// back; a control command returns when what it did can be relied on.
func TestDevstack_StateSurvives(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state")
	s := up(t, "sleep 600", "-state", state)
	db := open(t, s)
	if _, err := db.Exec("CREATE TABLE kept AS SELECT 1 AS number"); err != nil {
		t.Fatal(err)
	}

	control(t, s, true, "kill", "postgres")
	if db.Ping() == nil {
		t.Error("PostgreSQL answers after it was killed")
	}
	control(t, s, false, "kill", "postgres")
	control(t, s, true, "start", "postgres")
	control(t, s, false, "start", "postgres")
	control(t, s, true, "restart", "postgres")
	expectKept(t, db)

	control(t, s, true, "restart", "temporal")
	const revival = time.Minute // as long as devstack gives a server that ended late and is started again
	counts := func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		_, err := temporal(t, s).CountWorkflowExecutions(ctx,
			&workflowservice.CountWorkflowExecutionsRequest{Namespace: "emissor"})
		return err == nil
	}
	await(t, revival, "Temporal answers after its restart", counts)
	control(t, s, true, "restart", "postgres")
	await(t, revival, "Temporal finds PostgreSQL again", counts)
	control(t, s, true, "pause", "postgres")
	paused, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if db.PingContext(paused) == nil {
		t.Error("PostgreSQL answers while it is paused")
	}
	control(t, s, true, "resume", "postgres")
	expectKept(t, db)
	control(t, s, false, "kill", "everything")

	second := launch(t, "-state", state, "--", "true")
	if code := second.wait(); code != 1 || !strings.Contains(second.output.String(),
		"another devstack is running with -state "+state) {
		t.Errorf("a second devstack on the same state ended with %d:\n%s", code, second.output)
	}

	s.kill(syscall.SIGKILL) // the worst end, so that the next start finds a stale postmaster.pid
	s.wait()
	again := up(t, "exit 0", "-state", state)
	expectKept(t, open(t, again))
	if password(t, s) != password(t, again) {
		t.Error("the password has changed")
	}
	again.release()
	if code := again.wait(); code != 0 {
		t.Errorf("exit code %d\n%s", code, again.output)
	}
}

// A taken port is one clear line.
func TestDevstack_TakenPort(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	_, port, _ := net.SplitHostPort(taken.Addr().String())
	for flag, variable := range map[string]string{
		"-postgres-port": "POSTGRES_PORT", "-temporal-port": "TEMPORAL_PORT", "-ui-port": "UI_PORT",
	} {
		s := launch(t, flag, port, "--", "true")
		want := fmt.Sprintf("devstack: port %s is taken: choose another with %s (with make: %s=...)\n", port, flag,
			variable)
		if code := s.wait(); code != 1 || s.output.String() != want {
			t.Errorf("exit code %d and %q, want 1 and %q", code, s.output, want)
		}
	}
}

// Root and everybody else can run a stack, also below a directory that is closed to others (as all
// temporary directories of these tests are).
func TestDevstack_OrdinaryUser(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("this is not root: the other tests prove it already")
	}
	t.Parallel()
	dir, err := os.MkdirTemp("", "devstack-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	const nobody = 65534
	program := filepath.Join(dir, "devstack")
	if out, err := exec.Command("cp", binary, filepath.Join(filepath.Dir(binary), "engine"), dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Chown(dir, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-no-ui", "-state", filepath.Join(dir, "state"), "--", "sh", "-c",
		`test "$(id -u)" = 65534 && test -z "$TEMPORAL_UI_URL"`)
	cmd.Dir = dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// An engine that is built while the command runs is started then; PostgreSQL is there before, and the UI's address
// says what is going on. The UI is built after it. What is "built" here is there already: the builds wait for files.
func TestDevstack_EngineBuiltMeanwhile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	gate, uiGate := filepath.Join(dir, "gate"), filepath.Join(dir, "ui-gate")
	s := up(t, "exit 7", "-engine-build", "while [ ! -e "+gate+" ]; do sleep 0.05; done",
		"-ui-build", "while [ ! -e "+uiGate+" ]; do sleep 0.05; done")
	if err := open(t, s).Ping(); err != nil {
		t.Errorf("PostgreSQL does not answer: %v", err)
	}
	if stands := engineStands(t, s); stands != "building" {
		t.Errorf("the engine is %q", stands)
	}
	var response *http.Response
	await(t, time.Minute, "the UI's address answers", func() (answers bool) {
		var err error
		response, err = http.Get(s.env["TEMPORAL_UI_URL"])
		return err == nil
	})
	defer response.Body.Close()
	if page, _ := io.ReadAll(response.Body); response.StatusCode != http.StatusServiceUnavailable ||
		!strings.Contains(string(page), "Temporal is being built") {
		t.Errorf("the UI's address answers %d %s", response.StatusCode, page)
	}

	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.comesUp("the engine", func() bool { return engineStands(t, s) == "up" })
	if _, err := temporal(t, s).DescribeNamespace(t.Context(),
		&workflowservice.DescribeNamespaceRequest{Namespace: s.env["TEMPORAL_NAMESPACE"]}); err != nil {
		t.Error(err)
	}
	ui := func() int {
		response, err := http.Get(s.env["TEMPORAL_UI_URL"] + "/healthz")
		if err != nil {
			return 0
		}
		defer response.Body.Close()
		return response.StatusCode
	}
	if status := ui(); status != http.StatusServiceUnavailable {
		t.Errorf("while the UI is built its address answers %d", status)
	}
	if err := os.WriteFile(uiGate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s.comesUp("the UI", func() bool { return ui() == http.StatusOK })
	control(t, s, true, "kill", "temporal")
	if stands := engineStands(t, s); stands != "down" {
		t.Errorf("an engine that was killed is %q", stands)
	}
	s.pids = family(s.cmd.Process.Pid)
	s.release()
	if code := s.wait(); code != 7 {
		t.Errorf("exit code %d, want the command's 7\n%s", code, s.output)
	}
	s.mustBeGone()
}

// A build that fails is the stack's end, with a word about it; one that goes on ends with the stack.
func TestDevstack_EngineNotBuilt(t *testing.T) {
	t.Parallel()
	failed := launch(t, "-engine-build", "echo no compiler; exit 3", "--", "sleep", "600")
	if code := failed.wait(); code != 1 || !strings.Contains(failed.output.String(), "no compiler\n") ||
		!strings.Contains(failed.output.String(), "the engine could not be built: `echo no compiler; exit 3` ended with 3") {
		t.Errorf("exit code %d\n%s", code, failed.output)
	}
	for name, signal := range map[string]syscall.Signal{"SIGTERM": syscall.SIGTERM, "SIGKILL": syscall.SIGKILL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := up(t, "sleep 600", "-engine-build", "sh -c 'sleep 601' & sleep 602")
			s.child("sleep\x00601")
			s.child("sleep\x00602")
			s.kill(signal)
			s.wait()
			s.mustBeGone()
		})
	}
	missing := launch(t, "-engine", "/nowhere/engine", "--", "true")
	if code := missing.wait(); code != 1 || !strings.Contains(missing.output.String(),
		"devstack: the program /nowhere/engine is missing: build it by `make engine`") {
		t.Errorf("without an engine: exit code %d\n%s", code, missing.output)
	}
}

// engineStands asks devstack.
func engineStands(t *testing.T, s *stack) string {
	t.Helper()
	response, err := http.Get(s.env["DEVSTACK_CONTROL"] + "/temporal")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	stands, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(stands)
}

// A command line that makes no sense is refused.
func TestDevstack_Usage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{}, {"-no-such-flag", "--", "true"}, {"control"}, {"control", "kill", "postgres"}} {
		cmd := exec.Command(binary, args...)
		if _ = cmd.Run(); cmd.ProcessState.ExitCode() != 2 {
			t.Errorf("devstack %q ended with %d, want 2", args, cmd.ProcessState.ExitCode())
		}
	}
	s := launch(t, "--", "/no/such/program")
	if code := s.wait(); code != 1 || !strings.Contains(s.output.String(), "cannot run the command") {
		t.Errorf("a command that does not exist ended with %d:\n%s", code, s.output)
	}
}

func open(t *testing.T, s *stack) *sql.DB {
	t.Helper()
	db, err := sql.Open("postgres", s.env["EMISSOR_DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func expectKept(t *testing.T, db *sql.DB) {
	t.Helper()
	var number int
	if err := db.QueryRow("SELECT number FROM kept").Scan(&number); err != nil || number != 1 {
		t.Errorf("the committed row: %d, %v", number, err)
	}
}

func password(t *testing.T, s *stack) string {
	t.Helper()
	_, rest, _ := strings.Cut(s.env["EMISSOR_DATABASE_URL"], "emissor:")
	password, _, found := strings.Cut(rest, "@")
	if !found || len(password) < 20 {
		t.Fatalf("no good password in the database's address")
	}
	return password
}

func temporal(t *testing.T, s *stack) workflowservice.WorkflowServiceClient {
	t.Helper()
	conn, err := grpc.NewClient(s.env["TEMPORAL_ADDRESS"], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return workflowservice.NewWorkflowServiceClient(conn)
}

// control runs "devstack control" as the stack's command would.
func control(t *testing.T, s *stack, want bool, args ...string) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"control"}, args...)...)
	cmd.Env = []string{"DEVSTACK_CONTROL=" + s.env["DEVSTACK_CONTROL"]}
	out, err := cmd.CombinedOutput()
	if (err == nil) != want {
		t.Fatalf("devstack control %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}
