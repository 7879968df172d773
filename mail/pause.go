package mail

import (
	"math/rand/v2"
	"time"
)

const (
	// Window is how long a message is tried before it is given up, give or take
	// the jitter. Only pauses between attempts count: while no attempt can be
	// made, the window stands still.
	Window = 72 * time.Hour

	firstPause   = time.Minute
	longestPause = 4 * time.Hour
	jitter       = 0.1 // up or down, so that what failed together does not come back together
)

// Pause is the wait after so many failed attempts, counted from 1: a minute,
// then always twice as long, up to four hours. more is false when the pauses
// before have filled the window.
func Pause(failures int) (wait time.Duration, more bool) {
	var waited time.Duration
	pause := firstPause
	for range failures - 1 {
		waited += pause
		pause = min(2*pause, longestPause)
	}
	if waited >= Window {
		return 0, false
	}
	return pause + time.Duration((2*rand.Float64()-1)*jitter*float64(pause)), true
}
