// Package recent remembers for a while what has just been seen:
//
//	seen := recent.NewSet[string](time.Hour, 10_000)
//	seen.Add("one", now)
//	seen.Has("one", now) // for an hour
//
// A Set is bounded in number, because unauthenticated input may end up in it. Forgetting
// early must therefore be harmless.
package recent

import (
	"sync"
	"time"
)

// Set holds what was added within its lifetime, and no more than its bound. It is
// safe for concurrent use.
type Set[K comparable] struct {
	lifetime time.Duration
	most     int

	mu    sync.Mutex
	added map[K]time.Time
}

// NewSet makes a Set of at most so many elements, each forgotten after its lifetime.
func NewSet[K comparable](lifetime time.Duration, most int) *Set[K] {
	return &Set[K]{lifetime: lifetime, most: most, added: map[K]time.Time{}}
}

// Has reports whether the element was added within the lifetime before now.
func (s *Set[K]) Has(element K, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	added, found := s.added[element]
	return found && now.Sub(added) < s.lifetime
}

// Add adds the element, or begins its lifetime again.
func (s *Set[K]) Add(element K, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, found := s.added[element]; !found && len(s.added) >= s.most {
		s.makeRoom(now)
	}
	s.added[element] = now
}

// Remove forgets the element.
func (s *Set[K]) Remove(element K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.added, element)
}

// makeRoom forgets what is too old, and then any others until a tenth is free: not
// one at a time, since this looks at all of them.
func (s *Set[K]) makeRoom(now time.Time) {
	for element, added := range s.added {
		if now.Sub(added) >= s.lifetime {
			delete(s.added, element)
		}
	}
	for element := range s.added {
		if len(s.added) < s.most && len(s.added) <= s.most-s.most/10 {
			return
		}
		delete(s.added, element)
	}
}
