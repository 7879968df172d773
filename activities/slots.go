package activities

import "sync"

// Slots caps how many attempts go to one endpoint at once from this process, so
// that a receiver that hangs cannot hold every worker's slot.
type Slots struct {
	cap int

	mu    sync.Mutex
	taken map[string]int
}

// NewSlots makes slots with a cap for each endpoint.
func NewSlots(capacity int) *Slots { return &Slots{cap: capacity, taken: map[string]int{}} }

func (s *Slots) take(endpoint string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[endpoint] >= s.cap {
		return false
	}
	s.taken[endpoint]++
	return true
}

func (s *Slots) free(endpoint string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[endpoint]--; s.taken[endpoint] == 0 {
		delete(s.taken, endpoint)
	}
}
