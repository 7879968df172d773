package acceptance

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// binary is the devstack under test: the one that make built, or one built here, with the engine beside it.
var binary string

func TestMain(m *testing.M) {
	os.Exit(testMain(m))
}

func testMain(m *testing.M) int {
	if binary = os.Getenv("DEVSTACK"); binary != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "devstack-binary-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "devstack")
	if out, err := exec.Command("go", "build", "-buildvcs=false", "-o", dir,
		"../devstack", "../engine", "../engine-ui").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("go build: %v\n%s", err, out))
	}
	return m.Run()
}

// stack is a running devstack.
type stack struct {
	t      *testing.T
	cmd    *exec.Cmd
	output *bytes.Buffer     // what it and its command printed; complete after wait
	env    map[string]string // the command's environment
	gate   string            // a file that holds the command back
	pids   []int             // devstack and everything below it, once up
	ended  chan struct{}
}

// up starts a devstack whose command is a shell that waits for release and then runs script. It returns
// when the shell is there.
func up(t *testing.T, script string, flags ...string) *stack {
	t.Helper()
	dir := t.TempDir()
	seen := filepath.Join(dir, "env")
	command := fmt.Sprintf("env > %[1]s.new && mv %[1]s.new %[1]s && while [ -e %[1]s ]; do sleep 0.05; done\n%[2]s",
		seen, script)
	s := launch(t, append(flags, "--", "sh", "-c", command)...)

	var text []byte
	s.comesUp("the command", func() (runs bool) {
		var err error
		text, err = os.ReadFile(seen)
		return err == nil
	})
	s.env = map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		s.env[name] = value
	}
	s.gate = seen
	s.pids = family(s.cmd.Process.Pid)
	return s
}

// startTimeout is as long as devstack gives what it starts.
const startTimeout = 2 * time.Minute

// comesUp waits until it is there, as long as devstack lives and would wait for it.
func (s *stack) comesUp(what string, there func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(startTimeout); !there(); time.Sleep(20 * time.Millisecond) {
		if s.hasEnded() || time.Now().After(deadline) {
			s.kill(syscall.SIGTERM)
			s.wait()
			s.t.Fatalf("%s did not come up:\n%s", what, s.output)
		}
	}
}

// release lets the command go on.
func (s *stack) release() {
	if err := os.Remove(s.gate); err != nil {
		s.t.Fatal(err)
	}
}

// launch starts devstack. It is ended with the test at the latest.
func launch(t *testing.T, args ...string) *stack {
	t.Helper()
	s := &stack{t: t, cmd: exec.Command(binary, args...), output: new(bytes.Buffer), ended: make(chan struct{})}
	s.cmd.Stdout, s.cmd.Stderr = s.output, s.output
	s.cmd.WaitDelay = 2 * time.Second // an orphan holding the output open must not hang the test
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(func() {
		s.kill(syscall.SIGTERM)
		s.wait()
	})
	return s
}

func (s *stack) kill(signal syscall.Signal) { _ = s.cmd.Process.Signal(signal) }

func (s *stack) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

// wait waits for devstack to end and returns its exit code, -1 if a signal ended it.
func (s *stack) wait() int {
	s.t.Helper()
	select {
	case <-s.ended:
		return s.cmd.ProcessState.ExitCode()
	case <-time.After(time.Minute):
		s.kill(syscall.SIGKILL)
		s.t.Errorf("devstack did not end")
		return -1
	}
}

// child awaits the one process of the stack whose command line contains text, with a zero byte between its words:
// devstack starts some while its command runs already.
func (s *stack) child(text string) (pid int) {
	s.t.Helper()
	await(s.t, time.Minute, fmt.Sprintf("a process of the stack has %q in its command line", text), func() bool {
		s.pids = family(s.cmd.Process.Pid)
		for _, pid = range s.pids[1:] {
			line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			if bytes.Contains(line, []byte(text)) {
				return true
			}
		}
		return false
	})
	return pid
}

// await asks until the condition holds.
func await(t *testing.T, limit time.Duration, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(limit); !condition(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("it never happened: %s", what)
		}
	}
}

// mustBeGone fails the test if a process of the stack stays. PostgreSQL alone gives its processes five seconds to end.
func (s *stack) mustBeGone() {
	s.t.Helper()
	if len(s.pids) < 6 { // devstack, guard, command, PostgreSQL and its processes, Temporal, UI
		s.t.Fatalf("only %d processes were seen in the stack", len(s.pids))
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var left []string
		for _, pid := range s.pids {
			if name, _, alive := status(pid); alive {
				left = append(left, fmt.Sprintf("%d (%s)", pid, name))
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("left behind: %s", strings.Join(left, ", "))
		}
	}
}

// family is pid and all processes below it.
func family(pid int) []int {
	all := []int{pid}
	entries, _ := os.ReadDir("/proc")
	for i := 0; i < len(all); i++ {
		for _, entry := range entries {
			child, err := strconv.Atoi(entry.Name())
			if err != nil {
				continue
			}
			if _, parent, alive := status(child); alive && parent == all[i] {
				all = append(all, child)
			}
		}
	}
	return all
}

// status reads a process's name and parent. A zombie, which only waits to be counted, is not alive.
func status(pid int) (name string, parent int, alive bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", 0, false
	}
	open, shut := strings.Index(string(text), "("), strings.LastIndex(string(text), ")")
	fields := strings.Fields(string(text[shut+1:]))
	parent, _ = strconv.Atoi(fields[1])
	return string(text[open+1 : shut]), parent, fields[0] != "Z" && fields[0] != "X"
}
