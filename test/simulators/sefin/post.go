package sefin

import "time"

// Post is a document that was sent, and what became of it.
type Post struct {
	At     time.Time `json:"at"`
	Scope  Scope     `json:"scope"`            // issue or cancel
	City   string    `json:"city,omitempty"`   // whose server it was sent to; empty: the national system
	ID     string    `json:"id,omitempty"`     // of the DPS or the event request; empty when it could not be read
	Digest string    `json:"digest,omitempty"` // DigestValue of its signature
	Issued bool      `json:"issued"`           // it produced a note, or registered an event
	Codes  []string  `json:"codes,omitempty"`  // of its rejection
	Status int       `json:"status,omitempty"` // that was answered; 0 when the connection was cut
	Faults []string  `json:"faults,omitempty"` // the kinds that applied
}
