package api

import (
	"net/http"
	"strings"

	"emissor/store"
)

// cancelNote records a request to cancel; the note's workflow does the rest.
// Who asks again for what was done gets a 200.
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
	request := store.CancelRequest{Key: current.key, RequestID: current.id}
	sent.required("reason_code", &request.ReasonCode, true, oneOf("1", "2", "9"))
	sent.required("reason_text", &request.ReasonText, true, reasonText)
	if err := sent.close(); err != nil {
		return err
	}
	note, started, err := a.store.RequestCancellation(r.Context(), id, request)
	if err != nil {
		return err
	}
	if started {
		a.accepted()
	}
	if !note.Moving() {
		return writeJSON(w, http.StatusOK, note)
	}
	return writeJSON(w, http.StatusAccepted, note)
}

// reasonText is kept without the space around it.
func reasonText(s string) (string, error) { return line(15, 255)(strings.TrimSpace(s)) }
