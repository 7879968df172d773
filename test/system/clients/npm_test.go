package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// packages is where dev/setup.sh puts what tests take from npm.
const packages = "../../../.dev/clients/node_modules"

// npm is the folder of the packages that dev/setup.sh installed, if these are there.
func npm(t *testing.T, names ...string) string {
	t.Helper()
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(packages, name, "package.json")); err != nil {
			t.Skipf("%s is missing, so that nothing was tried: dev/setup.sh clients gets it from npm", name)
		}
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	folder, err := filepath.Abs(packages)
	must(t, err)
	return folder
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
