//go:build planted

package main

import (
	"maps"
	"slices"
	"testing"
	"time"

	"emissor/internal/harness"
	"emissor/internal/planted"
)

// plantedRun is how a bug shows: in a small run, under what makes it matter.
type plantedRun struct {
	violates string
	under    func(*options)
	raced    bool // it takes a race, which one run may miss
}

// plantedRuns has one for each bug that is planted.
var plantedRuns = map[string]plantedRun{
	"outbox-row-skipped":       {violates: acceptedEnds},
	"replay-makes-second-note": {violates: oneNotePerReference},
	"replay-ignores-body":      {violates: replaysChangeNothing},
	"cancelled-first-ignored": {violates: cancelledFirst, raced: true, under: func(o *options) {
		// Between the begin and the end of a note there is little time to cancel it.
		o.notes, o.arrival, o.moment = 200, 14*time.Second, 100*time.Millisecond
		o.live, o.cancelled = 0, 1
	}},
	"settled-twice": {violates: oneEventPerEnd, under: func(o *options) {
		o.prepare = `ALTER TABLE events DROP CONSTRAINT events_note_id_type_key`
		o.bound = time.Minute
	}},
	"event-forgotten":               {violates: oneEventPerEnd},
	"event-not-sent":                {violates: eventsReceived},
	"event-bytes-differ":            {violates: identicalBytes},
	"event-to-another-organization": {violates: organizationsApart},
	"fence-not-raised":              {violates: authorityAgrees, under: authorityLoses},
	"resent-without-asking":         {violates: neverSentAgain, under: authorityLoses},
	"outbox-row-kept":               {violates: nothingOpen},
	"poison-row-stops-others":       {violates: acceptedEnds, under: func(o *options) { o.live, o.cancelled = 0, 0 }},
	"newest-first": {violates: oldestFirst, under: func(o *options) {
		o.notes, o.queue, o.spread, o.bound = 640, 600, 3*time.Second, time.Minute
	}},
}

// authorityLoses leaves live notes in doubt for seconds, in which they are
// cancelled.
func authorityLoses(o *options) {
	o.held, o.live, o.cancelled = []string{"authority-loses"}, 1, 1
}

// small is a run of some seconds without any fault of its own.
func small(t *testing.T, programs harness.Programs) options {
	o := defaults()
	o.notes, o.faults, o.organizations, o.storm = 60, 0, 2, false
	o.arrival, o.grace, o.bound = 5*time.Second, 3*time.Second, 20*time.Second
	o.dir, o.programs, o.log = t.TempDir(), programs, t.Logf
	return o
}

// Each planted bug violates its invariant, and no other one.
func TestPlanted(t *testing.T) {
	if !slices.Equal(slices.Sorted(maps.Keys(planted.Bugs)), slices.Sorted(maps.Keys(plantedRuns))) {
		t.Fatal("the bugs that are planted and those that are looked for are not the same")
	}
	programs, err := harness.Build(t.Context(), t.TempDir(), "planted")
	if err != nil {
		t.Fatal(err)
	}
	for bug, expected := range plantedRuns {
		t.Run(bug, func(t *testing.T) {
			t.Parallel()
			o := small(t, programs)
			o.environment = []string{"EMISSOR_PLANTED=" + bug}
			if expected.under != nil {
				expected.under(&o)
			}
			result, err := run(t.Context(), o)
			for again := 0; again < 2 && expected.raced && err == nil && len(result.violated()) == 0; again++ {
				result, err = run(t.Context(), o)
			}
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: seen %d times", bug, len(result.verdicts[expected.violates].violations))
			if got := result.violated(); !slices.Equal(got, []string{expected.violates}) {
				t.Errorf("%s violates %v, not %s alone%s", bug, got, expected.violates, result.table())
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
