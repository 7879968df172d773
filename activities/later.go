package activities

import (
	"context"
	"math/rand/v2"
	"time"

	"go.temporal.io/sdk/activity"
)

// Later says that an attempt at an authority ended without an end: why, and when
// the next one is due.
type Later struct {
	Kind   string        // of the error, for histories: not_delivered, unknown, ...
	Reason string        // in words, without personal data
	In     time.Duration // the shortest pause that makes sense; the growing one may be longer
}

// Error implements error.
func (l Later) Error() string { return l.Reason }

const (
	firstAuthorityPause   = time.Second
	longestAuthorityPause = 15 * time.Minute
	// jitter is the share that a pause may be shorter or longer: the engine adds none.
	jitter = 0.1
)

// error is what the engine sees: it waits that long before the next attempt.
func (l Later) error(ctx context.Context) error {
	return again(l.Kind, l.Reason, authorityPause(activity.GetInfo(ctx).Attempt, l.In))
}

// authorityPause grows with the attempts up to a quarter of an hour, jitter
// included, and is not shorter than what was asked for.
func authorityPause(attempt int32, asked time.Duration) time.Duration {
	pause := max(min(firstAuthorityPause<<min(attempt-1, 20), longestAuthorityPause), asked)
	spread := time.Duration((rand.Float64()*2 - 1) * jitter * float64(pause))
	return min(pause+spread, longestAuthorityPause)
}

// heartbeat tells the engine that the activity's worker lives, until the
// returned function is called: an attempt cut off with its worker is noticed
// long before its time-out.
func heartbeat(ctx context.Context) (stop func()) {
	beating, stop := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		ticker := time.NewTicker(heartbeatInterval)
		defer ticker.Stop()
		for {
			select {
			case <-beating.Done():
				return
			case <-ticker.C:
				activity.RecordHeartbeat(ctx)
			}
		}
	}()
	return stop
}

const heartbeatInterval = 5 * time.Second
