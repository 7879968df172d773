package activities

import (
	"context"
	"maps"
	"sync"
	"time"
)

const (
	// firstAttemptSlots is how many first attempts are made at once by this process, in
	// all, and at one authority.
	firstAttemptSlots, AuthoritySlots = 128, 96

	// SlowCall is the time above which a call is so slow that the next ones are made by
	// normal activities: a workflow task should end within ten seconds.
	SlowCall = 4 * time.Second

	// patience is how long a first attempt waits for a slot: longer than most calls take.
	// Waiting so long is far cheaper than a normal activity.
	patience = 500 * time.Millisecond

	// rest is how long no first attempt is made at a target where one was slow or failed.
	rest = 10 * time.Second
)

// FirstAttempts limits the calls that are made within workflow tasks, and allows none to a
// target where one has just been slow or failed: those are made by normal activities from
// the beginning, so that an authority or a receiver that hangs delays nothing else.
type FirstAttempts struct {
	mu      sync.Mutex
	taken   int
	slots   map[string]int       // taken, by target
	resting map[string]time.Time // until when, by target
	freed   chan struct{}        // closed, and replaced, when a slot may be there
}

// NewFirstAttempts makes the slots of a process.
func NewFirstAttempts() *FirstAttempts {
	return &FirstAttempts{slots: map[string]int{}, resting: map[string]time.Time{}, freed: make(chan struct{})}
}

// Take takes a slot for a call to a target, of which at most so many may be under way, and waits a moment for one. A
// caller that gets one must call Done.
func (f *FirstAttempts) Take(ctx context.Context, target string, most int) bool {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		taken, freed := f.try(target, most)
		if taken || freed == nil {
			return taken
		}
		select {
		case <-ctx.Done():
			return false
		case <-freed:
		}
	}
}

// try takes a slot that is free. Where there may be one soon it returns a channel that is
// closed then; nil where the target rests.
func (f *FirstAttempts) try(target string, most int) (taken bool, freed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if until, resting := f.resting[target]; resting {
		if time.Now().Before(until) {
			return false, nil
		}
		delete(f.resting, target)
	}
	if f.taken >= firstAttemptSlots || f.slots[target] >= most {
		return false, f.freed
	}
	f.taken++
	f.slots[target]++
	return true, nil
}

// Done gives a slot back; after a slow or failed call its target rests.
func (f *FirstAttempts) Done(target string, took time.Duration, failed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.taken--
	if f.slots[target]--; f.slots[target] == 0 {
		delete(f.slots, target)
	}
	close(f.freed)
	f.freed = make(chan struct{})
	if !failed && took <= SlowCall {
		return
	}
	now := time.Now()
	maps.DeleteFunc(f.resting, func(_ string, until time.Time) bool { return now.After(until) })
	f.resting[target] = now.Add(rest)
}
