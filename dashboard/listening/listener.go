package listening

import (
	"errors"
	"net/http"
	"slices"
	"time"

	"emissor/internal/web"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// Begin asks for an endpoint that listens.
type Begin struct {
	ForwardTo string           `json:"forward_to"` // where the command posts events; for people, nothing is sent there
	Events    []nfse.EventType `json:"events"`     // that it wants; none: all
}

// Begun is an endpoint that listens.
type Begun struct {
	ID     string           `json:"id"`
	Secret string           `json:"secret"` // by which the command signs; the same whenever it listens with this key
	Events []nfse.EventType `json:"events"`
}

// receivers are what a command may post to: any, on its own machine too.
var receivers = webhook.Options{AllowLoopback: true}

// begin puts an endpoint on record that lives as long as the command.
func (s *Server) begin(w http.ResponseWriter, r *http.Request, key heldKey) error {
	if key.Livemode {
		return nfse.NewError(nfse.CodeInvalidRequest, "",
			"only events of test notes are listened to: use a test key; live events go to endpoints of the dashboard")
	}
	if !s.begins.Allow(key.ID, time.Now()) {
		web.RetryAfter(w, s.begins)
		return nfse.Unavailable(nfse.CodeRateLimited, "", "this key begins to listen too often; wait as Retry-After says")
	}
	var asked Begin
	if err := read(r, &asked); err != nil {
		return err
	}
	if err := receivers.CheckURL(asked.ForwardTo); err != nil {
		return nfse.NewError(nfse.CodeInvalidRequest, "forward_to",
			"%s; a receiver on the command's own machine is named as http://localhost:3000/hook", err)
	}
	var events []string
	for _, event := range asked.Events {
		if !slices.Contains(nfse.EventTypes, event) {
			return nfse.NewError(nfse.CodeInvalidRequest, "events",
				"there are nfse.issued, nfse.rejected and nfse.cancelled")
		}
		events = append(events, string(event))
	}
	id, secret := nfse.NewID(nfse.PrefixEndpoint), webhook.SecretOfKey(key.text)
	sealed, err := s.Sealer.Seal([]byte(secret), key.OrganizationID, id)
	if err != nil {
		return err
	}
	actor := nfse.Actor{Kind: nfse.ActorKey, ID: key.ID, From: key.from.String(), RequestID: key.requestID}
	err = s.Store.By(actor).Webhooks.Listen(r.Context(), key.APIKey, webhooks.Endpoint{ID: id, URL: asked.ForwardTo,
		Secret: sealed,
		Events: events})
	var tooMany *postgres.LimitError
	if errors.As(err, &tooMany) {
		return nfse.NewError(nfse.CodeInvalidRequest, "", "%s", tooMany)
	}
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusCreated, Begun{ID: id, Secret: secret, Events: asked.Events})
}

// Attempt is what came of posting a delivery.
type Attempt struct {
	DeliveryID string    `json:"delivery_id"`
	DurationMS int64     `json:"duration_ms"`
	Status     int       `json:"status"`  // of the receiver's answer; 0: there was none
	Silence    fact.Code `json:"silence"` // why there was none
	Answer     string    `json:"answer"`  // of which the first KiB is kept
}

// silences are why there may be no answer.
var silences = []fact.Code{fact.ReceiverSilent, fact.ReceiverBroke, fact.ReceiverNotResolved, fact.ReceiverNotPublic,
	fact.ReceiverWithoutTLS, fact.ConnectionRefused, fact.DeliveryInterrupted}

// log is the attempt, which has just ended, as it is kept. The clock of the command's machine is not asked.
func (a Attempt) log(now time.Time) (nfse.DeliveryAttempt, error) {
	log := nfse.DeliveryAttempt{DurationMS: a.DurationMS, Answer: webhook.KeptAnswer([]byte(a.Answer)),
		StartedAt: nfse.Timestamp{Time: now.Add(-time.Duration(a.DurationMS) * time.Millisecond)}}
	if a.DurationMS < 0 || a.DurationMS > time.Hour.Milliseconds() {
		return log, nfse.NewError(nfse.CodeInvalidRequest, "duration_ms", "must be from 0 to an hour")
	}
	switch {
	case a.Status >= 200 && a.Status < 300:
	case a.Status >= 300 && a.Status < 400:
		log.Problem = fact.ReceiverRedirected.With("status", a.Status)
	case a.Status >= 100 && a.Status < 600:
		log.Problem = fact.ReceiverAnswered.With("status", a.Status)
	case a.Status != 0:
		return log, nfse.NewError(nfse.CodeInvalidRequest, "status",
			"must be a status of HTTP, or 0 where there was no answer")
	case !slices.Contains(silences, a.Silence):
		return log, nfse.NewError(nfse.CodeInvalidRequest, "silence", "must say why there was no answer")
	default:
		log.Problem = a.Silence.Fact()
	}
	if a.Status != 0 {
		log.Status = &a.Status
	}
	return log, nil
}

// record puts an attempt on record. It may be told again.
func (s *Server) record(w http.ResponseWriter, r *http.Request, key heldKey) error {
	var attempt Attempt
	if err := read(r, &attempt); err != nil {
		return err
	}
	log, err := attempt.log(time.Now())
	if err != nil {
		return err
	}
	listener, err := s.listener(r, key)
	if err != nil {
		return err
	}
	if err := s.Store.Webhooks.RecordTaken(r.Context(), listener, attempt.DeliveryID, log); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// end ends an endpoint, with its command. It may be told again.
func (s *Server) end(w http.ResponseWriter, r *http.Request, key heldKey) error {
	listener, ok, err := s.Store.Webhooks.Listener(r.Context(), key.APIKey, r.PathValue("id"))
	if err == nil && ok {
		err = s.Store.Webhooks.EndListener(r.Context(), listener)
		s.hub.ended(listener.ID)
	}
	if err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
