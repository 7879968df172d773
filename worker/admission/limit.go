package admission

import "time"

const (
	// The bounds of the limit: with the least a process still makes progress; more than
	// the most gained nothing on any engine that was measured.
	minLimit, maxLimit, firstLimit = 3, 64, 8

	// After a window of at least this time and this many tasks the limit may change.
	windowLength = 250 * time.Millisecond
	windowTasks  = 10
)

// DefaultLatency is how long the first task of a run may take, from before its start until
// its answer is stored, without being noticed.
const DefaultLatency = 300 * time.Millisecond

// limit is how many runs may be open: an eighth more after each window in which tasks
// were answered in good time and there were not enough permits, a fifth less after one in
// which they were late. good is an absolute time, the same for all processes: so those
// that share an engine come to share it evenly without knowing of each other, and none
// takes the latency at its start for normal.
type limit struct {
	good    time.Duration
	value   float64
	reached bool // in this window somebody waited for a permit

	began time.Time // of the window
	tasks int
	total time.Duration
}

func newLimit(good time.Duration) *limit { return &limit{good: good, value: firstLimit} }

func (l *limit) now() int { return int(l.value) }

// took counts a task that was answered, and moves the limit at the end of a window.
func (l *limit) took(latency time.Duration, now time.Time) {
	if l.tasks == 0 {
		l.began = now
	}
	l.tasks++
	l.total += latency
	if l.tasks < windowTasks || now.Sub(l.began) < windowLength {
		return
	}
	switch mean := l.total / time.Duration(l.tasks); {
	case mean > l.good:
		l.value = max(minLimit, l.value*4/5)
	case l.reached:
		l.value = min(maxLimit, l.value+max(1, l.value/8))
	}
	l.tasks, l.total, l.reached = 0, 0, false
}
