package recent

import (
	"sync"
	"testing"
)

// A full cache loses what was used longest ago, and nothing else.
func TestCache_MakesRoomOneByOne(t *testing.T) {
	cache := NewCache[int, string](3)
	for key, value := range []string{"zero", "one", "two"} {
		cache.Put(key, value)
	}
	if value, found := cache.Get(0); !found || value != "zero" {
		t.Fatalf("zero is %q, %v", value, found)
	}
	cache.Put(1, "again")
	cache.Put(3, "three") // 2 was used longest ago
	for key, expected := range map[int]string{0: "zero", 1: "again", 2: "", 3: "three"} {
		if value, found := cache.Get(key); value != expected || found != (expected != "") {
			t.Errorf("%d is %q, %v", key, value, found)
		}
	}
	if !cache.Remove(0) || cache.Remove(0) || cache.Len() != 2 {
		t.Errorf("%d are kept of two, or one was removed twice", cache.Len())
	}
	cache.Clear()
	if _, found := cache.Get(1); found || cache.Len() != 0 || cache.sizes != 0 {
		t.Errorf("%d of size %d are kept of none", cache.Len(), cache.sizes)
	}
	cache.Put(1, "anew")
	if value, _ := cache.Get(1); value != "anew" {
		t.Errorf("one is %q", value)
	}
}

func TestCache_Sizes(t *testing.T) {
	cache := NewSizedCache[string](10, func(text string) int { return len(text) })
	for _, text := range []string{"four", "threethree", "six666", "four", "more than ten"} {
		cache.Put(text, text)
		held := 0
		for element := cache.order.Front(); element != nil; element = element.Next() {
			held += len(element.Value.(entry[string, string]).value)
		}
		if held != cache.sizes || held > 10 || cache.Len() != cache.order.Len() {
			t.Errorf("after %q: %d bytes are kept and %d counted, %d keys", text, held, cache.sizes, cache.Len())
		}
	}
	if _, found := cache.Get("more than ten"); found || cache.Len() != 2 {
		t.Errorf("what is larger than the cache is kept, or took the place of others: %d are left of 2", cache.Len())
	}
}

func TestCache_ManyAtOnce(t *testing.T) {
	cache := NewCache[int, int](10)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 1000 {
				cache.Put(i%20, i%20)
				if value, found := cache.Get((i + worker) % 20); found && value != (i+worker)%20 {
					t.Errorf("%d is %d", (i+worker)%20, value)
				}
			}
		})
	}
	all.Wait()
	if cache.Len() != 10 {
		t.Errorf("%d are kept of at most 10", cache.Len())
	}
}
