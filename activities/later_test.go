package activities

import (
	"testing"
	"time"
)

func TestPausesAtTheAuthorityGrowWithJitter(t *testing.T) {
	spread := map[time.Duration]bool{}
	for range 200 {
		for attempt, expected := range map[int32]time.Duration{1: time.Second, 2: 2 * time.Second, 5: 16 * time.Second, 9: 256 * time.Second} {
			if pause := authorityPause(attempt, 0); pause < expected*9/10 || pause > expected*11/10 {
				t.Errorf("attempt %d waits %s", attempt, pause)
			}
		}
		for _, attempt := range []int32{11, 1000, 1 << 30} {
			pause := authorityPause(attempt, 0)
			spread[pause] = true
			if pause < 13*time.Minute || pause > 15*time.Minute {
				t.Errorf("attempt %d waits %s", attempt, pause)
			}
		}
		if pause := authorityPause(1, time.Minute); pause < 54*time.Second || pause > 66*time.Second {
			t.Errorf("asked to wait a minute it waits %s", pause)
		}
		if pause := authorityPause(1, time.Hour); pause > 15*time.Minute {
			t.Errorf("asked to wait an hour it waits %s", pause)
		}
	}
	if len(spread) < 50 {
		t.Errorf("only %d different pauses", len(spread))
	}
}
