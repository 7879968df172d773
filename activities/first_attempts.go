package activities

import (
	"maps"
	"sync"
	"time"
)

const (
	// firstAttemptSlots is how many first attempts are made at once by this process, in
	// all, and at one authority.
	firstAttemptSlots, authoritySlots = 64, 32

	// slowCall is when a call is so slow that the next ones had better be normal
	// activities: a workflow task should end within ten seconds.
	slowCall = 4 * time.Second

	// rest is how long no first attempt is made where one was slow or failed.
	rest = 10 * time.Second
)

// FirstAttempts lets few calls be made within a workflow task, and none where one
// has just been slow or failed: those are normal activities from the beginning, so
// that neither an authority nor a receiver that hangs holds up anything else.
type FirstAttempts struct {
	mu      sync.Mutex
	taken   int
	slots   map[string]int       // taken, by target
	resting map[string]time.Time // until when, by target
}

// NewFirstAttempts makes the slots of a process.
func NewFirstAttempts() *FirstAttempts {
	return &FirstAttempts{slots: map[string]int{}, resting: map[string]time.Time{}}
}

// take takes a slot for a call to a target, of which so many may be under way.
// Whoever gets one calls done.
func (f *FirstAttempts) take(target string, most int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if until, resting := f.resting[target]; resting {
		if time.Now().Before(until) {
			return false
		}
		delete(f.resting, target)
	}
	if f.taken >= firstAttemptSlots || f.slots[target] >= most {
		return false
	}
	f.taken++
	f.slots[target]++
	return true
}

// done gives a slot back, and says how the call went.
func (f *FirstAttempts) done(target string, took time.Duration, failed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.taken--
	if f.slots[target]--; f.slots[target] == 0 {
		delete(f.slots, target)
	}
	if !failed && took <= slowCall {
		return
	}
	now := time.Now()
	maps.DeleteFunc(f.resting, func(_ string, until time.Time) bool { return now.After(until) })
	f.resting[target] = now.Add(rest)
}
