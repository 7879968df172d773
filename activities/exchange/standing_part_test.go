package exchange

import (
	"testing"
	"time"
)

// Each of several that ask has an equal part of the time that is left.
func TestPartOf(t *testing.T) {
	t.Parallel()
	end := time.Now().Add(time.Hour)
	for left, expected := range map[int]time.Duration{1: time.Hour, 2: 30 * time.Minute, 3: 20 * time.Minute} {
		if given := time.Until(partOf(end, left)); (given - expected).Abs() > time.Minute {
			t.Errorf("of %d one has %s", left, given)
		}
	}
	if late := partOf(time.Now().Add(-time.Hour), 2); late.After(time.Now()) {
		t.Error("after the end there is time left")
	}
}
