package dispatch

import (
	"sync"
	"time"

	"emissor/store/outbox"
)

// severalRows must time out, with no answer in between, before the engine counts as away:
// the start of a single row may hang because of the row.
const severalRows = 3

// engine is what is known of whether the workflow engine takes starts. While it does not, a
// few probes at a time find out when it does again, each with another row.
type engine struct {
	mu       sync.Mutex
	failures int // since it last answered
	tryAfter time.Time
	reason   string

	answeredStart time.Time           // begin of the latest start that was answered
	timedOut      map[int64]bool      // rows whose start timed out since then
	probing       int                 // probes under way
	probed        map[int64]time.Time // rows with which it was probed since it last answered, and when
}

// answered records that the engine answered a start which began then.
func (e *engine) answered(began time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures = 0
	if began.After(e.answeredStart) {
		e.answeredStart = began
	}
	e.timedOut, e.probed = nil, nil
}

// answeredSince reports whether a start that began after a moment was answered: then one that
// began at it, and has no answer, takes long for a reason of its own.
func (e *engine) answeredSince(moment time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.answeredStart.After(moment)
}

// failed records that the engine did not take a start, for a reason that is the engine's.
func (e *engine) failed(reason string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures++
	e.reason = reason
	e.tryAfter = time.Now().Add(engineAway.After(e.failures))
}

// timesOut records that the start of a row timed out, and reports whether several rows' did,
// with no answer in between.
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

// beginProbe reports whether it is time to probe whether the engine is back. After true the
// caller must call endProbe. Probes that take long delay the next one, but do not prevent
// it: so a row that hangs is not the only one tried, and an engine that hangs gets few.
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

// chooseProbe chooses the row with which the engine is probed: the one that was not used for
// the longest time, so that a row that can never be started is not the only one tried.
func (e *engine) chooseProbe(rows []outbox.Start) (chosen outbox.Start, others []outbox.Start) {
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
