package main

import (
	"sync"
	"time"

	"emissor/test/harness"
)

// supervised is a process that is started again when it ends by itself, as every
// deployment does it: it cannot start while the database is away.
type supervised struct {
	*harness.Part

	mu      sync.Mutex
	wanted  bool
	started time.Time

	closed chan struct{}
	ended  sync.WaitGroup
}

// restartPause is the least time between two starts.
const restartPause = 500 * time.Millisecond

// supervise starts a process and keeps it running.
func supervise(part *harness.Part) *supervised {
	s := &supervised{Part: part, closed: make(chan struct{})}
	s.up()
	s.ended.Go(func() {
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-s.closed:
				return
			case <-ticker.C:
				s.keepUp()
			}
		}
	})
	return s
}

func (s *supervised) keepUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted && !s.Running() && time.Since(s.started) >= restartPause {
		s.started = time.Now()
		_ = s.Start() // tried again
	}
}

// up starts it, and keeps it running from now on.
func (s *supervised) up() {
	s.mu.Lock()
	s.wanted, s.started = true, time.Time{}
	s.mu.Unlock()
	s.keepUp()
}

// down kills it, and does not start it again.
func (s *supervised) down() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wanted = false
	s.Kill()
}

func (s *supervised) close() {
	close(s.closed)
	s.ended.Wait()
	s.down()
}
