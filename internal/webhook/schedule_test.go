package webhook_test

import (
	"testing"
	"time"

	"emissor/internal/webhook"
)

// attempts plays a receiver that never takes the event.
func attempts(livemode bool) (waits []time.Duration) {
	var elapsed time.Duration
	for failures := 1; ; failures++ {
		wait, ok := webhook.Pause(failures, 0, webhook.Window(livemode)-elapsed)
		if !ok {
			return waits
		}
		waits = append(waits, wait)
		elapsed += wait
	}
}

func TestWebhookSchedule_Live72Hours(t *testing.T) {
	expected := []time.Duration{10 * time.Second, 40 * time.Second, 2 * time.Minute, 390 * time.Second,
		20 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 6 * time.Hour}
	for range 100 {
		waits := attempts(true)
		var total time.Duration
		for i, wait := range waits {
			total += wait
			if i < len(expected) && (wait < expected[i]*9/10 || wait > expected[i]*11/10) {
				t.Fatalf("pause %d is %s", i+1, wait)
			}
			if wait > webhook.MaxPause*11/10 {
				t.Fatalf("pause %d is %s", i+1, wait)
			}
		}
		if total != 72*time.Hour {
			t.Fatalf("the last attempt comes after %s", total)
		}
	}
}

func TestWebhookSchedule_Test10Minutes(t *testing.T) {
	var total time.Duration
	for _, wait := range attempts(false) {
		total += wait
	}
	if total != 10*time.Minute {
		t.Errorf("the last attempt comes after %s", total)
	}
}

func TestWebhookSchedule_RetryAfterUpToSixHours(t *testing.T) {
	for name, test := range map[string]struct{ asked, left, least, most time.Duration }{
		"longer than the pause": {5 * time.Minute, time.Hour, 5 * time.Minute, 5 * time.Minute},
		"shorter":               {time.Second, time.Hour, 9 * time.Second, 11 * time.Second},
		"far too long":          {100 * time.Hour, 70 * time.Hour, 6 * time.Hour, 6 * time.Hour},
		"past the window":       {time.Hour, time.Minute, time.Minute, time.Minute},
	} {
		wait, ok := webhook.Pause(1, test.asked, test.left)
		if !ok || wait < test.least || wait > test.most {
			t.Errorf("%s: %s", name, wait)
		}
	}
	if _, ok := webhook.Pause(3, 0, 0); ok {
		t.Error("a delivery goes on after its window")
	}
}
