package mail_test

import (
	"testing"
	"time"

	"emissor/internal/mail"
)

// The attempts fill three days, closer at first, and then end.
func TestMailSchedule(t *testing.T) {
	var total time.Duration
	failures := 1
	for ; ; failures++ {
		wait, more := mail.Pause(failures)
		if !more {
			break
		}
		if failures == 1 && (wait < 54*time.Second || wait > 66*time.Second) {
			t.Errorf("the first pause is %s", wait)
		}
		if wait > 264*time.Minute {
			t.Errorf("pause %d is %s: the engine would cut what is longer than five hours", failures, wait)
		}
		total += wait
	}
	if total < mail.Window*9/10 || total > mail.Window*11/10+time.Hour {
		t.Errorf("%d attempts in %s", failures, total)
	}
	if _, more := mail.Pause(failures + 1); more {
		t.Error("it goes on after the end")
	}
}
