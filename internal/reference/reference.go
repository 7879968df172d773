// Package reference finds the official files of the national system: its schemas,
// its tables and signed samples, which tests compare with. They are published by
// the authority and are no part of this repository.
package reference

import (
	"os"
	"path/filepath"
	"testing"
)

// FolderVariable names the environment variable that holds the folder of the files.
// Where it is not set, they are expected in ../shared/national, seen from the root of
// the repository.
const FolderVariable = "NATIONAL_REFERENCE"

const missing = "skipped: the official files of the national system are not here " +
	"(set " + FolderVariable + "; the README says where they are found)"

// National returns the path of an official file or folder, such as
// "xsd-1.01/DPS_v1.01.xsd". Where it is missing, the test is skipped.
func National(t testing.TB, path string) string {
	t.Helper()
	found := filepath.Join(folder(t), filepath.FromSlash(path))
	if _, err := os.Stat(found); err != nil {
		t.Skip(missing)
	}
	return found
}

// ReadNational returns the content of an official file. Where it is missing, the
// test is skipped.
func ReadNational(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(National(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func folder(t testing.TB) string {
	t.Helper()
	if named := os.Getenv(FolderVariable); named != "" {
		return named
	}
	return filepath.Join(repository(t), "..", "shared", "national")
}

// repository is the folder above the test's own that holds go.mod.
func repository(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		if folder == filepath.Dir(folder) {
			t.Fatal("the test does not run in the repository: no folder above its own holds go.mod")
		}
		folder = filepath.Dir(folder)
	}
}
