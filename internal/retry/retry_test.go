package retry_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/internal/retry"
)

func TestBackoff(t *testing.T) {
	t.Run("DoublesUpToTheMaximum", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			initial := time.Duration(rapid.IntRange(1, 10_000).Draw(t, "initial")) * time.Millisecond
			backoff := retry.Backoff{Initial: initial,
				Max: initial * time.Duration(rapid.IntRange(1, 5000).Draw(t, "max"))}
			failures := rapid.IntRange(1, 200).Draw(t, "failures")
			expected := backoff.Max
			if failures <= 30 {
				expected = min(initial<<(failures-1), backoff.Max)
			}
			within(t, backoff.After(failures), expected, 0.1)
		})
	})
	t.Run("AtLeastWhatWasAskedFor", func(t *testing.T) {
		backoff := retry.Backoff{Initial: time.Second, Max: time.Minute}
		within(t, backoff.AtLeast(5*time.Minute, 3), 5*time.Minute, 0.1)
		within(t, backoff.AtLeast(time.Second, 3), 4*time.Second, 0.1)
	})
	t.Run("Total", func(t *testing.T) {
		backoff := retry.Backoff{Initial: time.Second, Max: 4 * time.Second}
		for failures, expected := range []time.Duration{0, time.Second, 3 * time.Second, 7 * time.Second,
			11 * time.Second} {
			if total := backoff.Total(failures); total != expected {
				t.Errorf("%d failures wait %s in all, not %s", failures, total, expected)
			}
		}
	})
	t.Run("JitterIsSpread", func(t *testing.T) {
		backoff := retry.Backoff{Initial: time.Hour, Max: time.Hour, Jitter: 0.5}
		var shorter, longer int
		for range 200 {
			switch pause := backoff.After(1); {
			case pause < time.Hour:
				shorter++
			case pause > time.Hour:
				longer++
			}
		}
		if shorter < 50 || longer < 50 {
			t.Errorf("%d pauses are shorter, %d longer", shorter, longer)
		}
	})
}

func TestDelays(t *testing.T) {
	delays := retry.Delays{time.Second, time.Minute}
	for failures, expected := range map[int]time.Duration{1: time.Second, 2: time.Minute, 9: time.Minute} {
		within(t, delays.After(failures), expected, 0.1)
	}
}

// No duration, however short or long, makes a pause that panics or turns negative.
func TestPauses_OfEveryDuration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pause := time.Duration(rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Min(0)).Draw(t, "pause"))
		later := retry.NotBefore(pause)
		if later < pause || float64(later) > 1.2*float64(pause)+1 {
			t.Errorf("%d ns became %d, which is not up to a fifth more", pause, later)
		}
		within(t, retry.WithJitter(pause), pause, 0.1001)
		if least := (retry.Backoff{}).AtLeast(pause, 1); least < pause {
			t.Errorf("%d ns that were asked for became %d", pause, least)
		}
	})
	for _, pause := range []time.Duration{0, 4, 1<<63 - 1} {
		if later := retry.NotBefore(pause); later < pause {
			t.Errorf("%d ns became %d", pause, later)
		}
	}
}

func TestNotBefore_IsSpread(t *testing.T) {
	different := map[time.Duration]bool{}
	for range 100 {
		different[retry.NotBefore(time.Hour)] = true
	}
	if len(different) < 50 {
		t.Errorf("100 pauses have %d lengths", len(different))
	}
}

func within(t interface{ Errorf(string, ...any) }, pause, expected time.Duration, share float64) {
	if difference := (pause - expected).Abs(); float64(difference) > share*float64(expected) {
		t.Errorf("the pause is %s, not about %s", pause, expected)
	}
}

func TestAsked(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-5": 0, "0": 0, " 7 ": 7 * time.Second, "901": 15 * time.Minute, "99999999999999999999": 0,
		"18446744073709551615": 0,
		"9223372036854775807":  15 * time.Minute, "Sat, 21 Nov 2026 12:01:00 GMT": time.Minute,
		"Sat, 21 Nov 2026 11:00:00 GMT": 0, "Sun, 22 Nov 2026 11:00:00 GMT": 15 * time.Minute,
	} {
		if got := retry.Asked(header, now, 15*time.Minute); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}
