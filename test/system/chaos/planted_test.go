//go:build planted

package main

import (
	"slices"
	"testing"
	"time"

	"emissor/test/harness"
	"emissor/test/long"
)

// small is a run of some seconds without any fault of its own. It goes on until nothing is open, so that what a busy
// machine has not done yet is not taken for what a bug does.
func small(t *testing.T, programs harness.Programs) options {
	o := defaults()
	o.notes, o.faults, o.organizations, o.storm = 60, 0, 2, false
	o.authorities = []string{national}
	o.arrival, o.grace, o.bound = 5*time.Second, 3*time.Second, 5*time.Minute
	o.dir, o.programs, o.log = t.TempDir(), programs, t.Logf
	return o
}

// Each planted bug violates its invariant, and no other one.
func TestPlanted(t *testing.T) {
	programs, err := harness.Build(t.Context(), t.TempDir(), "-overlay", plant(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, bug := range bugs {
		t.Run(bug.name, func(t *testing.T) {
			t.Parallel()
			if bug.lasts || bug.raced {
				long.Only(t, "waits for what never ends by a planted bug, and repeats what takes a race")
			}
			o := small(t, programs)
			o.environment = []string{plantedVariable + "=" + bug.name}
			if bug.lasts {
				o.patience = time.Minute
			}
			if bug.under != nil {
				bug.under(&o)
			}
			var result report
			var got []string
			for try := 0; try == 0 || bug.raced && try < 4 && len(got) == 0; try++ {
				if try > 0 { // on a busy machine a note goes on only long after it was accepted
					o.moment = min(4*o.moment, o.arrival)
				}
				var err error
				if result, err = run(t.Context(), o); err != nil {
					t.Fatal(err)
				}
				got = slices.DeleteFunc(result.violated(), func(invariant string) bool {
					return slices.Contains(bug.besides, invariant)
				})
			}
			t.Logf("%s: seen %d times", bug.name, len(result.verdicts[bug.violates].violations))
			if !slices.Equal(got, []string{bug.violates}) {
				t.Errorf("%s violates %v, not %s alone%s", bug.name, got, bug.violates, result.table())
			}
		})
	}
	t.Run("none", func(t *testing.T) { // and what is done to show them violates nothing by itself
		t.Parallel()
		long.Only(t, "shows that without a planted bug nothing is violated: .ci/run has chaos itself for that")
		o := small(t, programs)
		o.held, o.cancelled = []string{"network-slow", "authority-loses"}, 0.6
		o.notes, o.queue, o.spread = 660, 600, 3*time.Second
		result, err := run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.violated()) > 0 {
			t.Error(result.table())
		}
	})
}
