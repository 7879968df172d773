package activities

import "sync"

// streaks count, for each row, how often something happened one time after the other. They are
// of this process: in another one a count begins anew.
type streaks struct {
	mu  sync.Mutex
	row map[string]int
}

// mostStreaks is how many rows are counted; above it all counts are cleared, and begin anew.
const mostStreaks = 10_000

// again counts that it happened to a row once more, and returns how often in a row.
func (s *streaks) again(row string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.row == nil || len(s.row) >= mostStreaks {
		s.row = map[string]int{}
	}
	s.row[row]++
	return s.row[row]
}

// end forgets a row's count, because it did not happen.
func (s *streaks) end(row string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.row, row)
}
