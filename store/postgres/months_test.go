package postgres

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The periods in which a list is read are its own, without a gap and in order; the first is of a month or two.
func TestPeriod_Periods(t *testing.T) {
	moment := rapid.Map(rapid.Int64Range(-400, 40), func(weeks int64) time.Time {
		return time.Now().Add(time.Duration(weeks) * 7 * 24 * time.Hour)
	})
	open := rapid.Just(time.Time{})
	rapid.Check(t, func(t *rapid.T) {
		of := Period{rapid.OneOf(open, moment).Draw(t, "since"), rapid.OneOf(open, moment).Draw(t, "until")}
		if !of.since.IsZero() && !of.until.IsZero() && of.until.Before(of.since) {
			of.since, of.until = of.until, of.since
		}
		oldestFirst := rapid.Bool().Draw(t, "oldest first")
		periods := of.Periods(oldestFirst)
		inOrder := periods
		if !oldestFirst {
			inOrder = nil
			for _, one := range periods {
				inOrder = append([]Period{one}, inOrder...)
			}
		}
		at := of.since
		for _, one := range inOrder {
			if one.since != at || !one.until.IsZero() && one.until.Before(one.since) {
				t.Fatalf("%v is read in %v", of, periods)
			}
			at = one.until
		}
		if at != of.until || len(periods) > 3 {
			t.Fatalf("%v is read in %v", of, periods)
		}
		if first := periods[0]; len(periods) > 1 {
			begins, ends := first.since, first.until
			if ends.IsZero() {
				ends = time.Now()
			}
			if ends.Sub(begins) > 62*24*time.Hour {
				t.Fatalf("%v is read in %v", of, periods)
			}
		}
	})
}
