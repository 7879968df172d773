// Package long says which tests take long: make test leaves them out, or has them look at fewer cases, so that it
// stays quick enough to be run after every change. make test-long runs them whole.
package long

import (
	"os"
	"testing"
)

// Asked reports whether tests that take long are to run: LONG_TESTS is set.
func Asked() bool { return os.Getenv("LONG_TESTS") != "" }

// Only leaves a test to make test-long, and says what that does.
func Only(t testing.TB, does string) {
	t.Helper()
	if !Asked() {
		t.Skip("make test-long " + does)
	}
}

// Cases is how many cases a test looks at: all with LONG_TESTS, few without.
func Cases(all, few int) int {
	if Asked() {
		return all
	}
	return few
}
