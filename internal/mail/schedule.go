package mail

import (
	"time"

	"emissor/internal/retry"
)

// Window is how long a message is tried before it is given up, apart from jitter. Only
// pauses between attempts count, not the time in which no attempt can be made.
const Window = 72 * time.Hour

var backoff = retry.Backoff{Initial: time.Minute, Max: 4 * time.Hour}

// Pause returns the wait after so many failed attempts, counted from 1: a
// minute, then always twice as long, up to four hours. more is false when the
// pauses before it have used up the window.
func Pause(failures int) (wait time.Duration, more bool) {
	if backoff.Total(failures-1) >= Window {
		return 0, false
	}
	return backoff.After(failures), true
}
