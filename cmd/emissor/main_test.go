package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"emissor/test/harness"
	"emissor/test/testkit"
)

// binary is the program under test: the tests here are about what an operator
// sees of it.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		folder, err := os.MkdirTemp("", "emissor")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(folder)
		programs, err := harness.Built(context.Background(), folder)
		if err != nil {
			panic(err)
		}
		binary = programs.Emissor
		return m.Run()
	}())
}

// settings are the environment of a program of the test: nothing of the
// machine's own gets into it.
type settings map[string]string

func (s settings) with(name, value string) settings {
	changed := settings{name: value}
	for other, value := range s {
		if other != name {
			changed[other] = value
		}
	}
	return changed
}

func (s settings) environment() []string {
	environment := []string{} // nil would be the test's own
	// As dev/date.sh says.
	if moved, is := os.LookupEnv("EMISSOR_MOVED_CLOCK"); is {
		environment = append(environment, "EMISSOR_MOVED_CLOCK="+moved)
	}
	for name, value := range s {
		environment = append(environment, name+"="+value)
	}
	return environment
}

// settingsOf are what a program needs to serve with a database of the test.
func settingsOf(database *testkit.Database) settings {
	return settings{
		"EMISSOR_DATABASE_URL": database.URL,
		"EMISSOR_LISTEN":       "127.0.0.1:0",
		"EMISSOR_ADMIN_LISTEN": "127.0.0.1:0",
		"EMISSOR_TASK_QUEUE":   "test-" + uuid.NewString(),
		"TEMPORAL_ADDRESS":     os.Getenv("TEMPORAL_ADDRESS"),
		"TEMPORAL_NAMESPACE":   os.Getenv("TEMPORAL_NAMESPACE"),
	}
}

// withoutTemporal leads to a port where nobody listens.
func (s settings) withoutTemporal() settings { return s.with("TEMPORAL_ADDRESS", "127.0.0.1:1") }

// withMail leads to a mail server of the test.
func (s settings) withMail(box *testkit.Mailbox) settings {
	return s.with("EMISSOR_SMTP_URL", fmt.Sprintf("smtp://127.0.0.1:%d?tls=none", box.Port)).
		with("EMISSOR_SMTP_FROM", "notas@emissor.example")
}

// result is what a command printed and how it ended.
type result struct {
	stdout, stderr string
	code           int
}

func execute(t *testing.T, settings settings, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // one that was to end, and serves
	defer cancel()
	command := exec.CommandContext(ctx, binary, args...)
	command.Env, command.Stdout, command.Stderr = settings.environment(), &stdout, &stderr
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Run(); err != nil && command.ProcessState == nil {
		t.Fatal(err)
	}
	return result{stdout.String(), stderr.String(), command.ProcessState.ExitCode()}
}

// succeeds runs a command that must succeed and returns what it printed.
func succeeds(t *testing.T, settings settings, args ...string) string {
	t.Helper()
	result := execute(t, settings, args...)
	if result.code != 0 || result.stderr != "" && !strings.HasPrefix(result.stderr, "note: ") {
		t.Fatalf("emissor %s ended with %d\n%s%s", strings.Join(args, " "), result.code, result.stdout, result.stderr)
	}
	return result.stdout
}

// fails runs a command that must fail with one line that says why.
func fails(t *testing.T, settings settings, why string, args ...string) {
	t.Helper()
	failsWith(t, 1, settings, why, args...)
}

// misused runs a command that is typed wrong, and must say so likewise.
func misused(t *testing.T, settings settings, why string, args ...string) {
	t.Helper()
	failsWith(t, 2, settings, why, args...)
}

func failsWith(t *testing.T, code int, settings settings, why string, args ...string) {
	t.Helper()
	result := execute(t, settings, args...)
	lines := strings.Split(strings.TrimSuffix(result.stderr, "\n"), "\n")
	if result.code != code || result.stdout != "" || len(lines) != 1 || !strings.HasPrefix(lines[0], "emissor: ") ||
		!strings.Contains(lines[0], why) {
		t.Errorf("emissor %s ended with %d and\n%s%sexpected %d and one line that says %q",
			strings.Join(args, " "), result.code, result.stdout, result.stderr, code, why)
	}
}

// printed reads what a command printed with --json.
func printed[T any](t *testing.T, settings settings, args ...string) (value T) {
	t.Helper()
	output := succeeds(t, settings, append(args, "--json")...)
	if err := json.Unmarshal([]byte(output), &value); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return value
}

// commandPause is between two runs of a command that is repeated: a run costs as much as
// many questions to the database.
const commandPause = 250 * time.Millisecond

