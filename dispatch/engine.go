package dispatch

import (
	"context"
	"sync"
	"time"
)

// engine is whether the workflow engine takes starts. While it does not, one start at
// a time finds out when it does again, and the rows lose nothing but that time.
type engine struct {
	mu       sync.Mutex
	failures int // since it answered last
	tryAfter time.Time
	last     error
}

func (e *engine) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures = 0
}

func (e *engine) failed(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failures++
	e.last = err
	e.tryAfter = time.Now().Add(engineAway.After(e.failures))
}

// away reports that the last start was not taken.
func (e *engine) away() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.failures > 0
}

// reason is why it was not.
func (e *engine) reason() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.last.Error()
}

// wait returns when the next start may be tried, or false when ctx ends before.
func (e *engine) wait(ctx context.Context) bool {
	e.mu.Lock()
	pause := time.Until(e.tryAfter)
	if e.failures == 0 {
		pause = 0
	}
	e.mu.Unlock()
	if pause <= 0 {
		return ctx.Err() == nil
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
