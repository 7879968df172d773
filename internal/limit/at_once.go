package limit

import "sync"

// AtOnce counts what is under way, by name.
type AtOnce[Name comparable] struct {
	most int // 0 is no limit

	mu    sync.Mutex
	names map[Name]int
}

// NewAtOnce makes a count of which so many of each name may be under way; 0 is no limit.
func NewAtOnce[Name comparable](most int) *AtOnce[Name] {
	return &AtOnce[Name]{most: most, names: map[Name]int{}}
}

// Begin counts one more, and says whether that is within the limit. Every caller calls End afterwards, within the
// limit or not.
func (a *AtOnce[Name]) Begin(name Name) (within bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.names[name]++
	return a.most == 0 || a.names[name] <= a.most
}

// End counts one less.
func (a *AtOnce[Name]) End(name Name) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.names[name]--; a.names[name] == 0 {
		delete(a.names, name)
	}
}

// UnderWay is how much is under way, of all names.
func (a *AtOnce[Name]) UnderWay() (all int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, ofName := range a.names {
		all += ofName
	}
	return all
}
