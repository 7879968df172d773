package dispatch

import (
	"sync"
	"time"

	"emissor/store"
)

// severalRows have to time out, with no answer in between, before the engine is said to be
// away: one row may take for ever by itself.
const severalRows = 3

// engine is whether the workflow engine takes starts. While it does not, few starts at a
// time find out when it does again, each of another row.
type engine struct {
	mu       sync.Mutex
	failures int // to reach it, since it answered last
	tryAfter time.Time
	reason   string

	answeredStart time.Time           // begin of the latest start that was answered
	timedOut      map[int64]bool      // rows whose start timed out since then
	probing       int                 // probes under way
	probed        map[int64]time.Time // rows by which it was tried since it answered last, and when
}

// answered says that a start which began then was answered.
func (e *engine) answered(began time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures = 0
	if began.After(e.answeredStart) {
		e.answeredStart = began
	}
	e.timedOut, e.probed = nil, nil
}

// answeredSince reports whether a start that began later than a moment was answered: one
// that began then, and was not, takes long for a reason of its own.
func (e *engine) answeredSince(moment time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.answeredStart.After(moment)
}

// failed says that the engine did not take a start, for a reason that is the engine's.
func (e *engine) failed(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures++
	e.reason = reason
	e.tryAfter = time.Now().Add(engineAway.After(e.failures))
}

// timesOut says that the start of a row timed out, and reports whether it is one of
// several rows, with no answer in between.
func (e *engine) timesOut(row int64) (several bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timedOut == nil {
		e.timedOut = map[int64]bool{}
	}
	e.timedOut[row] = true
	return len(e.timedOut) >= severalRows
}

// away reports that the engine takes no starts, as far as is known.
func (e *engine) away() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failures > 0
}

// beginProbe reports whether it is time to try whether the engine is back. Who tries it
// calls endProbe. Probes that take long do not keep the next one from being made, but
// make it later: a row that takes for ever is not the only one that is tried, and an
// engine that hangs does not get many.
func (e *engine) beginProbe() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Now().Before(e.tryAfter) {
		return false
	}
	e.probing++
	e.tryAfter = time.Now().Add(time.Duration(e.probing) * engineAway.Max)
	return true
}

func (e *engine) endProbe() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.probing--
}

// chooseProbe chooses the row by which the engine is tried: the one that has not been
// for the longest. Rows take turns, so that a bad one is never the only one that is tried.
func (e *engine) chooseProbe(rows []store.Start) (chosen store.Start, others []store.Start) {
	e.mu.Lock()
	defer e.mu.Unlock()
	first := 0
	for i, row := range rows {
		if e.probed[row.ID].Before(e.probed[rows[first].ID]) {
			first = i
		}
	}
	if e.probed == nil {
		e.probed = map[int64]time.Time{}
	}
	e.probed[rows[first].ID] = time.Now()
	for i, row := range rows {
		if i != first {
			others = append(others, row)
		}
	}
	return rows[first], others
}

// why is the reason for which the engine is away.
func (e *engine) why() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.reason
}
