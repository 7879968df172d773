//go:build faults

package faults

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"emissor/internal/testkit"
)

// build compiles the program once for the test.
func build(t *testing.T) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "emissor")
	output, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "../cmd/emissor").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	return binary
}

// process is a running part of Emissor.
type process struct {
	command *exec.Cmd
	ended   chan struct{}
}

func start(t *testing.T, binary, part string, environment ...string) *process {
	t.Helper()
	command := exec.Command(binary, part)
	command.Env = append(os.Environ(), environment...)
	logs, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	p := &process{command: command, ended: make(chan struct{})}
	go func() {
		defer close(p.ended)
		keepTail(t, part, logs)
		_ = command.Wait()
	}()
	t.Cleanup(p.kill)
	return p
}

// keepTail reads a process's log to its end and shows the errors in it.
func keepTail(t *testing.T, part string, logs io.Reader) {
	lines := bufio.NewScanner(logs)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Bytes(); containsError(line) {
			t.Logf("%s: %s", part, line)
		}
	}
}

// kill is SIGKILL: no time to tidy up.
func (p *process) kill() {
	_ = p.command.Process.Kill()
	<-p.ended
}

// freeAddress is a loopback address nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// control does something to a server of the development stack, and returns when
// it is done.
func control(t *testing.T, action, server string) {
	t.Helper()
	response, err := http.Post(os.Getenv("DEVSTACK_CONTROL")+"/"+action+"/"+server, "", nil)
	if err != nil {
		t.Fatalf("%s %s: %v", action, server, err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		message, _ := io.ReadAll(response.Body)
		t.Fatalf("%s %s: %s", action, server, message)
	}
}

func awaitHealth(t *testing.T, url string) {
	t.Helper()
	testkit.Eventually(t, "the API is healthy", func() bool {
		response, err := http.Get(url + "/v1/health")
		if err != nil {
			return false
		}
		_ = response.Body.Close()
		return response.StatusCode == http.StatusOK
	})
}
