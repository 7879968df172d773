package api

import (
	"net/http"
	"time"

	"emissor/internal/web"
)

// health depends on the database, which a 202 needs, and never on the workflow
// engine, which it does not.
func (a *API) health(w http.ResponseWriter, _ *http.Request) error {
	if err := a.database.Ask(time.Now); err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}