// eventuallyPrints repeats a command until what it prints is accepted, and returns that.
func eventuallyPrints(t *testing.T, settings settings, accepted func(string) bool, args ...string) (output string) {
	t.Helper()
	testkit.Eventually(t, "emissor "+strings.Join(args, " ")+" prints what is expected", func() bool {
		if output != "" {
			time.Sleep(commandPause)
		}
		output = succeeds(t, settings, args...)
		return accepted(output)
	})
	return output
}

// eventuallyShows waits until emissor note show says something of a note.
func eventuallyShows(t *testing.T, settings settings, note, words string) (shown string) {
	t.Helper()
	return eventuallyPrints(t, settings, func(shown string) bool { return strings.Contains(shown, words) },
		"note", "show", note)
}

// program is a part of Emissor that runs.
type program struct {
	command *exec.Cmd
	ended   chan struct{}
	api     string // URLs; empty when it has none
	admin   string

	mu  sync.Mutex
	log []string
}

// start starts a part of Emissor and waits until it listens.
func start(t *testing.T, settings settings, part string) *program {
	t.Helper()
	p := launch(t, settings, part)
	if part != "worker" && part != "dashboard" {
		p.api = "http://" + p.address(t, "the API listens")
	}
	p.admin = "http://" + p.address(t, "metrics and readiness listen")
	return p
}

// launch starts a part of Emissor.
func launch(t *testing.T, settings settings, part string) *program {
	t.Helper()
	command := exec.Command(binary, part)
	command.Env = settings.environment()
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stderr, err := command.StderrPipe()
	must(t, err)
	must(t, command.Start())
	p := &program{command: command, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		p.read(stderr)
		_ = command.Wait()
	}()
	forgetSchedule := scheduleOf(t, settings)
	t.Cleanup(func() {
		p.kill()
		forgetSchedule()
		if t.Failed() {
			t.Logf("%s logged\n%s", part, p.logged())
		}
	})
	return p
}

func (p *program) read(log io.Reader) {
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		p.mu.Lock()
		p.log = append(p.log, lines.Text())
		p.mu.Unlock()
	}
}

func (p *program) logged() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return strings.Join(p.log, "\n")
}

// address waits for the log line that names an address.
func (p *program) address(t *testing.T, message string) (address string) {
	t.Helper()
	testkit.Eventually(t, "the log says that "+message, func() bool {
		for line := range strings.Lines(p.logged()) {
			var entry struct{ Msg, Address string }
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Msg == message {
				address = entry.Address
				return true
			}
		}
		if p.hasEnded() {
			t.Fatalf("it ended before %s:\n%s", message, p.logged())
		}
		return false
	})
	return address
}

func (p *program) hasEnded() bool {
	select {
	case <-p.ended:
		return true
	default:
		return false
	}
}

// kill is SIGKILL: no time to tidy up.
func (p *program) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// terminate is SIGTERM: finish what is under way.
func (p *program) terminate(t *testing.T) {
	t.Helper()
	must(t, p.command.Process.Signal(syscall.SIGTERM))
}

// expectEnd waits for the end and expects that it is a good one.
func (p *program) expectEnd(t *testing.T) {
	t.Helper()
	<-p.ended
	if code := p.command.ProcessState.ExitCode(); code != 0 {
		t.Errorf("it ended with %v\n%s", p.command.ProcessState, p.logged())
	}
}

// answer asks one of the program's listeners; 0 when nobody answers.
func answer(t *testing.T, url string) (status int, body string) {
	t.Helper()
	response, err := http.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(raw)
}

func awaitStatus(t *testing.T, url string, status int) (body string) {
	t.Helper()
	testkit.Eventually(t, fmt.Sprintf("%s answers %d", url, status), func() bool {
		var got int
		got, body = answer(t, url)
		return got == status
	})
	return body
}

// scheduleOf returns how to take back what a worker leaves in the engine that
// the tests share.
func scheduleOf(t *testing.T, settings settings) (forget func()) {
	t.Helper()
	if settings["TEMPORAL_ADDRESS"] != os.Getenv("TEMPORAL_ADDRESS") {
		return func() {}
	}
	schedule := testkit.NewTemporal(t, testkit.Logger(t)).ScheduleClient().GetHandle(t.Context(),
		settings["EMISSOR_TASK_QUEUE"]+"-maintenance")
	return func() { _ = schedule.Delete(context.WithoutCancel(t.Context())) }
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// cells splits the lines of a printed table.
func cells(table string) (rows [][]string) {
	for line := range strings.Lines(table) {
		row := slices.DeleteFunc(strings.Split(strings.TrimSpace(line), "  "),
			func(cell string) bool { return cell == "" })
		if len(row) > 0 {
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			rows = append(rows, row)
		}
	}
	return rows
}
