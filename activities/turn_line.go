package activities

import (
	"slices"
	"sync"

	"emissor/nfse"
)

const (
	// placesInLine is how many attempts of this process wait for the turn of a series without
	// ending, so that the next is ready when a turn ends. The others end, and come back later.
	placesInLine = 6
	// startsInLine is how many first attempts in line there are of an organization before no
	// further note of it is started: enough for the next to be ready, few enough that each has
	// its turn soon. What was claimed meanwhile has a place as well.
	startsInLine = 2
	// placesInLines is the most of all series: half of the exchanges that are transmitted at
	// once (package worker), so that the others can send.
	placesInLines = 128
)

// Lines are the turns of series as this process knows them, to save queries. Who has a turn
// the database decides.
type Lines struct {
	mu       sync.Mutex
	bySeries map[nfse.SeriesKey]*line
	waiting  int // in all lines
}

// line is of a series under which this process sends or waits.
type line struct {
	waiting []*turnTaker  // the first one tries
	sending bool          // a turn was taken here and has not ended
	changed chan struct{} // closed, and made anew, when another one may try
}

// of returns the line of a series, which it makes if there is none.
func (t *Lines) of(series nfse.SeriesKey) *line {
	if t.bySeries == nil {
		t.bySeries = map[nfse.SeriesKey]*line{}
	}
	if t.bySeries[series] == nil {
		t.bySeries[series] = &line{changed: make(chan struct{})}
	}
	return t.bySeries[series]
}

// change changes a line, and makes those in it look again.
func (t *Lines) change(series nfse.SeriesKey, do func(*line)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.of(series)
	do(l)
	close(l.changed)
	l.changed = make(chan struct{})
	if len(l.waiting) == 0 && !l.sending {
		delete(t.bySeries, series)
	}
}

// enter gives a place at the end of the line, if one is free.
func (t *Lines) enter(series nfse.SeriesKey, who *turnTaker) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.waiting >= placesInLines || t.bySeries[series] != nil && len(t.bySeries[series].waiting) >= placesInLine {
		return false
	}
	l := t.of(series)
	l.waiting = append(l.waiting, who)
	t.waiting++
	return true
}

// Places returns how many more notes may be started to stand in line, for each organization of
// which some do that were just started: others of its would only wait.
func (t *Lines) Places() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	places := map[string]int{}
	for _, l := range t.bySeries {
		for _, who := range l.waiting {
			if who.starts == "" {
				continue
			}
			if _, known := places[who.starts]; !known {
				places[who.starts] = min(startsInLine, placesInLines-t.waiting)
			}
			places[who.starts] = max(0, places[who.starts]-1)
		}
	}
	return places
}

func (t *Lines) leave(series nfse.SeriesKey, who *turnTaker) {
	t.change(series, func(l *line) {
		if at := slices.Index(l.waiting, who); at >= 0 {
			l.waiting = slices.Delete(l.waiting, at, at+1)
			t.waiting--
		}
	})
}

// begin takes the turn of a series for one of this process, unless another has it, until end.
func (t *Lines) begin(series nfse.SeriesKey) (begun bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.of(series)
	begun = !l.sending
	l.sending = true
	return begun
}

func (t *Lines) end(series nfse.SeriesKey) { t.change(series, func(l *line) { l.sending = false }) }

// look reports whether this one is to try, and returns a channel that is closed when that may
// have changed.
func (t *Lines) look(series nfse.SeriesKey, who *turnTaker) (mine bool, changed <-chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.of(series)
	return !l.sending && slices.Index(l.waiting, who) == 0, l.changed
}
