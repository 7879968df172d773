package exchange

import (
	"slices"
	"sync"
	"time"

	"emissor/nfse"
)

const (
	// placesInLine is how many attempts of this process wait for the turn of a series without
	// ending, so that the next is ready when a turn ends. The others end, and come back later.
	placesInLine = 6
	// startsInLine is how many first attempts of an organization stand in line before no further
	// note of it is started: enough for the next to be ready, few enough that each has its turn
	// soon, and that there is a place for those that were being started meanwhile.
	startsInLine = 2
	// placeRefused is for how long none is started after one that found no place, and placesKnown
	// for how long no more than startsInLine are.
	placeRefused, placesKnown = 5 * time.Second, 10 * time.Second
	// placesInLines is the most of all series: half of the exchanges that are transmitted at
	// once (package worker), so that the others can send.
	placesInLines = 128
)

// Lines are the turns of series as this process knows them, to save queries. Who has a turn
// the database decides.
type Lines struct {
	mu       sync.Mutex
	bySeries map[nfse.SeriesKey]*line
	waiting  int               // in all lines
	starts   map[string]starts // by organization
}

// starts are the first attempts of an organization's notes.
type starts struct {
	inLine  int
	refused time.Time // when one found no place
}

// line is of a series under which this process sends or waits.
type line struct {
	waiting []*turnTaker  // the first one tries
	sending bool          // a turn was taken here and has not ended
	changed chan struct{} // closed, and replaced, when another one may try
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

// join gives a first attempt a place at the end of the line, if one is free.
func (t *Lines) join(series nfse.SeriesKey, who *turnTaker) (joined bool) {
	joined = t.enter(series, who)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.starts == nil {
		t.starts = map[string]starts{}
	}
	of := t.starts[who.starts]
	if joined {
		of.inLine++
	} else {
		of.refused = time.Now()
	}
	t.starts[who.starts] = of
	return joined
}

// Places returns how many more notes of an organization may be started, for each of which first
// attempts stand in line, or found no place a moment ago: others of its would only wait.
func (t *Lines) Places() map[string]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	places := map[string]int{}
	for organization, of := range t.starts {
		switch refused := time.Since(of.refused); {
		case refused < placeRefused:
			places[organization] = 0
		case of.inLine == 0 && refused > placesKnown:
			delete(t.starts, organization)
		default:
			places[organization] = max(0, startsInLine-of.inLine)
		}
	}
	return places
}

func (t *Lines) leave(series nfse.SeriesKey, who *turnTaker) {
	t.change(series, func(l *line) {
		if at := slices.Index(l.waiting, who); at >= 0 {
			l.waiting = slices.Delete(l.waiting, at, at+1)
			t.waiting--
			if of, starts := t.starts[who.starts]; starts {
				of.inLine--
				t.starts[who.starts] = of
			}
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
