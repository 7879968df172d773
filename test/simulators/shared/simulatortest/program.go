package simulatortest

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
	"time"

	"github.com/spf13/cobra"
)

// Program is the running program of a simulator.
type Program struct {
	Printed map[string]string // what is where
	t       *testing.T
	command *exec.Cmd
}

// RunProgram builds the program whose folder the test is in, and runs it on free ports.
func RunProgram(t *testing.T, arguments ...string) *Program {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "simulator")
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", binary, ".") // linked sooner
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	arguments = append([]string{"--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"}, arguments...)
	command := exec.CommandContext(t.Context(), binary, arguments...)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	return &Program{readPrinted(output), t, command}
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

// Stop ends the program by SIGTERM. It must end in order, and within ten seconds.
func (p *Program) Stop() {
	p.t.Helper()
	told := time.Now()
	if err := p.command.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	if err := p.command.Wait(); err != nil {
		p.t.Errorf("it ends with %v", err)
	}
	if took := time.Since(told); took > 10*time.Second {
		p.t.Errorf("it ends after %s", took)
	}
}

// Get asks for a URL.
func Get(t *testing.T, client *http.Client, url string) (status int, body []byte) {
	t.Helper()
	response, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err = io.ReadAll(response.Body); err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, body
}

// CheckHelp checks that the help of a command says that it is for development only, in
// the words of use, that nothing it issues counts, and who reaches it.
func CheckHelp(t *testing.T, command *cobra.Command, use string) {
	t.Helper()
	var help bytes.Buffer
	command.SetOut(&help)
	command.SetArgs([]string{"--help"})
	if err := command.Execute(); err != nil {
		t.Fatal(err)
	}
	for _, words := range []string{use, "NO FISCAL VALUE", "loopback"} {
		if !strings.Contains(help.String(), words) {
			t.Errorf("the help does not say %q", words)
		}
	}
}
