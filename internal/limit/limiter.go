// Package limit bounds how often something may happen, by a token bucket for each name, and
// how much of it at once. It counts in this process only.
package limit

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// sweepAtLeast is how many buckets there are before full ones are looked for.
const sweepAtLeast = 10_000

// Limiter is a token bucket for each name. A nil limiter limits nothing.
type Limiter[Name comparable] struct {
	perSecond rate.Limit
	burst     int

	mu      sync.Mutex
	buckets map[Name]*rate.Limiter
	sweepAt int // how many buckets there are when full ones are forgotten
}

// New makes a limiter; one of no events a second limits nothing.
func New[Name comparable](perSecond float64, burst int) *Limiter[Name] {
	if perSecond <= 0 {
		return nil
	}
	return &Limiter[Name]{perSecond: rate.Limit(perSecond), burst: burst, buckets: map[Name]*rate.Limiter{},
		sweepAt: sweepAtLeast}
}

// Allow takes a token of the name's bucket, and says whether there was one.
func (l *Limiter[Name]) Allow(name Name, now time.Time) bool {
	return l == nil || l.bucket(name, now).AllowN(now, 1)
}

// GiveBack gives a token back that Allow took for what turned out not to count.
func (l *Limiter[Name]) GiveBack(name Name, now time.Time) {
	if l != nil {
		l.bucket(name, now).AllowN(now, -1)
	}
}

// AllowSpare is Allow where more than half of the tokens are left: the other half is for
// what has waited longer.
func (l *Limiter[Name]) AllowSpare(name Name, now time.Time) bool {
	if l == nil {
		return true
	}
	bucket := l.bucket(name, now)
	return bucket.TokensAt(now) >= float64(l.burst/2+1) && bucket.AllowN(now, 1)
}

// Burst is how many tokens a bucket holds.
func (l *Limiter[Name]) Burst() int { return l.burst }

// Tokens is how many tokens the name's bucket holds.
func (l *Limiter[Name]) Tokens(name Name, now time.Time) float64 {
	return max(0, l.bucket(name, now).TokensAt(now))
}

// Below are the names whose buckets hold fewer than so many tokens, with what they hold;
// none of a limiter that limits nothing. Full buckets are forgotten on the way.
func (l *Limiter[Name]) Below(tokens int, now time.Time) map[Name]int {
	found := map[Name]int{}
	if l == nil {
		return found
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forgetFull(now)
	for name, bucket := range l.buckets {
		if has := int(max(0, bucket.TokensAt(now))); has < tokens {
			found[name] = has
		}
	}
	return found
}

// UntilFull is how long the name's bucket takes to fill.
func (l *Limiter[Name]) UntilFull(name Name, now time.Time) time.Duration {
	missing := float64(l.burst) - l.Tokens(name, now)
	return time.Duration(missing / float64(l.perSecond) * float64(time.Second))
}

// Interval is the time between two tokens.
func (l *Limiter[Name]) Interval() time.Duration {
	return time.Duration(float64(time.Second) / float64(l.perSecond))
}

func (l *Limiter[Name]) bucket(name Name, now time.Time) *rate.Limiter {
	l.mu.Lock()
	defer l.mu.Unlock()
	bucket, ok := l.buckets[name]
	if !ok {
		if len(l.buckets) >= l.sweepAt {
			l.sweep(now)
		}
		bucket = rate.NewLimiter(l.perSecond, l.burst)
		l.buckets[name] = bucket
	}
	return bucket
}

// sweep forgets full buckets. The next sweep comes when there are twice as many as were
// left, so that with many addresses not every request looks at all of them.
func (l *Limiter[Name]) sweep(now time.Time) {
	l.forgetFull(now)
	l.sweepAt = max(sweepAtLeast, 2*len(l.buckets))
}

// forgetFull forgets full buckets: a new one is the same.
func (l *Limiter[Name]) forgetFull(now time.Time) {
	for name, bucket := range l.buckets {
		if bucket.TokensAt(now) >= float64(l.burst) {
			delete(l.buckets, name)
		}
	}
}
