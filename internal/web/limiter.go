package web

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"emissor/internal/limit"
)

// DescribeLimit sets the headers that describe the caller's bucket; for a limiter that
// limits nothing it removes them.
func DescribeLimit[Name comparable](w http.ResponseWriter, l *limit.Limiter[Name], name Name, now time.Time) {
	if l == nil {
		for _, header := range []string{"RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"} {
			w.Header().Del(header)
		}
		return
	}
	w.Header().Set("RateLimit-Limit", strconv.Itoa(l.Burst()))
	w.Header().Set("RateLimit-Remaining", strconv.Itoa(int(l.Tokens(name, now))))
	w.Header().Set("RateLimit-Reset", wholeSeconds(l.UntilFull(name, now)))
}

// RetryAfter sets the header for a caller whose bucket is empty: when the next token comes,
// in whole seconds.
func RetryAfter[Name comparable](w http.ResponseWriter, l *limit.Limiter[Name]) {
	w.Header().Set("Retry-After", wholeSeconds(max(time.Second, l.Interval())))
}

func wholeSeconds(d time.Duration) string { return strconv.Itoa(int(math.Ceil(d.Seconds()))) }
