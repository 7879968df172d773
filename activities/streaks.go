package activities

import "sync"

// streaks count, for each row, how often something happened one time after the other. They are
// of this process: in another one a count begins anew.
type streaks struct {
	mu     sync.Mutex
	counts map[string]int // by row
}

// mostStreaks is how many rows are counted; above it all counts are cleared, and begin anew.
const mostStreaks = 10_000

// again counts that it happened to a row once more, and returns how often in a row.
func (s *streaks) again(row string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil || len(s.counts) >= mostStreaks {
		s.counts = map[string]int{}
	}
	s.counts[row]++
	return s.counts[row]
}

// end forgets a row's count, because it did not happen.
func (s *streaks) end(row string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.counts, row)
}
