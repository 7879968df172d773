//go:build containers

package containers

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// project is the folder of the repository in the machine.
const project = "/srv/emissor"

// machine is the machine of machine.sh.
type machine struct {
	process string // the id of its first process
}

// newMachine finds the machine and puts the repository into it, as it is here with its changes.
func newMachine(t *testing.T) machine {
	t.Helper()
	m := machine{os.Getenv("MACHINE")}
	if m.process == "" {
		t.Fatal("there is no machine: make containers starts one")
	}
	m.run(t, "mkdir "+project)
	pack := exec.Command("bash", "-c", "git ls-files -co --exclude-standard -z | tar --create --null --files-from -")
	pack.Dir = "../.."
	files, err := pack.Output()
	if err != nil {
		t.Fatalf("the repository's files: %v", err)
	}
	unpack := m.command(t.Context(), "tar --extract")
	unpack.Stdin = bytes.NewReader(files)
	if output, err := unpack.CombinedOutput(); err != nil {
		t.Fatalf("the repository in the machine: %v\n%s", err, output)
	}
	return m
}

// command is a script for bash in the project's folder, in an environment that has nothing of this machine's.
func (m machine) command(ctx context.Context, script string) *exec.Cmd {
	return exec.CommandContext(ctx, "nsenter", "--all", "--target", m.process, "--",
		"env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "USER=root", "LANG=C.UTF-8",
		"bash", "-euo", "pipefail", "-c", "cd "+project+" 2>/dev/null || cd /\n"+script)
}

// try runs a script and returns what it printed.
func (m machine) try(t *testing.T, script string) (string, error) {
	t.Helper()
	output, err := m.command(t.Context(), script).CombinedOutput()
	return strings.TrimSpace(string(output)), err
}

// run runs a script, which must succeed.
func (m machine) run(t *testing.T, script string) string {
	t.Helper()
	output, err := m.try(t, script)
	if err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, output)
	}
	return output
}

// sql asks the database of Emissor, and returns rows as lines with | between the columns.
func (m machine) sql(t *testing.T, query string) string {
	t.Helper()
	ask := m.command(t.Context(), "docker compose exec -T postgres psql -U postgres -At emissor")
	ask.Stdin = strings.NewReader(query)
	output, err := ask.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", query, err, output)
	}
	return strings.TrimSpace(string(output))
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// dial connects to an address as the machine's own programs would. A socket belongs to the network in which its thread
// was when it was made.
func (m machine) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if _, port, err := net.SplitHostPort(address); err == nil {
		address = net.JoinHostPort("127.0.0.1", port) // to which all names lead there
	}
	there, err := os.Open("/proc/" + m.process + "/ns/net")
	if err != nil {
		return nil, err
	}
	defer there.Close()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	here, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		return nil, err
	}
	defer here.Close()
	if err := unix.Setns(int(there.Fd()), unix.CLONE_NEWNET); err != nil {
		return nil, fmt.Errorf("into the machine's network: %w", err)
	}
	connection, dialErr := new(net.Dialer).DialContext(ctx, network, address)
	if err := unix.Setns(int(here.Fd()), unix.CLONE_NEWNET); err != nil {
		panic(fmt.Sprintf("the thread stays in the machine's network: %v", err))
	}
	return connection, dialErr
}

// container is the id of a service's container.
func (m machine) container(t *testing.T, service string) string {
	t.Helper()
	id := m.run(t, "docker compose ps --all --quiet "+service)
	if id == "" || strings.Contains(id, "\n") {
		t.Fatalf("%s has the containers %q", service, id)
	}
	return id
}

// inspect reads a property of a container.
func (m machine) inspect(t *testing.T, container, format string) string {
	t.Helper()
	return m.run(t, "docker inspect --format "+quoted(format)+" "+container)
}

// restarts counts how often Docker has started a service's container again.
func (m machine) restarts(t *testing.T, service string) int {
	t.Helper()
	count, err := strconv.Atoi(m.inspect(t, m.container(t, service), "{{.RestartCount}}"))
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// works reports whether a service's container runs, and is healthy where it can tell.
func (m machine) works(t *testing.T, service string) bool {
	t.Helper()
	state := m.inspect(t, m.container(t, service), "{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{end}}")
	return state == "running healthy" || state == "running" // the space before nothing is trimmed
}
