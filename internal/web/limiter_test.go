package web

import (
	"net/http/httptest"
	"testing"
	"time"

	"emissor/internal/limit"
)

func TestDescribeLimit(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := limit.New[string](100, 200)
	for range 150 {
		limiter.Allow("key", start)
	}
	for after, expected := range map[time.Duration]string{
		0: "200 50 2", 10 * time.Millisecond: "200 51 2", 500 * time.Millisecond: "200 100 1",
		2 * time.Second: "200 200 0", time.Hour: "200 200 0",
	} {
		w := httptest.NewRecorder()
		DescribeLimit(w, limiter, "key", start.Add(after))
		told := w.Header().Get("RateLimit-Limit") + " " + w.Header().Get("RateLimit-Remaining") + " " +
			w.Header().Get("RateLimit-Reset")
		if told != expected {
			t.Errorf("after %s: %s, expected %s", after, told, expected)
		}
	}
}
