//go:build planted

package main

import (
	"slices"
	"testing"
	"time"

	"emissor/test/harness"
)

// small is a run of some seconds without any fault of its own.
func small(t *testing.T, programs harness.Programs) options {
	o := defaults()
	o.notes, o.faults, o.organizations, o.storm = 60, 0, 2, false
	o.authorities = []string{national}
	o.arrival, o.grace, o.bound = 5*time.Second, 3*time.Second, 20*time.Second
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
			o := small(t, programs)
			o.environment = []string{plantedVariable + "=" + bug.name}
			if bug.under != nil {
				bug.under(&o)
			}
			result, err := run(t.Context(), o)
			for again := 0; again < 2 && bug.raced && err == nil && len(result.violated()) == 0; again++ {
				result, err = run(t.Context(), o)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: seen %d times", bug.name, len(result.verdicts[bug.violates].violations))
			got := slices.DeleteFunc(result.violated(), func(invariant string) bool { return invariant == bug.besides })
			if !slices.Equal(got, []string{bug.violates}) {
				t.Errorf("%s violates %v, not %s alone%s", bug.name, got, bug.violates, result.table())
			}
		})
	}
	t.Run("none", func(t *testing.T) { // and what is done to show them violates nothing by itself
		t.Parallel()
		o := small(t, programs)
		o.held, o.cancelled = []string{"network-slow", "authority-loses"}, 0.6
		o.notes, o.queue, o.spread, o.bound = 660, 600, 3*time.Second, 2*time.Minute
		result, err := run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(result.violated()) > 0 {
			t.Error(result.table())
		}
	})
}
