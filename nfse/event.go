package nfse

import (
	"bytes"
	"encoding/json"

	"emissor/nfse/fact"
)

// EventTypes are the kinds of events that endpoints are sent, in the order of a note's life.
var EventTypes = []EventType{EventIssued, EventRejected, EventCancelled}

// EventType is the kind of an event.
type EventType string

// The events of the contract: one per terminal state that a note reaches.
const (
	EventIssued    EventType = "nfse.issued"
	EventRejected  EventType = "nfse.rejected"
	EventCancelled EventType = "nfse.cancelled"
)

// APIVersion is the version of the contract, in paths and in events.
const APIVersion = "v1"

// Event tells subscribers that a note reached a terminal state. Payload is the
// body of its webhook: the same bytes on every attempt, so they are made once
// and stored.
type Event struct {
	ID        string
	Type      EventType
	NoteID    string
	Payload   []byte
	CreatedAt Timestamp
}

// NewEvent makes the event of a note that has just reached a terminal state at
// the given moment.
func NewEvent(eventType EventType, note Note, at Timestamp) (Event, error) {
	event := Event{ID: NewID(PrefixEvent), Type: eventType, NoteID: note.ID, CreatedAt: at}
	payload, err := eventBody(event.ID, eventType, note.Livemode, at, note)
	event.Payload = payload
	return event, err
}

// EventBody makes the body of a note's event again, from the note as it is now: what has changed since the event is
// taken back as far as the note says it. Only the digest tells whether it is the body that was sent.
func EventBody(id string, eventType EventType, note Note, at Timestamp) ([]byte, error) {
	note.UpdatedAt = at
	if eventType == EventIssued {
		note.Status, note.CancelledAt = StatusIssued, nil
		if note.Cancellation != nil && !note.Cancellation.RequestedAt.Before(at.Time) {
			note.Cancellation = nil // asked for later
		}
	}
	return eventBody(id, eventType, note.Livemode, at, note)
}

// eventTest is the type of a test call, which no event of a note has.
const eventTest EventType = "webhook.test"

// NewTestCall makes the body of a test call to an endpoint: an event without an
// object.
func NewTestCall(livemode bool, at Timestamp) ([]byte, error) {
	return eventBody(NewID(PrefixEvent), eventTest, livemode, at, nil)
}

func eventBody(id string, eventType EventType, livemode bool, at Timestamp, object any) ([]byte, error) {
	var body struct {
		ID         string    `json:"id"`
		Type       EventType `json:"type"`
		APIVersion string    `json:"api_version"`
		Livemode   bool      `json:"livemode"`
		CreatedAt  Timestamp `json:"created_at"`
		Data       struct {
			Object any `json:"object"`
		} `json:"data"`
	}
	body.ID, body.Type, body.APIVersion = id, eventType, APIVersion
	body.Livemode, body.CreatedAt, body.Data.Object = livemode, at, object
	return Marshal(body)
}

// Marshal prints JSON as the API does: compact, and with <, > and & as they
// are.
func Marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// DeliveryAttempt is one line of the log of a webhook delivery.
type DeliveryAttempt struct {
	StartedAt  Timestamp `db:"started_at" json:"started_at"`
	DurationMS int64     `db:"duration_ms" json:"duration_ms"`
	Status     *int      `db:"status" json:"status"`   // of the answer; nil when there was none
	Answer     string    `db:"answer" json:"answer"`   // its first KiB
	Problem    fact.Fact `db:"problem" json:"problem"` // what went wrong; none on success
}
