package exchange

import (
	"testing"

	"emissor/nfse"
)

// Those of a process who wait for a turn try in the order in which they came, while
// nobody of it sends; a few of each series, and not too many in all.
func TestLines(t *testing.T) {
	var all Lines
	series := nfse.SeriesKey{Series: 1}
	var who [placesInLine + 1]turnTaker
	for i := range who {
		if entered := all.enter(series, &who[i]); entered != (i < placesInLine) {
			t.Errorf("the place %d: %v", i+1, entered)
		}
	}
	expect := func(i int, expected bool) (changed <-chan struct{}) {
		t.Helper()
		mine, changed := all.look(series, &who[i])
		if mine != expected {
			t.Errorf("that it is for %d to try is %v", i+1, mine)
		}
		return changed
	}
	changed := expect(0, true)
	expect(1, false)
	all.leave(series, &who[0])
	all.begin(series)
	<-changed
	if other := (nfse.SeriesKey{Series: 2}); all.begin(series) || !all.begin(other) {
		t.Error("who sends is not known")
	} else {
		all.end(other)
	}
	changed = expect(1, false)
	all.end(series)
	<-changed
	expect(1, true)
	for i := range who[1:] {
		all.leave(series, &who[i+1])
	}
	if len(all.bySeries) != 0 || all.waiting != 0 {
		t.Errorf("%d lines are left, and %d in them", len(all.bySeries), all.waiting)
	}
	for i := range placesInLines + 1 {
		if entered := all.enter(nfse.SeriesKey{Series: i}, &who[0]); entered != (i < placesInLines) {
			t.Errorf("the place %d of all: %v", i+1, entered)
		}
	}
}
