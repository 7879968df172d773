package main

import (
	"slices"
	"sync"
	"time"
)

// durations are how long each of many things took. They may be added to by many
// at once.
type durations struct {
	mu  sync.Mutex
	all []time.Duration
}

func (d *durations) add(took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.all = append(d.all, took)
}

func (d *durations) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.all)
}

// at is the percentile: so many of a hundred took no longer.
func (d *durations) at(percentile int) time.Duration {
	d.mu.Lock()
	defer d.mu.Unlock()
	if len(d.all) == 0 {
		return 0
	}
	slices.Sort(d.all)
	return d.all[(len(d.all)-1)*percentile/100]
}
