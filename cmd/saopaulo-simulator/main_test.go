package main

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, url string) (int, string) {
	t.Helper()
	response, err := http.Get(url)
	must(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	must(t, err)
	return response.StatusCode, string(body)
}

// readPrinted reads names and values, up to where the roots are.
func readPrinted(output io.Reader) map[string]string {
	printed := map[string]string{}
	lines := bufio.NewScanner(output)
	for printed["roots"] == "" && lines.Scan() {
		if name, value, found := strings.Cut(strings.TrimSpace(lines.Text()), "  "); found {
			printed[name] = strings.TrimSpace(value)
		}
	}
	return printed
}

// The built program serves, and ends in order on SIGTERM.
func TestProgram(t *testing.T) {
	binary, dir := filepath.Join(t.TempDir(), "saopaulo-simulator"), filepath.Join(t.TempDir(), "city")
	if output, err := exec.Command("go", "build", "-buildvcs=false", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	program := exec.CommandContext(t.Context(), binary, "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0",
		"--dir", dir)
	output, err := program.StdoutPipe()
	must(t, err)
	must(t, program.Start())
	printed := readPrinted(output)
	if !strings.HasSuffix(printed["service"], "/lotenfe.asmx") || !strings.Contains(printed["kept in"], dir) {
		t.Errorf("printed %v", printed)
	}
	if status, body := get(t, printed["roots"]); status != http.StatusOK || !strings.Contains(body, "CERTIFICATE") {
		t.Errorf("the roots: %d %s", status, body)
	}
	if status, body := get(t, printed["control"]+"/ledger"); status != http.StatusOK ||
		!strings.Contains(body, `"issued": []`) {
		t.Errorf("the ledger: %d %s", status, body)
	}
	must(t, program.Process.Signal(syscall.SIGTERM))
	if err := program.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

func TestCommand_IsControlledFromThisMachineOnly(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0", "127.0.0.1"} {
		command := command()
		command.SetArgs([]string{"--listen", "127.0.0.1:0", "--control", address})
		err := command.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), "--control") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestCommand_SaysWhatItIs(t *testing.T) {
	var help bytes.Buffer
	command := command()
	command.SetOut(&help)
	command.SetArgs([]string{"--help"})
	must(t, command.Execute())
	for _, words := range []string{"development and tests only", "NO FISCAL VALUE", "loopback"} {
		if !strings.Contains(help.String(), words) {
			t.Errorf("the help does not say %q", words)
		}
	}
}
