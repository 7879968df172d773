package api

import (
	"context"
	"net/http"
	"time"
)

// healthTimeout is how long the database may take to say that it is there.
const healthTimeout = time.Second

// health depends on the database, which a 202 needs, and never on the workflow
// engine, which it does not.
func (a *API) health(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	answered := make(chan error, 1)
	go func() { answered <- a.store.Ping(ctx) }() // where the network is silent, the driver waits beyond ctx
	select {
	case err := <-answered:
		if err != nil {
			return err
		}
		return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	case <-ctx.Done():
		return ctx.Err()
	}
}
