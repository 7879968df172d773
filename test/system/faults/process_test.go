//go:build faults

package faults

import (
	"bufio"
	"net/http"
	"os"
	"testing"

	"emissor/test/harness"
	"emissor/test/testkit"
)

// build compiles the program once for the test.
func build(t *testing.T) string {
	t.Helper()
	programs, err := harness.Built(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return programs.Emissor
}

// start starts a part of Emissor, which is killed when the test ends.
func start(t *testing.T, binary, part string, environment ...string) *harness.Process {
	t.Helper()
	process := harness.NewProcess(part, t.TempDir(), binary, []string{part}, environment)
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		process.Kill()
		showErrors(t, process)
	})
	return process
}

// showErrors shows the log lines of a process that tell of a bug.
func showErrors(t *testing.T, process *harness.Process) {
	t.Helper()
	log, err := os.Open(process.LogFile)
	if err != nil {
		t.Error(err)
		return
	}
	defer log.Close()
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if line := lines.Bytes(); containsError(line) {
			t.Logf("%s: %s", process.Name, line)
		}
	}
}

// freeAddress is a loopback address nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := harness.FreeAddress()
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// control does something to a server of the development stack, and returns when
// it is done.
func control(t *testing.T, action, server string) {
	t.Helper()
	stack, err := harness.FindDevstack()
	if err == nil {
		err = stack.Control(t.Context(), action, server)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func awaitHealth(t *testing.T, api *harness.Process, url string) {
	t.Helper()
	testkit.Eventually(t, "the API is healthy", func() bool {
		if !api.Running() {
			t.Fatalf("the API ended:\n%s", api.LogTail())
		}
		answer, err := (&harness.Client{Base: url}).Call(t.Context(), http.MethodGet, "/v1/health", nil)
		return err == nil && answer.Status == http.StatusOK
	})
}
