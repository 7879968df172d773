package webhook

import (
	"time"

	"emissor/internal/retry"
)

// delays are the waits after each failed attempt.
var delays = retry.Delays{
	10 * time.Second, 40 * time.Second, 2 * time.Minute, 390 * time.Second,
	20 * time.Minute, time.Hour, 3 * time.Hour, MaxPause,
}

// MaxPause is the longest wait between two attempts, also when a receiver asks
// for more.
const MaxPause = 6 * time.Hour

// Window returns how long a delivery is tried before it is given up.
func Window(livemode bool) time.Duration {
	if livemode {
		return 72 * time.Hour
	}
	return 10 * time.Minute
}

// Pause returns the wait after so many failed attempts, counted from 1. It never
// exceeds left, which remains of the window, so that the last attempt comes at its
// end. A receiver that asked for more with Retry-After gets it, up to MaxPause. ok is
// false when the window is over.
func Pause(failures int, retryAfter, left time.Duration) (wait time.Duration, ok bool) {
	if left <= 0 {
		return 0, false
	}
	wait = max(delays.After(failures), min(retryAfter, MaxPause))
	return min(wait, left), true
}
