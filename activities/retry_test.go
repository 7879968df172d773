package activities

import (
	"testing"
	"time"
)

// The engine cuts a longer pause to the maximum of the activity's options.
func TestAuthorityBackoff(t *testing.T) {
	for range 200 {
		for failures, expected := range map[int]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second} {
			if pause := AuthorityBackoff.AtLeast(0, failures); pause < expected*9/10 || pause > expected*11/10 {
				t.Errorf("attempt %d waits %s", failures, pause)
			}
		}
		for _, failures := range []int{11, 1000, 1 << 30} {
			if pause := AuthorityBackoff.AtLeast(0, failures); pause < 12*time.Minute || pause > 15*time.Minute {
				t.Errorf("attempt %d waits %s", failures, pause)
			}
		}
		if pause := AuthorityBackoff.AtLeast(time.Minute, 1); pause < 54*time.Second || pause > 66*time.Second {
			t.Errorf("asked to wait a minute it waits %s", pause)
		}
	}
}
