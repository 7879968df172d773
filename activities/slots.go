package activities

import (
	"sync"
)

// Slots limits how many attempts of this process go to one endpoint, or are for one
// organization, at once, so that those that hang do not take all of the worker's slots.
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
