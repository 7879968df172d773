package api

import (
	"net/http"

	"emissor/internal/web"
	"emissor/issuing/catalogue"
	"emissor/store/lifecycle"
)

// cancelNote records a request to cancel; the note's workflow does the rest.
// An equal request whose outcome is known already is answered with 200.
func (a *API) cancelNote(w http.ResponseWriter, r *http.Request) error {
	id, err := noteID(r)
	if err != nil {
		return err
	}
	sent, err := readBody(w, r)
	if err != nil {
		return err
	}
	current := requestOf(r.Context())
	request := lifecycle.NewCancellation{
		Key:        current.key,
		RequestID:  current.ID,
		ReasonCode: value(sent.required("reason_code", true, catalogue.ReasonCode)),
		ReasonText: value(sent.required("reason_text", true, catalogue.ReasonText)),
	}
	if err := sent.close(); err != nil {
		return err
	}
	note, started, err := a.store.By(current.actor()).Lifecycle.RequestCancellation(r.Context(), id, request)
	if err != nil {
		return err
	}
	if started {
		a.accepted()
	}
	if !note.Moving() {
		return web.WriteJSON(w, http.StatusOK, note)
	}
	return web.WriteJSON(w, http.StatusAccepted, note)
}
