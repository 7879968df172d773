package web

import (
	"context"
	"sync"
	"time"
)

const (
	checkTimeout    = time.Second // how long what is asked may take to answer
	checkRemembered = time.Second // how long what it said is repeated
)

// Check asks whether something answers, as the database, for everybody who wants to
// know within a second: nobody needs a key or a session for it.
type Check struct {
	ping func(context.Context) error

	mu    sync.Mutex
	asked time.Time
	err   error
}

// NewCheck makes a check of what ping asks.
func NewCheck(ping func(context.Context) error) *Check { return &Check{ping: ping} }

// Ask returns what it says, or has just said. Who comes while it is asked waits for
// that answer.
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
