// Package soap is what the SOAP 1.1 services of cities have in common that take the national declaration: messages
// stand in their envelopes as they were signed, and answers have the XML of NFS-e, of events and of messages in place.
// It calls, reads answers as liberally as servers demand, and takes them for no more than they prove:
//
//	Call ─► Reply ─┬─► Sent, Found, EventSent, EventFound, by what the codes of the family mean (Meaning)
//	               └─► Unanswered, UnansweredQuestion, where nothing was read
//
// A note counts by its document alone: see package sefin, evidence.go.
package soap
