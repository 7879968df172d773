package api

import (
	"context"
	"net/http"
	"time"
)

// health depends on the database, which a 202 needs, and never on the workflow
// engine, which it does not.
func (a *API) health(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), time.Second)
	defer cancel()
	if err := a.store.Ping(ctx); err != nil {
		return err
	}
	return writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}
