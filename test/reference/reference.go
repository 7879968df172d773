// Package reference finds the official material of the tax authorities (schemas,
// tables of rules, samples) that tests read in place. It is not part of the
// project; CONTRIBUTING.md says where it is published. What is skipped for its
// absence is counted, so that `make test` can say so.
package reference

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

const (
	nationalVariable = "NATIONAL_REFERENCE"
	printedVariable  = "DANFSE_REFERENCE"
	saoPauloVariable = "SAO_PAULO_REFERENCE"
	citiesVariable   = "CITIES_REFERENCE"
	recordedVariable = "RECORDED_REFERENCE"
	skippedVariable  = "SKIPPED_TESTS" // the file in which skipped tests are counted
)

// National returns the path of a file or folder of the national system's
// material: below the folder that NATIONAL_REFERENCE names, or else below
// ../shared/national beside the checkout. It skips the test where that is not
// there.
func National(t testing.TB, elements ...string) string {
	t.Helper()
	return find(t, "national", nationalVariable, elements)
}

// Printed returns the path of a file about the printed form of a note: below the
// folder that DANFSE_REFERENCE names, or else below ../shared/danfse beside the
// checkout. It skips the test where that is not there.
func Printed(t testing.TB, elements ...string) string {
	t.Helper()
	return find(t, "danfse", printedVariable, elements)
}

// ReadNational returns the content of a file of the national system's material.
// It skips the test where that is not there.
func ReadNational(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(National(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// SaoPaulo returns the path of a file or folder of the material of the city of São
// Paulo, below the folder that SAO_PAULO_REFERENCE names, or else below
// ../shared/saopaulo. It skips the test where that is not there.
func SaoPaulo(t testing.TB, elements ...string) string {
	t.Helper()
	return find(t, "saopaulo", saoPauloVariable, elements)
}

// ReadSaoPaulo returns the content of a file of the city's material. It skips the
// test where that is not there.
func ReadSaoPaulo(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(SaoPaulo(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// Cities returns the path of a file or folder of the material on cities whose own servers take the
// national declaration, below the folder that CITIES_REFERENCE names, or else below
// ../shared/cities. It skips the test where that is not there.
func Cities(t testing.TB, elements ...string) string {
	t.Helper()
	return find(t, "cities", citiesVariable, elements)
}

// ReadCities returns the content of a file of the material on cities. It skips the test where that is not there.
func ReadCities(t testing.TB, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(Cities(t, path))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func find(t testing.TB, authority, variable string, elements []string) string {
	t.Helper()
	path := filepath.Join(append([]string{folder(authority, variable)}, elements...)...)
	if _, err := os.Stat(path); err != nil {
		count(t)
		t.Skipf("the official material is not here: %s (%s names its folder; CONTRIBUTING.md says where it is "+
			"published)",
			filepath.Join(elements...), variable)
	}
	return path
}

// folder is where the material of an authority is expected.
func folder(authority, variable string) string {
	if named := os.Getenv(variable); named != "" {
		return named
	}
	return filepath.Join(filepath.Dir(checkout()), "shared", authority)
}

// checkout is the folder of the project's go.mod.
func checkout() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Dir(filepath.Dir(filepath.Dir(file)))
}

// count writes the test's name to the file that SKIPPED_TESTS names, if any.
func count(t testing.TB) {
	file, err := os.OpenFile(os.Getenv(skippedVariable), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	defer file.Close()
	_, _ = file.WriteString(t.Name() + "\n")
}

// Recorded returns the path of the folder of answers of real hosts that others recorded: the folder that
// RECORDED_REFERENCE names, or else ../shared/recorded. It skips the test where that is not there.
func Recorded(t testing.TB) string {
	t.Helper()
	return find(t, "recorded", recordedVariable, nil)
}
