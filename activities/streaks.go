package activities

import (
	"sync"

	"emissor/internal/recent"
)

// Streaks count, for each row, how often something happened one time after the other. They are of this process:
// another one counts from the beginning.
type Streaks struct {
	mu     sync.Mutex
	counts *recent.Cache[string, int] // by row
}

// mostStreaks is how many rows are counted; above it the row that was counted longest ago is forgotten.
const mostStreaks = 10_000

// Again counts that it happened to a row once more, and returns how often in a row.
func (s *Streaks) Again(row string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = recent.NewCache[string, int](mostStreaks)
	}
	before, _ := s.counts.Get(row)
	s.counts.Put(row, before+1)
	return before + 1
}

// End forgets a row's count, because it did not happen.
func (s *Streaks) End(row string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts != nil {
		s.counts.Remove(row)
	}
}
