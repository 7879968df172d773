package store

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The steps of a list are its period, without a gap and in order; the first is of a month or two.
func TestPeriod_Steps(t *testing.T) {
	moment := rapid.Map(rapid.Int64Range(-400, 40), func(weeks int64) time.Time {
		return time.Now().Add(time.Duration(weeks) * 7 * 24 * time.Hour)
	})
	open := rapid.Just(time.Time{})
	rapid.Check(t, func(t *rapid.T) {
		of := period{rapid.OneOf(open, moment).Draw(t, "since"), rapid.OneOf(open, moment).Draw(t, "until")}
		if !of.since.IsZero() && !of.until.IsZero() && of.until.Before(of.since) {
			of.since, of.until = of.until, of.since
		}
		oldestFirst := rapid.Bool().Draw(t, "oldest first")
		steps := of.steps(oldestFirst)
		inOrder := steps
		if !oldestFirst {
			inOrder = nil
			for _, step := range steps {
				inOrder = append([]period{step}, inOrder...)
			}
		}
		at := of.since
		for _, step := range inOrder {
			if step.since != at || !step.until.IsZero() && step.until.Before(step.since) {
				t.Fatalf("%v has the steps %v", of, steps)
			}
			at = step.until
		}
		if at != of.until || len(steps) > 3 {
			t.Fatalf("%v has the steps %v", of, steps)
		}
		if first := steps[0]; len(steps) > 1 {
			begins, ends := first.since, first.until
			if ends.IsZero() {
				ends = time.Now()
			}
			if ends.Sub(begins) > 62*24*time.Hour {
				t.Fatalf("%v has the steps %v", of, steps)
			}
		}
	})
}
