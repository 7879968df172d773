package limit

import (
	"fmt"
	"testing"
	"time"
)

func TestLimiter_Fills(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := New[string](2, 4)
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
	limiter.GiveBack("key", start.Add(time.Hour))
	if !take(time.Hour) || take(time.Hour) {
		t.Error("given back is not one token")
	}
	for range 3 {
		limiter.GiveBack("key", start.Add(2*time.Hour)) // full already
	}
	if tokens := limiter.Tokens("key", start.Add(2*time.Hour)); tokens != 4 {
		t.Errorf("a full bucket has %v tokens", tokens)
	}
}

func TestLimiter_ForgetsFullBuckets(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := New[string](1, 1)
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
	limiter := New[string](1, 1)
	for i := range sweepAtLeast + 1 { // none of them is full
		limiter.Allow(fmt.Sprint(i), start)
	}
	if limiter.sweepAt < 2*sweepAtLeast {
		t.Errorf("with %d buckets in use, the next sweep is at %d", len(limiter.buckets), limiter.sweepAt)
	}
}

func TestLimiter_Spare(t *testing.T) {
	start := time.Date(2026, 8, 24, 12, 0, 0, 0, time.UTC)
	limiter := New[string](10, 10)
	spare := 0
	for limiter.AllowSpare("name", start) {
		spare++
	}
	if rest := limiter.Below(10, start); spare != 5 || rest["name"] != 5 || len(rest) != 1 {
		t.Errorf("%d tokens were spare, and %v are left", spare, rest)
	}
	for range 5 {
		if !limiter.Allow("name", start) {
			t.Fatal("what was kept cannot be had")
		}
	}
	if limiter.Allow("name", start) || limiter.Below(1, start)["name"] != 0 {
		t.Error("the bucket is not empty")
	}
	if one := New[string](1, 1); !one.AllowSpare("name", start) || one.AllowSpare("name", start) {
		t.Error("a bucket of one token has one to spare")
	}
	var none *Limiter[string]
	if !none.AllowSpare("name", start) || len(none.Below(1, start)) != 0 {
		t.Error("no limiter limits")
	}
}
