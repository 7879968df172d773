package kubernetes

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const chart = "../../deploy/helm/emissor"

// helmProgram is the helm of go.mod, built once.
var helmProgram string

// helm runs helm and returns what it printed.
func helm(arguments ...string) (string, error) {
	var stdout, stderr bytes.Buffer
	command := exec.Command(helmProgram, arguments...)
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return stdout.String(), fmt.Errorf("helm %s: %w\n%s", strings.Join(arguments, " "), err, stderr.String())
	}
	return stdout.String(), nil
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}
