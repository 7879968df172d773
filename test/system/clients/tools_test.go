package clients

import (
	"os"
	"path/filepath"
	"testing"
)

// tool is a program of the module dev/clients, which make builds.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("../../../.dev/bin", name))
	must(t, err)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not built: make .dev/bin/%s does", name, name)
	}
	return path
}
