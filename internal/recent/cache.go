package recent

import (
	"container/list"
	"sync"
)

// Cache keeps what was used last:
//
//	opened := recent.NewCache[string, *Opened](1000)
//	opened.Put("one", value)
//	value, found := opened.Get("one")
//
// What was used longest ago makes room, one by one. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	most int
	size func(V) int

	mu      sync.Mutex
	entries map[K]*list.Element // whose values are entry[K, V]
	order   *list.List          // used last first
	sizes   int                 // of all entries
}

type entry[K comparable, V any] struct {
	key   K
	value V
	size  int
}

// NewCache makes a Cache of at most so many values.
func NewCache[K comparable, V any](most int) *Cache[K, V] {
	return NewSizedCache[K](most, func(V) int { return 1 })
}

// NewSizedCache makes a Cache of values whose sizes together are at most so much. A larger one is not kept.
func NewSizedCache[K comparable, V any](most int, size func(V) int) *Cache[K, V] {
	return &Cache[K, V]{most: most, size: size, entries: map[K]*list.Element{}, order: list.New()}
}

// Get returns the value of a key, and counts as its use.
func (c *Cache[K, V]) Get(key K) (value V, found bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, found := c.entries[key]
	if !found {
		return value, false
	}
	c.order.MoveToFront(element)
	return element.Value.(entry[K, V]).value, true
}

// Put keeps the value of a key, in place of the one before.
func (c *Cache[K, V]) Put(key K, value V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remove(c.entries[key])
	fresh := entry[K, V]{key, value, c.size(value)}
	if fresh.size > c.most {
		return
	}
	c.entries[key] = c.order.PushFront(fresh)
	for c.sizes += fresh.size; c.sizes > c.most; {
		c.remove(c.order.Back())
	}
}

// Remove forgets a key, and reports whether it was kept.
func (c *Cache[K, V]) Remove(key K) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, found := c.entries[key]
	c.remove(element)
	return found
}

// Clear forgets everything, because it may not be true any more.
func (c *Cache[K, V]) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.entries)
	c.order.Init()
	c.sizes = 0
}

// Len is how many values are kept.
func (c *Cache[K, V]) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.entries)
}

// remove forgets an element, if there is one.
func (c *Cache[K, V]) remove(element *list.Element) {
	if element == nil {
		return
	}
	gone := c.order.Remove(element).(entry[K, V])
	delete(c.entries, gone.key)
	c.sizes -= gone.size
}
