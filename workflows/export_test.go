package workflows

import (
	"testing"
	"time"
)

// BoundLooks lets a run read its note so many times, until the test ends.
func BoundLooks(t *testing.T, most int) {
	before := maxIterations
	maxIterations = most
	t.Cleanup(func() { maxIterations = before })
}

// BoundChores lets a batch of a chore take no longer than this, until the test ends.
func BoundChores(t *testing.T, longest time.Duration) {
	before := choreAttempt
	choreAttempt = longest
	t.Cleanup(func() { choreAttempt = before })
}
