package api

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	healthTimeout    = time.Second // how long the database may take to say that it is there
	healthRemembered = time.Second // how long what it said is repeated
)

// health depends on the database, which a 202 needs, and never on the workflow
// engine, which it does not.
func (a *API) health(w http.ResponseWriter, _ *http.Request) error {
	if err := a.database.check(time.Now); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

// databaseCheck asks whether the database answers, for everybody who wants to
// know within a second: nobody needs a key for it.
type databaseCheck struct {
	ping func(context.Context) error

	mu    sync.Mutex
	asked time.Time
	err   error
}

// check returns what the database says, or has just said. Who comes while it is
// asked waits for that answer.
func (c *databaseCheck) check(now func() time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now().Sub(c.asked) >= healthRemembered {
		c.err = c.ask()
		c.asked = now()
	}
	return c.err
}

func (c *databaseCheck) ask() error {
	ctx, cancel := context.WithTimeout(context.Background(), healthTimeout)
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
