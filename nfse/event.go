package nfse

import (
	"bytes"
	"encoding/json"
)

// EventType names what happened to a note.
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
// and kept.
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
	var body struct {
		ID         string    `json:"id"`
		Type       EventType `json:"type"`
		APIVersion string    `json:"api_version"`
		Livemode   bool      `json:"livemode"`
		CreatedAt  Timestamp `json:"created_at"`
		Data       struct {
			Object Note `json:"object"`
		} `json:"data"`
	}
	body.ID, body.Type, body.APIVersion = event.ID, event.Type, APIVersion
	body.Livemode, body.CreatedAt, body.Data.Object = note.Livemode, at, note
	payload, err := Marshal(body)
	event.Payload = payload
	return event, err
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
