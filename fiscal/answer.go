package fiscal

import (
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Outcome is what became of a call.
type Outcome string

// The outcomes.
const (
	OutcomeNotDelivered Outcome = "not_delivered" // it never reached the authority, or was refused before it was read
	OutcomeRejected     Outcome = "rejected"      // the authority read it and said no: nothing was made by it
	OutcomeAccepted     Outcome = "accepted"      // what was asked for exists
	OutcomeNotFound     Outcome = "not_found"     // a question found nothing
	OutcomeUnknown      Outcome = "unknown"       // anything may have happened
)

// Handling is what a rejection asks for.
type Handling string

// The ways of handling a code.
const (
	Final              Handling = "final"               // the request is rejected
	TryLater           Handling = "try_later"           // the authority cannot do it now: send the same later
	SignAgain          Handling = "sign_again"          // form refused: another message under the number may pass
	AlreadyExists      Handling = "already_exists"      // something exists under this id: ask what
	NeedsConfirmation  Handling = "needs_confirmation"  // rejected, unless what was asked for exists: ask first
	CertificateRefused Handling = "certificate_refused" // another certificate is needed
	// Uncatalogued is neither yes nor no, so that it is asked first: the code is not known, or the refusal doubted.
	Uncatalogued Handling = "uncatalogued"
	NeedsPerson  Handling = "needs_person" // a person corrects something: then the same number may pass
	// AutoFixed takes the place of NeedsPerson in an exchange once what was refused is corrected: it is signed again at
	// once. No answer asks for it.
	AutoFixed Handling = "mended"

	// The request is rejected by what the document's city has decided: for its term, or for
	// something else. The city may still grant it on analysis.
	TermOver    Handling = "term_over"
	CityRefuses Handling = "city_refuses"
)

// Ends reports whether the request is rejected for good.
func (d Handling) Ends() bool { return d == Final || d.Analysable() }

// Analysable reports whether a city that does not let its issuers cancel may be asked to
// cancel by an analysis.
func (d Handling) Analysable() bool { return d == TermOver || d == CityRefuses }

// AnalysableHandlings are those that Analysable reports.
func AnalysableHandlings() []string { return []string{string(TermOver), string(CityRefuses)} }

// precedence orders the ways of handling when an answer asks for several: what may
// exist already comes first, then what passes by itself, then what can be corrected.
// A code that is known decides before one that is not.
var precedence = []Handling{
	AlreadyExists, NeedsConfirmation, TryLater, CertificateRefused, SignAgain, NeedsPerson, TermOver, CityRefuses,
	Final,
}

// Decisive returns which of several refusals, at least one, decides what happens next,
// and what it asks for.
func Decisive[Refusal any](refusals []Refusal, asksFor func(Refusal) Handling) (Refusal, Handling) {
	for _, wanted := range precedence {
		for _, one := range refusals {
			if asksFor(one) == wanted {
				return one, wanted
			}
		}
	}
	return refusals[0], Uncatalogued
}

// Match says whether what exists at an authority was made by us.
type Match string

// The matches.
const (
	MatchUnclear Match = ""        // it is not known: nothing is decided by it
	MatchOurs    Match = "ours"    // it was made from one of our messages
	MatchForeign Match = "foreign" // it was made from something else, of another system
)

// Answer is what an authority said to a message or a question.
type Answer struct {
	Outcome   Outcome
	Rejection *nfse.Rejection // when rejected: in the authority's words, and ours
	Handling  Handling        // when rejected
	Layout    string          // when it is to be signed again in another layout
	// Unconfirmed says that the rejection came with an answer that may follow something that was
	// done: it counts once a question has found nothing.
	Unconfirmed bool
	// DoubtFor is how long a rejection is doubted before it counts, as it was false in outages of the
	// authority: the same is sent again meanwhile. 0: it counts at once.
	DoubtFor time.Duration

	// Match says whose document it is that exists, when accepted. For a cancellation or a
	// request of analysis that exists it is MatchOurs: a document has one of each.
	Match    Match
	Document *IssuedDocument // that exists, when an issuance is accepted
	// of the authority, when an exchange about a document is accepted; nil where there is none
	// or it is unread
	EventXML []byte

	// Unreadable says that what exists came whole and cannot be read, as Reason says.
	// Another answer may be better.
	Unreadable bool
	// NeedsPerson says why nothing may be settled by what exists, and trying again is
	// hardly of use, before a person has looked: it is beyond what is read of any
	// document, its signature is not one that is required, or the authority does not
	// let our certificate in.
	NeedsPerson fact.Fact

	// HoldSeries says why nothing more may be sent under the series before a person
	// has looked: another program uses it, or a second sending has destroyed what a
	// first one made.
	HoldSeries fact.Fact

	Reason     fact.Fact     // why it is unknown or was not delivered; without personal data
	Alarm      fact.Fact     // something a person should look at
	RetryAfter time.Duration // what the authority asked for; 0 when it did not
	Status     int           // of HTTP; 0 when no answer came
	Body       []byte        // as it came, cut to what is worth keeping
}

// Unknown is the answer where nothing is known, with the reason.
func Unknown(reason fact.Fact) Answer { return Answer{Outcome: OutcomeUnknown, Reason: reason} }

// Ambiguous is this answer where nothing of it counts: a person should look at it.
func (a Answer) Ambiguous(alarm fact.Fact) Answer {
	return Answer{
		Outcome: OutcomeUnknown, Reason: alarm, Alarm: alarm, RetryAfter: a.RetryAfter, Status: a.Status, Body: a.Body,
	}
}

// Summary is the code of a rejection, or why nothing is known.
func (a Answer) Summary() fact.Fact {
	if a.Rejection != nil {
		return fact.RefusedWith.With("code", a.Rejection.Code)
	}
	return a.Reason
}

// settles reports whether what exists ends its exchange: it is ours, and the
// document of an issuance is read and may be used.
func (a Answer) settles(kind Kind) bool {
	return a.Match == MatchOurs && a.NeedsPerson.None() && (kind != Issue || a.usable())
}

// usable reports whether a document is read and something may be decided by it.
func (a Answer) usable() bool {
	return a.Document != nil && a.Document.XML != nil && a.NeedsPerson.None()
}

// named reports whether what exists was named, and its document did not come with
// the answer: it is there to be fetched.
func (a Answer) named() bool {
	return a.Outcome == OutcomeAccepted && a.Document != nil && a.Document.AccessKey != "" && a.Document.XML == nil &&
		!a.Unreadable && a.NeedsPerson.None()
}

// IssuedDocument is a document that exists at the authority.
type IssuedDocument struct {
	AccessKey string
	// of the declaration that it embeds; empty while XML is unread, or where it is not signed
	Digest        string
	Authorization nfse.Authorization // what the note shows; complete once XML is read
	// ISSRate is the rate that the document states the ISS at; nil where it states none, and of a
	// document that was read before.
	ISSRate *nfse.Rate
	XML     []byte // the authority's exact bytes; nil when they could not be read and must be fetched
	// SignatureProblem says why the authority's signature does not verify; none when
	// it does, or when no roots are configured.
	SignatureProblem fact.Fact
}

// MatchDocument compares what exists under a number with the messages of a
// request. That it is another system's takes evidence: a digest that is none of
// ours, and not this note's correlation id.
func MatchDocument(request Request, digest, correlationID string) Match {
	switch {
	case digest == "":
		return MatchUnclear
	case request.Signed(digest):
		return MatchOurs
	case correlationID == request.CorrelationID:
		return MatchUnclear
	}
	return MatchForeign
}
