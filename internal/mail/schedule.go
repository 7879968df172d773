package mail

import (
	"time"

	"emissor/internal/retry"
)

// Window is how long a message is tried before it is given up, give or take the
// jitter. Only pauses between attempts count: while no attempt can be made, the
// window stands still.
const Window = 72 * time.Hour

var backoff = retry.Backoff{Initial: time.Minute, Max: 4 * time.Hour}

// Pause returns the wait after so many failed attempts, counted from 1: a
// minute, then always twice as long, up to four hours. more is false when the
// pauses before have filled the window.
func Pause(failures int) (wait time.Duration, more bool) {
	if backoff.Total(failures-1) >= Window {
		return 0, false
	}
	return backoff.After(failures), true
}
