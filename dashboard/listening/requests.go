package listening

import (
	"net/http"
	"slices"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/operate"
)

const (
	// settledAfter is after how long a request is in the log, whichever process answered it: each writes what it has
	// every two seconds.
	settledAfter = 4 * time.Second

	tailInterval = 2 * time.Second
	tailAtOnce   = 100
)

// Request is a request of the log.
type Request struct {
	ID         string         `json:"id"`
	At         nfse.Timestamp `json:"at"`
	KeyID      string         `json:"key_id"`
	Method     string         `json:"method"`
	Path       string         `json:"path"`
	Status     int            `json:"status"`
	DurationUS int64          `json:"duration_us"`
	ErrorCode  nfse.Code      `json:"error_code"`  // empty: none
	ErrorField string         `json:"error_field"` // a name of the contract; empty: none
	NoteID     string         `json:"note_id"`     // that it is about; empty: none
}

// Requests are those that came meanwhile, oldest first; none when the time was up.
type Requests struct {
	Requests []Request `json:"requests"`
	After    string    `json:"after"` // to ask for those that come next
}

// tail answers with the requests of the key's organization and environment that are newer than the parameter after, as
// soon as there are any; without it, with where they begin.
func (s *Server) tail(w http.ResponseWriter, r *http.Request, key heldKey) error {
	query := r.URL.Query()
	after, of := query.Get("after"), query.Get("key")
	if after == "" {
		return web.WriteJSON(w, http.StatusOK, Requests{[]Request{}, nfse.FirstID(nfse.PrefixRequest, time.Now())})
	}
	since, known := nfse.TimeOf(nfse.PrefixRequest, after)
	if !known {
		return nfse.NewError(nfse.CodeInvalidRequest, "after", "after must be what the answer before had")
	}
	if of != "" && !nfse.IsID(nfse.PrefixAPIKey, of) {
		return nfse.NewError(nfse.CodeInvalidRequest, "key", "key must be the id of a key, as key_…; never its text")
	}
	end, err := s.mayWait(w, key)
	if err != nil {
		return err
	}
	defer end()
	answer := Requests{[]Request{}, after}
	for deadline := time.Now().Add(longestPoll); ; {
		found, err := s.Store.Operate.SearchRequests(r.Context(), key.Scope,
			operate.RequestSearch{APIKeyID: of, Since: since,
				Before: after, Until: time.Now().Add(-settledAfter), Limit: tailAtOnce})
		if err != nil {
			return err
		}
		for _, one := range slices.Backward(found.Requests) {
			answer.After = one.ID
			answer.Requests = append(answer.Requests, Request{one.ID, one.At, one.APIKeyID, one.Method, one.Path(),
				one.Status, one.Microseconds, one.ErrorCode, one.ErrorField, one.NoteID})
		}
		if len(found.Requests) > 0 || !time.Now().Add(tailInterval).Before(deadline) {
			return web.WriteJSON(w, http.StatusOK, answer)
		}
		select {
		case <-time.After(tailInterval):
			if _, err := s.Store.Access.APIKey(r.Context(), key.text, key.from); err != nil {
				return err
			}
		case <-s.closing.Done():
			return web.WriteJSON(w, http.StatusOK, answer)
		case <-r.Context().Done():
			return r.Context().Err()
		}
	}
}
