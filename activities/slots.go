package activities

import "sync"

// Slots caps how many attempts go to one endpoint, or are one organization's, at once
// from this process, so that what hangs there cannot hold every worker's slot.
type Slots struct {
	cap int

	mu    sync.Mutex
	taken map[string]int
}

// NewSlots makes slots with a cap for each target.
func NewSlots(capacity int) *Slots { return &Slots{cap: capacity, taken: map[string]int{}} }

func (s *Slots) take(target string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[target] >= s.cap {
		return false
	}
	s.taken[target]++
	return true
}

func (s *Slots) free(target string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[target]--; s.taken[target] == 0 {
		delete(s.taken, target)
	}
}
