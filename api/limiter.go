package api

import (
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

const (
	burstSeconds        = 2  // a key may save up two seconds of requests
	failureBurstSeconds = 10 // an address ten seconds of failed authentications
	sweepAtLeast        = 10_000
)

// limiter is a token bucket for each name. A nil limiter limits nothing.
type limiter struct {
	perSecond rate.Limit
	burst     int

	mu      sync.Mutex
	buckets map[string]*rate.Limiter
	sweepAt int // so many buckets
}

func newLimiter(perSecond, burst int) *limiter {
	if perSecond <= 0 {
		return nil
	}
	return &limiter{perSecond: rate.Limit(perSecond), burst: burst, buckets: map[string]*rate.Limiter{},
		sweepAt: sweepAtLeast}
}

// allow takes a token of the name's bucket, and says whether there was one.
func (l *limiter) allow(name string, now time.Time) bool {
	return l == nil || l.bucket(name, now).AllowN(now, 1)
}

// describe tells the caller where its bucket stands; a limiter that limits
// nothing takes back what another said.
func (l *limiter) describe(w http.ResponseWriter, name string, now time.Time) {
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

// retryAfter is when the next token comes, in whole seconds.
func (l *limiter) retryAfter() string {
	return strconv.Itoa(max(1, int(math.Ceil(1/float64(l.perSecond)))))
}

func (l *limiter) bucket(name string, now time.Time) *rate.Limiter {
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
func (l *limiter) sweep(now time.Time) {
	for name, bucket := range l.buckets {
		if bucket.TokensAt(now) >= float64(l.burst) {
			delete(l.buckets, name)
		}
	}
	l.sweepAt = max(sweepAtLeast, 2*len(l.buckets))
}
