package web

import (
	"fmt"
	"net/http/httptest"
	"testing"
	"time"
)

func TestLimiter_Fills(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := NewLimiter(2, 4)
	take := func(after time.Duration) bool { return limiter.Allow("key", start.Add(after)) }
	for i := range 4 {
		if !take(0) {
			t.Fatalf("request %d of the burst was refused", i+1)
		}
	}
	for _, step := range []struct {
		after   time.Duration
		allowed bool
	}{
		{0, false}, {499 * time.Millisecond, false}, {500 * time.Millisecond, true}, {500 * time.Millisecond, false},
		{time.Second, true},
		{time.Hour, true}, {time.Hour, true}, {time.Hour, true}, {time.Hour, true}, {time.Hour, false},
	} {
		if allowed := take(step.after); allowed != step.allowed {
			t.Errorf("after %s: allowed is %v", step.after, allowed)
		}
	}
	if !limiter.Allow("another key", start) {
		t.Error("another key was refused")
	}
}

func TestLimiter_Headers(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := NewLimiter(100, 200)
	for range 150 {
		limiter.Allow("key", start)
	}
	for after, expected := range map[time.Duration]string{
		0: "200 50 2", 10 * time.Millisecond: "200 51 2", 500 * time.Millisecond: "200 100 1",
		2 * time.Second: "200 200 0", time.Hour: "200 200 0",
	} {
		w := httptest.NewRecorder()
		limiter.Describe(w, "key", start.Add(after))
		told := w.Header().Get("RateLimit-Limit") + " " + w.Header().Get("RateLimit-Remaining") + " " +
			w.Header().Get("RateLimit-Reset")
		if told != expected {
			t.Errorf("after %s: %s, expected %s", after, told, expected)
		}
	}
}

func TestLimiter_ForgetsFullBuckets(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := NewLimiter(1, 1)
	for i := range sweepAtLeast - 1 {
		limiter.Allow(fmt.Sprint("early ", i), start)
	}
	limiter.Allow("late", start.Add(time.Minute))
	limiter.Allow("later", start.Add(time.Minute)) // the map is at its bound: full buckets go
	if kept := len(limiter.buckets); kept != 2 {
		t.Errorf("%d buckets are kept", kept)
	}
	if limiter.Allow("late", start.Add(time.Minute)) {
		t.Error("an empty bucket was forgotten")
	}
}

func TestLimiter_SweepsSeldom(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := NewLimiter(1, 1)
	for i := range sweepAtLeast + 1 { // none of them is full
		limiter.Allow(fmt.Sprint(i), start)
	}
	if limiter.sweepAt < 2*sweepAtLeast {
		t.Errorf("with %d buckets in use, the next sweep is at %d", len(limiter.buckets), limiter.sweepAt)
	}
}
