// Package retry computes the pauses between two attempts at the same thing: at an
// authority, a receiver, a mail server, the workflow engine. Each has its Backoff or
// its Delays where it is used; how a pause grows and is spread is decided here.
//
// Three pauses grow in the database instead, in the statement that counts the failure:
// of what does not move (store/outbox/requeue.go), of a row that a loop could not handle
// (store/postgres/row_failures.go) and of an ADN that answers 429 (store/received/distributions.go).
//
// The engine adds no jitter to its own retries, so the pause that an activity
// asks for comes from here too.
package retry

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// defaultJitter is the share by which a pause may be shorter or longer, so that
// what failed at the same time is not attempted again at the same time.
const defaultJitter = 0.1

// Backoff is a pause that doubles with every failure.
type Backoff struct {
	Initial time.Duration // after the first failure
	Max     time.Duration // the longest, before jitter
	Jitter  float64       // up or down, as a share of the pause; a tenth when 0
}

// After returns the pause after so many failures, counted from 1, with jitter.
func (b Backoff) After(failures int) time.Duration {
	return jittered(b.base(failures), b.Jitter)
}

// atLeastSpread is the most by which a pause that was asked for becomes longer.
const atLeastSpread = 2 * time.Second

// AtLeast returns the pause after so many failures, or the one that was asked
// for where that is longer: never less, and a tenth longer, at most two seconds.
func (b Backoff) AtLeast(asked time.Duration, failures int) time.Duration {
	spread := min(time.Duration(defaultJitter*float64(asked)), atLeastSpread)
	return max(Between(asked, later(asked, spread)), b.After(failures))
}

// Total returns the sum of the pauses after so many failures, without jitter.
func (b Backoff) Total(failures int) (total time.Duration) {
	for failed := range failures {
		total += b.base(failed + 1)
	}
	return total
}

func (b Backoff) base(failures int) time.Duration {
	pause := b.Initial
	for failed := 1; failed < failures && pause < b.Max; failed++ {
		pause *= 2
	}
	return min(pause, b.Max)
}

// Between returns a random pause between the two, so that what many processes repeat is
// spread.
func Between(shortest, longest time.Duration) time.Duration {
	if longest <= shortest {
		return shortest
	}
	return min(shortest+time.Duration(rand.Float64()*float64(longest-shortest)), longest)
}

// Delays are fixed pauses, of which the last repeats.
type Delays []time.Duration

// After returns the pause after so many failures, counted from 1, with jitter.
func (d Delays) After(failures int) time.Duration {
	return jittered(d[min(max(failures, 1), len(d))-1], 0)
}

// WithJitter returns the pause, a tenth shorter or longer.
func WithJitter(pause time.Duration) time.Duration { return jittered(pause, 0) }

// NotBefore returns the pause, never shorter and up to a fifth longer.
func NotBefore(pause time.Duration) time.Duration { return Between(pause, later(pause, pause/5)) }

// Asked is the pause that the header Retry-After of an answer asks for, in seconds or until a date (RFC 9110, 10.2.3),
// at most so long; 0 where it asks for none, or cannot be read.
func Asked(header string, now time.Time, most time.Duration) time.Duration {
	var pause time.Duration
	if seconds, err := strconv.ParseUint(strings.TrimSpace(header), 10, 63); err == nil {
		pause = time.Duration(min(seconds, uint64(most/time.Second))) * time.Second
	} else if date, err := http.ParseTime(header); err == nil {
		pause = date.Sub(now)
	}
	return max(0, min(pause, most))
}

// Sleep waits for so long, or until ctx ends: then it says why that has.
func Sleep(ctx context.Context, pause time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pause):
		return nil
	}
}

// Every does something at every interval, until ctx ends. The first time is an interval from now.
func Every(ctx context.Context, interval time.Duration, do func()) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			do()
		}
	}
}

func jittered(pause time.Duration, jitter float64) time.Duration {
	if jitter == 0 {
		jitter = defaultJitter
	}
	spread := time.Duration(jitter * float64(pause))
	return Between(pause-spread, later(pause, spread))
}

// later is the pause and so much more, or the longest Duration where that overflows.
func later(pause, more time.Duration) time.Duration {
	return pause + min(more, math.MaxInt64-max(pause, 0))
}
