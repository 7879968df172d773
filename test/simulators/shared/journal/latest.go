package journal

import (
	"slices"
	"sync"
)

// most is how many are remembered.
const most = 100_000

// Latest remembers the last hundred thousand of what was added in this run. Its zero
// value is empty; its methods are safe for concurrent use.
type Latest[Record any] struct {
	mu   sync.Mutex
	kept []Record
}

// Add remembers a record.
func (l *Latest[Record]) Add(record Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= most {
		l.kept = slices.Delete(l.kept, 0, most/10)
	}
	l.kept = append(l.kept, record)
}

// All returns what is remembered, oldest first.
func (l *Latest[Record]) All() []Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.kept)
}
