package clients

import (
	"os"
	"path/filepath"
	"testing"
)

// tool is a program of the module dev/clients, which make test-long builds.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../.dev/bin", name))
	must(t, err)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not built: make test-long does, or make .dev/bin/%s", name, name)
	}
	return path
}
