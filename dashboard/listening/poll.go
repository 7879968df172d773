package listening

import (
	"net/http"
	"time"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/webhooks"
)

// Delivery is an event that a command is to post to its receiver.
type Delivery struct {
	ID        string         `json:"id"` // dlv_…; each has one attempt
	EventID   string         `json:"event_id"`
	EventType nfse.EventType `json:"event_type"`
	NoteID    string         `json:"note_id"`
	Body      string         `json:"body"` // what is posted and signed, byte for byte
}

// Deliveries are those that wait; none when the time was up.
type Deliveries struct {
	Deliveries []Delivery `json:"deliveries"`
}

// poll answers with the deliveries that wait for a command, as soon as there are any. Those that it was given before
// and has not told the end of are among them.
func (s *Server) poll(w http.ResponseWriter, r *http.Request, key heldKey) error {
	if s.closing.Err() != nil {
		return errStopping
	}
	end, err := s.mayWait(w, key)
	if err != nil {
		return err
	}
	defer end()
	connected, err := s.connect(r, key)
	if err != nil {
		return err
	}
	waiting, err := s.await(r, key, connected)
	if err != nil {
		return err
	}
	answer := Deliveries{Deliveries: []Delivery{}}
	for _, d := range waiting {
		answer.Deliveries = append(answer.Deliveries, Delivery{d.ID, d.EventID, d.EventType, d.NoteID, string(d.Payload)})
	}
	return web.WriteJSON(w, http.StatusOK, answer)
}

var (
	errStopping = nfse.Unavailable(nfse.CodeServiceUnavailable, "", "the process is stopping; repeat the request")
	errEnded    = nfse.NewError(nfse.CodeNotFound, "", "no such endpoint listens with this key; begin again")
)

// connect is the command as it is remembered, or as it is on record.
func (s *Server) connect(r *http.Request, key heldKey) (*connection, error) {
	id := r.PathValue("id")
	if connected := s.hub.find(id, key.hash); connected != nil {
		return connected, nil
	}
	if err := s.hub.connect(r.Context()); err != nil {
		return nil, err
	}
	listener, err := s.listener(r, key)
	if err != nil {
		return nil, err
	}
	connected := s.hub.add(listener, key)
	if connected == nil {
		return nil, errNotHearing
	}
	// From now on it is heard that the endpoint ends and the key changes; what happened before is looked at once more.
	_, err = s.Store.Access.APIKey(r.Context(), key.text, key.from)
	if err == nil {
		_, err = s.listener(r, key)
	}
	if err != nil {
		s.hub.ended(id)
		return nil, err
	}
	return connected, nil
}

// listener is the endpoint that a request of its key names.
func (s *Server) listener(r *http.Request, key heldKey) (webhooks.Listener, error) {
	listener, ok, err := s.Store.Webhooks.Listener(r.Context(), key.APIKey, r.PathValue("id"))
	if err == nil && !ok {
		err = errEnded
	}
	return listener, err
}

// mayWait begins a request that waits, within what may wait of its organization and environment and in all. Its answer
// may take longer than a request may take to arrive, by which the server would think that its caller has left.
func (s *Server) mayWait(w http.ResponseWriter, key heldKey) (end func(), err error) {
	end = func() { s.waiting.End(key.Scope) }
	if !s.waiting.Begin(key.Scope) || s.waiting.UnderWay() > s.MostWaiting {
		err = nfse.Unavailable(nfse.CodeRateLimited, "", "too many requests wait at once")
	} else {
		err = http.NewResponseController(w).SetReadDeadline(time.Now().Add(longestPoll + time.Minute))
	}
	if err != nil {
		end()
	}
	return end, err
}

// await waits until there are deliveries, or until the time is up or the command should ask again.
func (s *Server) await(r *http.Request, key heldKey, connected *connection) ([]webhooks.WaitingDelivery, error) {
	replaced := connected.begin()
	longest := longestPoll - time.Since(key.began)
	if end := connected.key.ExpiresAt; end != nil {
		longest = min(longest, time.Until(end.Time))
	}
	over := time.NewTimer(longest)
	defer over.Stop()
	for {
		if connected.takeWaiting() {
			waiting, err := s.Store.Webhooks.WaitingDeliveries(r.Context(), connected.listener, mostAtOnce)
			if err != nil || len(waiting) > 0 {
				connected.mayWait()
				return waiting, err
			}
		}
		select {
		case <-connected.news:
		case <-replaced:
			return nil, nil
		case <-connected.dropped:
			return nil, nil
		case <-over.C:
			return nil, nil
		case <-s.closing.Done():
			return nil, nil
		case <-r.Context().Done():
			return nil, r.Context().Err()
		}
	}
}
