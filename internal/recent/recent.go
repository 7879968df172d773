// Package recent remembers for a while what has just been seen, or was used last:
//
//	seen := recent.NewSet[string](time.Hour, 10_000)
//	seen.Add("one", now)
//	seen.Has("one", now) // for an hour
//
// Set and Cache are bounded, because unauthenticated input and any number of companies may end up in them. Forgetting
// early must therefore be harmless. Neither is ever emptied because it is full: what was used longest ago makes room.
package recent

import "time"

// Set holds what was added within its lifetime, and no more than its bound. It is
// safe for concurrent use.
type Set[K comparable] struct {
	lifetime time.Duration
	added    *Cache[K, time.Time]
}

// NewSet makes a Set of at most so many elements, each forgotten after its lifetime.
func NewSet[K comparable](lifetime time.Duration, most int) *Set[K] {
	return &Set[K]{lifetime: lifetime, added: NewCache[K, time.Time](most)}
}

// Has reports whether the element was added within the lifetime before now.
func (s *Set[K]) Has(element K, now time.Time) bool {
	added, found := s.added.Get(element)
	return found && now.Sub(added) < s.lifetime
}

// Add adds the element, or begins its lifetime again.
func (s *Set[K]) Add(element K, now time.Time) { s.added.Put(element, now) }

// Remove forgets the element.
func (s *Set[K]) Remove(element K) { s.added.Remove(element) }
