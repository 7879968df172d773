package adn

import (
	"context"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// EventAsker is a client of SEFIN that is asked for one event of a document.
type EventAsker interface {
	FindEvent(ctx context.Context, access fiscal.Access, accessKey, eventType string) fiscal.Answer
	verifier
}

var (
	// answers are what a city makes of a request of analysis, and a cancellation that ends it.
	answers = []string{granted, denied, byOffice}
	// bars are the events after which the official matrix lets a document not be cancelled by its
	// issuer. Those by which it is cancelled come first.
	bars = []string{granted, byOffice, replaced, denied, "203202", "202201", "204203", "205204", "205208",
		cancelled}
)

// FindAnswer asks whether a city has answered a request of analysis.
func FindAnswer(ctx context.Context, client EventAsker, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	return find(ctx, client, access, issuer, accessKey, answers)
}

// FindReplacement asks for the event by which a document was replaced.
func FindReplacement(ctx context.Context, client EventAsker, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	return find(ctx, client, access, issuer, accessKey, []string{replaced})
}

// FindBlockingEvent asks for the event because of which a document is not cancelled.
func FindBlockingEvent(ctx context.Context, client EventAsker, access fiscal.Access, issuer nfse.TaxID,
	accessKey string) fiscal.FoundEvent {
	return find(ctx, client, access, issuer, accessKey, bars)
}

// find asks for one event after the other, until one is found or a question is not answered.
func find(ctx context.Context, client EventAsker, access fiscal.Access, issuer nfse.TaxID, accessKey string,
	types []string) fiscal.FoundEvent {
	for _, eventType := range types {
		answer := client.FindEvent(ctx, access, accessKey, eventType)
		switch {
		case answer.Outcome == fiscal.OutcomeNotFound:
			continue
		case answer.Outcome != fiscal.OutcomeAccepted:
			return fiscal.FoundEvent{Reason: answer.Reason}
		case answer.EventXML == nil: // it exists, and could not be read
			return fiscal.FoundEvent{Reason: fact.First(answer.NeedsPerson, answer.Reason, fact.ExternalEntry.Fact())}
		}
		read, problem := readEvent(answer.EventXML)
		if !problem.None() {
			return fiscal.FoundEvent{Reason: fact.ExternalUnread.With("why", problem)}
		}
		item := reader{verifier: client, issuer: issuer, production: access.Production}.event(
			fiscal.Distributed{Content: answer.EventXML}, read)
		return fiscal.FoundEvent{Event: &item}
	}
	return fiscal.FoundEvent{}
}
