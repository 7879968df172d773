package mtls

import (
	"net/http"
	"testing"
	"time"
)

// A Date is of whole seconds, and of some moment between the request and its answer: only what lies
// outside is a clock that differs.
func TestTellClock(t *testing.T) {
	asked := time.Date(2026, 11, 26, 12, 0, 0, 900_000_000, time.UTC)
	answered := asked.Add(2 * time.Second)
	for name, c := range map[string]struct {
		theirs time.Time
		ahead  time.Duration
	}{
		"the same":             {asked, 0},
		"during the call":      {answered, 0},
		"an hour behind us":    {asked.Add(-time.Hour), time.Hour - 100*time.Millisecond},
		"an hour ahead of us":  {answered.Add(time.Hour), -time.Hour + 900*time.Millisecond},
		"the last second cut":  {asked.Add(-900 * time.Millisecond), 0},
		"a second before that": {asked.Add(-1900 * time.Millisecond), 900 * time.Millisecond},
	} {
		told := []time.Duration{}
		ctx := WithClock(t.Context(), func(ahead time.Duration) { told = append(told, ahead) })
		tellClock(ctx, asked, answered, c.theirs.Format(http.TimeFormat))
		if len(told) != 1 || told[0] != c.ahead {
			t.Errorf("%s: told %v, expected %s", name, told, c.ahead)
		}
		tellClock(ctx, asked, answered, "")
		tellClock(t.Context(), asked, answered, c.theirs.Format(http.TimeFormat))
		if len(told) != 1 {
			t.Errorf("%s: told without a Date, or somebody who did not ask", name)
		}
	}
}
