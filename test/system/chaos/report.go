package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// report is what a run found.
type report struct {
	options   options
	began     time.Time
	lastFault time.Time // when it was over
	faults    map[string]int
	samples   []backlog // from the last fault on

	startsBefore, startsAfter starts // before and after the last fault was over

	notes    map[string]int // by how they ended
	answers  map[string]int
	issued   int             // documents at the authority
	first    time.Duration   // from the last fault to the first note that ended
	ages     []time.Duration // of all notes when they ended, sorted
	order    order
	verdicts verdicts
}

// violated are the invariants that do not hold.
func (r report) violated() (names []string) {
	for _, m := range meanings {
		if v := r.verdicts[m.invariant]; v != nil && len(v.violations) > 0 {
			names = append(names, m.invariant)
		}
	}
	return names
}

// describe takes from the findings what the table shows of them.
func (r *report) describe(f *findings) {
	r.notes = map[string]int{}
	for _, note := range f.notes {
		r.notes[environment(note.Livemode)+" "+note.Status]++
		ended := note.endedAt()
		if ended == nil {
			continue
		}
		r.ages = append(r.ages, ended.Sub(note.CreatedAt))
		if !ended.After(r.lastFault) {
			continue
		}
		if after := ended.Sub(r.lastFault); r.first == 0 || after < r.first {
			r.first = after
		}
	}
	slices.Sort(r.ages)
}

// age is the age of a share of the notes, at most, when they ended.
func (r report) age(share float64) time.Duration {
	if len(r.ages) == 0 {
		return 0
	}
	return r.ages[int(share*float64(len(r.ages)-1))].Round(time.Millisecond)
}

// emptied is how long after the last fault nothing was open any more; ok is false
// when something was, at the bound.
func (r report) emptied() (after time.Duration, ok bool) {
	if len(r.samples) == 0 {
		return 0, false
	}
	last := r.samples[len(r.samples)-1]
	return last.At.Sub(r.lastFault), last.empty()
}

// mostViolations are shown of each invariant.
const mostViolations = 5

// table is the whole report as text.
func (r report) table() string {
	var text strings.Builder
	out := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	row := func(name, format string, arguments ...any) {
		fmt.Fprintf(out, "  %s\t%s\n", name, fmt.Sprintf(format, arguments...))
	}
	fmt.Fprintf(out, "\nchaos: seed %d\n", r.options.seed)
	row("notes", "%d, of which %s; %d documents at the authority", r.options.notes, counts(r.notes), r.issued)
	row("requests", "%s", counts(r.answers))
	total := 0
	for _, n := range r.faults {
		total += n
	}
	row("faults", "%d: %s", total, counts(r.faults))
	row("from the first note to the last fault", "%s", r.lastFault.Sub(r.began).Round(time.Second))
	row("from accepting a note to its end", "half within %s, 99 %% within %s, the longest %s", r.age(0.5), r.age(0.99),
		r.age(1))
	row("failed starts until then", "%.1f %% of %.0f", r.startsBefore.failedShare(), r.startsBefore.total())
	row("failed starts after it", "%.1f %% of %.0f", r.startsAfter.failedShare(), r.startsAfter.total())
	r.drainRows(row)
	row("order", "of %d notes that waited the oldest first, within %s (bound %s)", r.order.notes,
		r.order.spread.Round(time.Millisecond), r.order.bound.Round(time.Millisecond))
	fmt.Fprintln(out, "\ninvariants")
	for _, m := range meanings {
		v := r.verdicts[m.invariant]
		outcome := "ok"
		if len(v.violations) > 0 {
			outcome = fmt.Sprintf("VIOLATED %d times", len(v.violations))
		}
		row(m.invariant, "%s\t%d %s", outcome, v.checked, v.detail)
	}
	_ = out.Flush() // into memory
	for _, m := range meanings {
		violations := r.verdicts[m.invariant].violations
		if len(violations) == 0 {
			continue
		}
		fmt.Fprintf(&text, "\n%s: %s\n", m.invariant, m.meaning)
		for _, violation := range violations[:min(len(violations), mostViolations)] {
			fmt.Fprintf(&text, "  %s\n", violation)
		}
		if more := len(violations) - mostViolations; more > 0 {
			fmt.Fprintf(&text, "  and %d more\n", more)
		}
	}
	return text.String()
}

// drainStep is how often the rate of draining is shown.
const drainStep = 30 * time.Second

// drainRows show how the backlog drained.
func (r report) drainRows(row func(name, format string, arguments ...any)) {
	if len(r.samples) == 0 {
		return
	}
	start := r.samples[0]
	row("open at the last fault", "%s", start)
	row("the first note ended after", "%.1f s", r.first.Seconds())
	if after, ok := r.emptied(); ok {
		row("nothing was open after", "%.1f s", after.Seconds())
	} else {
		row("nothing was open after", "never: %s after %s", r.samples[len(r.samples)-1], after.Round(time.Second))
	}
	previous := start
	for i, sample := range r.samples {
		seconds := sample.At.Sub(previous.At).Seconds()
		if last := i == len(r.samples)-1; seconds < drainStep.Seconds() && !last || seconds == 0 {
			continue
		}
		row(fmt.Sprintf("drained until %.0f s", sample.At.Sub(r.lastFault).Seconds()),
			"%.1f notes/s and %.1f deliveries/s; then open: %s", float64(sample.Ended-previous.Ended)/seconds,
			float64(sample.Delivered-previous.Delivered)/seconds, sample)
		previous = sample
	}
}

func counts(of map[string]int) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%d %s", of[name], name))
	}
	return strings.Join(parts, ", ")
}
