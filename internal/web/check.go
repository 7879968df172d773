package web

import (
	"context"
	"sync"
	"time"
)

const (
	checkTimeout    = time.Second // how long an answer may take
	checkRemembered = time.Second // how long an answer is repeated
)

// Check asks whether something, as the database, answers: once a second at most, as
// everybody may ask without a key or a session.
type Check struct {
	ping func(context.Context) error

	mu    sync.Mutex
	asked time.Time
	err   error
}

// NewCheck makes a check of what ping asks.
func NewCheck(ping func(context.Context) error) *Check { return &Check{ping: ping} }

// Ask returns the present answer, or the one of the last second. Calls that come while it
// is asked wait for that answer.
func (c *Check) Ask(now func() time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now().Sub(c.asked) >= checkRemembered {
		c.err = c.ask()
		c.asked = now()
	}
	return c.err
}

func (c *Check) ask() error {
	ctx, cancel := context.WithTimeout(context.Background(), checkTimeout)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- c.ping(ctx) }() // where the network is silent, the driver waits beyond ctx
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
