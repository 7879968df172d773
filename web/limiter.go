package web

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// sweepAtLeast is how many buckets there are before full ones are looked for.
const sweepAtLeast = 10_000

// Limiter is a token bucket for each name. A nil limiter limits nothing.
type Limiter struct {
	perSecond rate.Limit
	burst     int

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	sweepAt int // so many buckets
}

// NewLimiter makes a limiter; one of no events a second limits nothing.
func NewLimiter(perSecond float64, burst int) *Limiter {
	if perSecond <= 0 {
		return nil
	}
	return &Limiter{perSecond: rate.Limit(perSecond), burst: burst, buckets: map[string]*rate.Limiter{},
		sweepAt: sweepAtLeast}
}

// Allow takes a token of the name's bucket, and says whether there was one.
func (l *Limiter) Allow(name string, now time.Time) bool {
	return l == nil || l.bucket(name, now).AllowN(now, 1)
}

// Describe tells the caller where its bucket stands; a limiter that limits
// nothing takes back what another said.
func (l *Limiter) Describe(w http.ResponseWriter, name string, now time.Time) {
	if l == nil {
		for _, header := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			w.Header().Del(header)
		}
		return
	}
	tokens := max(0, l.bucket(name, now).TokensAt(now))
	reset := (float64(l.burst) - tokens) / float64(l.perSecond)
	w.Header().Set("RateLimit-Limit", strconv.Itoa(l.burst))
	w.Header().Set("RateLimit-Remaining", strconv.Itoa(int(tokens)))
	w.Header().Set("RateLimit-Reset", strconv.Itoa(int(math.Ceil(reset))))
}

// RetryAfter is when the next token comes, in whole seconds.
func (l *Limiter) RetryAfter() string {
	return strconv.Itoa(max(1, int(math.Ceil(1/float64(l.perSecond)))))
}

func (l *Limiter) bucket(name string, now time.Time) *rate.Limiter {
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

// sweep forgets full buckets: a new one is the same. The next sweep comes when
// twice as many are there as were left, so that a crowd of addresses does not
// make every request look at all of them.
func (l *Limiter) sweep(now time.Time) {
	for name, bucket := range l.buckets {
		if bucket.TokensAt(now) >= float64(l.burst) {
			delete(l.buckets, name)
		}
	}
	l.sweepAt = max(sweepAtLeast, 2*len(l.buckets))
}
