package fiscal

import (
	"context"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// EventFinder is an Authority that can be asked what is registered about one document. It
// is asked seldom: what happens to documents is distributed, and a question is for when a
// distribution is late.
type EventFinder interface {
	Authority
	// FindAnswer asks whether the city has answered a request of analysis, or has cancelled the
	// document by itself meanwhile.
	FindAnswer(ctx context.Context, access Access, issuer nfse.TaxID, accessKey string) FoundEvent
	// FindReplacement asks for the event by which the document was replaced.
	FindReplacement(ctx context.Context, access Access, issuer nfse.TaxID, accessKey string) FoundEvent
	// FindBlockingEvent asks for the event because of which a document is not cancelled (NeedsConfirmation):
	// it may be cancelled already, or a party has confirmed it.
	FindBlockingEvent(ctx context.Context, access Access, issuer nfse.TaxID, accessKey string) FoundEvent
}

// FoundEvent is the first registered event that a question was about, as a distribution
// would tell of it; nil where there is none, or, with a Reason, where that is not known.
type FoundEvent struct {
	Event  *Distributed
	Reason fact.Fact // why nothing is known, without personal data
}

// Answer is the outcome of the question as one call to the authority.
func (f FoundEvent) Answer() Answer {
	switch {
	case !f.Reason.None():
		return Unknown(f.Reason)
	case f.Event == nil:
		return Answer{Outcome: OutcomeNotFound}
	}
	return Answer{Outcome: OutcomeAccepted}
}
