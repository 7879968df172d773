package main

import (
	"slices"
	"time"
)

// order is how far notes were overtaken that waited together.
type order struct {
	notes  int           // of the largest group
	drain  time.Duration // of that group, from the first end to the last
	spread time.Duration // the most by which an older note ended after a newer one, of any group
	bound  time.Duration
}

const (
	// fewest notes show an order: below, everything is in flight at once.
	fewest = 30
	// mostSpread is the bound of a long drain; of a short one it is half of it.
	mostSpread = 30 * time.Second
)

// waited is a note that waited, untouched, with others of its organization.
type waited struct{ created, ended time.Time }

// checkOrder looks at notes that nobody had touched when the last fault was over: sandbox notes of which all take
// equally long. A note that waits in one queue can be overtaken by what is in flight at the same time, and by no
// more. Taken newest first, the oldest is overtaken by all: by all their time together, which is more than half.
func (f *findings) checkOrder(untouched map[string]bool) order {
	groups := map[string][]waited{}
	for id := range untouched {
		note := f.notes[id]
		ended := note.endedAt()
		if note.Scenario == "slow" || note.Pending || note.RequestedAt != nil || ended == nil {
			continue // it waits for something else as well, or never ended
		}
		groups[note.OrganizationID] = append(groups[note.OrganizationID], waited{note.CreatedAt, *ended})
	}
	var found order
	for organization, notes := range groups {
		spread, drain := spreadOf(notes)
		bound := max(f.system.options.spread, min(drain/2, mostSpread))
		if len(notes) > found.notes {
			found.notes, found.drain, found.bound = len(notes), drain, bound
		}
		found.spread = max(found.spread, spread)
		if len(notes) >= fewest && spread > bound {
			f.violate(oldestFirst, "of %d notes of %s that drained in %s, one ended %s after a newer one (bound %s)",
				len(notes), organization, drain.Round(time.Millisecond), spread.Round(time.Millisecond), bound)
		}
	}
	f.checked(oldestFirst, found.notes, "notes waited; the spread is %s, the bound %s",
		found.spread.Round(time.Millisecond), found.bound.Round(time.Millisecond))
	return found
}

// spreadOf is the most by which a note ended after one that was accepted later, and
// how long all took.
func spreadOf(notes []waited) (spread, drain time.Duration) {
	slices.SortFunc(notes, func(a, b waited) int { return a.created.Compare(b.created) })
	first := slices.MinFunc(notes, func(a, b waited) int { return a.ended.Compare(b.ended) }).ended
	earliest := time.Time{} // end of those accepted later
	for _, n := range slices.Backward(notes) {
		if !earliest.IsZero() {
			spread = max(spread, n.ended.Sub(earliest))
		}
		if earliest.IsZero() || n.ended.Before(earliest) {
			earliest = n.ended
		}
		drain = max(drain, n.ended.Sub(first))
	}
	return spread, drain
}
