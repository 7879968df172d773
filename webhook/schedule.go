package webhook

import (
	"math/rand/v2"
	"time"
)

// pauses are the waits after each failed attempt; the last one repeats.
var pauses = []time.Duration{
	10 * time.Second, 40 * time.Second, 2 * time.Minute, 390 * time.Second,
	20 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour,
}

// MaxPause is the longest wait between two attempts, also when a receiver asks
// for more.
const MaxPause = 6 * time.Hour

// jitter spreads the attempts of many deliveries: a tenth up or down.
const jitter = 0.1

// Window is how long a delivery is tried before it is given up.
func Window(livemode bool) time.Duration {
	if livemode {
		return 72 * time.Hour
	}
	return 10 * time.Minute
}

// Pause is the wait after so many failed attempts, never past the end of the
// window, so that the last attempt comes at its end. A receiver that asked for
// more with Retry-After gets it. ok is false when the window is over.
func Pause(failures int, retryAfter, left time.Duration) (wait time.Duration, ok bool) {
	if left <= 0 {
		return 0, false
	}
	base := pauses[min(failures, len(pauses))-1]
	wait = base + time.Duration((2*rand.Float64()-1)*jitter*float64(base))
	wait = max(wait, min(retryAfter, MaxPause))
	return min(wait, left), true
}
