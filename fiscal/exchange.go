package fiscal

import (
	"slices"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
)

// Kind is what an exchange asks an authority for.
type Kind string

// The kinds of exchange.
const (
	Issue  Kind = "issue"  // that a document be issued
	Cancel Kind = "cancel" // that an issued document be cancelled
	// Analysis asks that the city decide whether an issued document is cancelled, which it has
	// refused before by what it decided for all. That the request exists is the end of the
	// exchange; the city's answer comes weeks later, as an event.
	Analysis Kind = "analysis"
)

// State is where an exchange stands.
type State string

// The states of an exchange. The last five are ends.
const (
	Unsigned       State = "unsigned"        // a message is to be signed
	Signed         State = "signed"          // nothing of it can exist at the authority: it may be sent
	InDoubt        State = "in_doubt"        // something may exist: the next step is a question, never a sending
	Accepted       State = "accepted"        // what was asked for exists, and it is ours
	Rejected       State = "rejected"        // the authority said no, and nothing exists
	NumberConflict State = "number_conflict" // the number belongs to a document of another system
	Unused         State = "unused"          // nothing was sent: the note ended before, or no message could be built
	UsedUp         State = "spent"           // refused, and nothing exists: its note goes on under another number
)

// Exchange is where one exchange with an authority stands: a document to be
// issued under one number, or an issued one to be cancelled, at once or by an
// analysis. Its methods are the rules by which what was asked for comes to exist
// exactly once; they decide, and others sign, store and send.
type Exchange struct {
	Kind  Kind
	State State
	// Ambiguous says that the outcome of a sending was unknown once. From then on
	// no rejection counts before the authority was asked and found nothing.
	Ambiguous bool
	Layout    string          // that a rejection asked for
	Rejection *nfse.Rejection // the last; in doubt it is not confirmed yet
	Handling  Handling        // of the rejection
	AutoFixes AutoFixes       // made without a person after refusals
	NotFounds int             // questions since the last sending that found nothing, and count
	// NumberFree says that the authority was asked about the number of an issuance,
	// before anything was sent under it, and has nothing there.
	NumberFree bool

	AccessKey string          // of what exists under the number of an issuance, as soon as it is known
	Document  *IssuedDocument // of an accepted issuance
	EventXML  []byte          // of an accepted exchange about a document, where the authority makes one

	// What the rules must know of the past.
	Series        int // of the number, and Number: only for facts
	Number        int64
	Signings      int           // messages that were signed for it
	SinceSent     time.Duration // since the last sending
	SinceNotFound time.Duration // since the last question that counts as having found nothing
	// since the first answer by a code of no catalogue; 0 when there was none
	SinceUncatalogued time.Duration
	// DoubtedCode is of the last refusal that was doubted, and DoubtLeft how long it still is; 0: it counts.
	DoubtedCode string
	DoubtLeft   time.Duration
}

// Action is what is to be done next with an exchange.
type Action string

// The actions.
const (
	Sign             Action = "sign"        // build, sign and store a message
	Send             Action = "send"        // send the last message
	Ask              Action = "ask"         // ask the authority what became of it
	AskBlockingEvent Action = "ask_bar"     // ask the authority which event bars what was refused because of one
	AskNumber        Action = "ask_number"  // ask the authority whether the number is free, before the first sending
	Wait             Action = "wait"        // go on after a pause
	Hold             Action = "hold"        // wait for a person
	NextNumber       Action = "next_number" // begin again under another number
	Settle           Action = "settle"      // end the note, or its cancellation, as the exchange ended
)

// CallName returns the word for a sending or a question in records and metrics.
func (k Kind) CallName(action Action) string {
	switch {
	case action == Send:
		return string(k)
	case action == AskNumber:
		return "find_numbers"
	case action == AskBlockingEvent:
		return "find_bar"
	case k == Issue:
		return "find"
	case k == Analysis:
		return "find_analysis"
	}
	return "find_cancellation"
}

// Decision is what the rules make of an exchange.
type Decision struct {
	Exchange   Exchange // as it is to be stored
	Action     Action
	RetryAfter time.Duration // of Wait and Hold: the shortest pause that makes sense
	Code       string        // of Wait: why, in one word
	Reason     fact.Fact     // of Wait and Hold: why, without personal data; of Wait there may be none
	// Alarm is something that a person should look at.
	Alarm fact.Fact
	// RefuseCertificate says that the certificate which signed the message, or the
	// question about numbers, must not be used any more.
	RefuseCertificate bool
	// HoldSeries says why nothing more may be sent under the series, for any note,
	// before a person has looked. What becomes of this exchange does not depend on it.
	HoldSeries fact.Fact
	// SiblingHold says which other notes of the company wait behind this one, which is refused.
	SiblingHold Scope
}

// GoesOn reports whether the next action can follow at once.
func (d Decision) GoesOn() bool {
	return d.Action == Sign || d.Action == Send || d.Action == Ask || d.Action == AskNumber
}

const (
	// maxSignings is how often a message is signed again at once because of its
	// form. After that it is tried when the held note looks again.
	maxSignings  = 6
	signingPause = 10 * time.Minute

	// askAgainAfter is the first pause before an authority is asked again by itself about what is held; those that
	// follow grow. A gateway in trouble answers for its host for a moment, by pages that look as if only a person
	// could help. What is to be sent again is not hurried: a question must have shown what the first sending made.
	askAgainAfter = 30 * time.Second

	// unreadableFor is how long after a sending the authority is asked for a document
	// that cannot be read, before a person has to look at it.
	unreadableFor = time.Hour

	// maxNumberConflicts is how many numbers of a series a note finds in use by
	// another system before a person has to choose another series.
	maxNumberConflicts = 3
)

// TakeNumber decides whether a note that has met so many number conflicts in a
// series takes another number of it.
func TakeNumber(conflicts, series int) Decision {
	if conflicts < maxNumberConflicts {
		return Decision{Action: NextNumber}
	}
	return Decision{Action: Hold, Reason: fact.SeriesOfAnotherSystem.With("series", series)}
}

// Next decides what is to be done with an exchange as it is stored.
func (e Exchange) Next(authority Capabilities) Decision {
	decision := Decision{Exchange: e}
	switch {
	case e.Refused() && (authority.RefusalUsesUpNumber || e.SinceSent < signingPause):
		decision.Action, decision.Reason = Hold, fact.RefusedByRule.With("code", e.Rejection.Code)
		return decision
	case e.State == Unsigned && e.Rejection != nil && e.Handling == AutoFixed && authority.RefusalUsesUpNumber:
		return e.Spend()
	}
	if e.asksNumber(authority) {
		decision.Action = AskNumber
		return decision
	}
	switch e.State {
	case Unsigned:
		if e.Kind != Issue && !authority.Cancels {
			e.State, e.Rejection = Rejected, &notOffered
			return Decision{Exchange: e, Action: Settle}
		}
		decision.Action = Sign
		if e.Handling == SignAgain && e.Signings >= maxSignings && e.SinceSent < signingPause {
			decision.Action = Hold
			decision.Reason = fact.FormRefused.With("code", e.Rejection.Code)
		}
	case Signed:
		decision.Action = Send
		unsure := e.NotFounds < authority.NotFounds || e.SinceNotFound > authority.GracePeriod
		if e.Ambiguous && authority.NotFounds > 1 && unsure {
			decision.Action = Ask // that nothing was found is not certain enough, or too long ago, to send again
		}
	case InDoubt:
		decision.Action = Ask
		if !authority.Queryable {
			decision.Action = Hold
			decision.Reason = fact.OutcomeNotAskable.Fact()
		}
	case NumberConflict, UsedUp:
		decision.Action = NextNumber
	default:
		decision.Action = Settle
	}
	return decision
}

// AfterCheckingSeries decides what follows from what the authority has under numbers
// under which, by our records, nothing was sent, when those records may be a restored
// copy. It goes on only when the numbers are certainly free.
func (e Exchange) AfterCheckingSeries(asked []int64, numbers Numbers) Decision {
	decision := Decision{Exchange: e, Action: AskNumber}
	switch {
	case numbers.CertificateRefused != nil:
		return e.afterRefusedCertificate()
	case len(numbers.Used) > 0:
		reason := fact.NumberUsedInLostTime.With("number", slices.Min(numbers.Used), "series", e.Series)
		decision.Action, decision.Reason, decision.Alarm, decision.HoldSeries = Hold, reason, reason, reason
	case slices.ContainsFunc(asked, func(number int64) bool { return !slices.Contains(numbers.Free, number) }):
		decision.Action, decision.Code = Wait, string(OutcomeUnknown)
		decision.Reason, decision.RetryAfter = fact.SeriesNotKnownFree.With("why", numbers.Reason), numbers.RetryAfter
	}
	return decision
}

// Sent reports whether something of it may be at the authority already, so that the
// next step is a question, or none: then it needs no turn to send.
func (e Exchange) Sent() bool { return e.State != Unsigned && e.State != Signed }

// asksNumber reports whether nothing may be sent before the authority was asked about
// the number.
func (e Exchange) asksNumber(authority Capabilities) bool {
	return authority.AsksFirst && e.Kind == Issue && (e.State == Unsigned || e.State == Signed) &&
		!e.Ambiguous && !e.NumberFree
}

// AfterAskingNumber decides what follows from which numbers are free. One that is in
// use belongs to a document of another system: sent, it would destroy that one.
func (e Exchange) AfterAskingNumber(numbers Numbers) Decision {
	switch {
	case numbers.CertificateRefused != nil:
		return e.afterRefusedCertificate()
	case slices.Contains(numbers.Used, e.Number):
		e.State, e.Rejection, e.Handling = NumberConflict, nil, ""
		return e.after(Answer{}).alarmed(fact.NumberUsedByAnother.With("number", e.Number, "series", e.Series))
	case slices.Contains(numbers.Free, e.Number):
		e.NumberFree = true
		decision := Decision{Exchange: e, Action: Sign}
		if e.State == Signed {
			decision.Action = Send
		}
		return decision
	}
	return Decision{
		Exchange: e, Action: Wait, Code: string(OutcomeUnknown),
		Reason: fact.NumberNotKnownFree.With("why", numbers.Reason), RetryAfter: numbers.RetryAfter,
	}
}

// afterRefusedCertificate asks again by another certificate, which signs as well: what was
// signed by the refused one was not sent.
func (e Exchange) afterRefusedCertificate() Decision {
	e.State = Unsigned
	return Decision{Exchange: e, Action: AskNumber, RefuseCertificate: true}
}

// Sending returns the exchange that is stored before the first byte leaves, and
// that is found after a crash: as if the outcome were unknown.
func (e Exchange) Sending() Exchange {
	e.State, e.Ambiguous = InDoubt, true
	e.Rejection, e.Handling, e.AccessKey = nil, "", ""
	e.NotFounds, e.SinceNotFound, e.SinceSent = 0, 0, 0
	return e
}

// AfterSending decides what the answer to a sending makes of the exchange as it
// was before it. What is answered by a code of no catalogue is asked about and sent
// again for retryFor, then held.
func (e Exchange) AfterSending(answer Answer, retryFor time.Duration) Decision {
	next := e.Sending()
	switch answer.Outcome {
	case OutcomeNotDelivered:
		next.State, next.Ambiguous = Signed, e.Ambiguous
	case OutcomeRejected:
		next.Rejection, next.Handling = answer.Rejection, answer.Handling
		next = next.recordDistrust(answer, e)
		next.Ambiguous = e.Ambiguous || answer.Unconfirmed || next.Handling == Uncatalogued
		if answer.Layout != "" {
			next.Layout = answer.Layout
		}
		if !next.Ambiguous && next.Handling != AlreadyExists && next.Handling != NeedsConfirmation {
			next = next.rejected()
		}
	case OutcomeAccepted:
		next = next.accept(answer)
		if answer.Document != nil && answer.Document.XML != nil && answer.Match != MatchOurs {
			// The answer to our own sending holds something else: ask what is there.
			next.AccessKey = ""
		}
	}
	decision := next.after(answer)
	decision.RefuseCertificate = answer.Handling == CertificateRefused
	if next.State == InDoubt && (next.Handling == AlreadyExists || next.RefusalUncounted() || answer.named()) {
		decision.Action = Ask
	}
	if answer.Outcome == OutcomeNotDelivered && !answer.NeedsPerson.None() {
		decision.Action, decision.Reason = Hold, answer.NeedsPerson
	}
	if next.Handling == Uncatalogued && !next.RefusalUncounted() && next.SinceUncatalogued >= retryFor {
		decision = decision.alarmed(fact.UncataloguedCode.With("code", answer.Rejection.Code))
		decision.Action, decision.Reason = Hold, decision.Alarm
	}
	return decision
}

// AfterAsking decides what the answer to a question makes of an exchange in
// doubt. That nothing is found counts once the grace period has passed since the
// last sending. What asking again cannot end is held for a person; the exchange
// stays in doubt.
func (e Exchange) AfterAsking(answer Answer, authority Capabilities) Decision {
	decision := e.afterQuestion(answer, authority)
	if reason := e.needsPerson(answer); !reason.None() && decision.Action == Wait {
		decision = decision.held(reason, answer)
		if decision.Alarm.None() {
			decision.Alarm = reason
		}
	}
	unanswered := answer.Outcome == OutcomeUnknown || answer.Outcome == OutcomeNotDelivered
	if unanswered && decision.Action == Wait && e.RefusalUncounted() && !e.RefusalDistrusted() {
		decision = decision.held(fact.RefusedByRule.With("code", e.DoubtedCode), answer)
	}
	return decision
}

// held waits for a person, and the authority is asked again by itself all the same.
func (d Decision) held(reason fact.Fact, answer Answer) Decision {
	d.Action, d.Reason, d.RetryAfter = Hold, reason, max(answer.RetryAfter, askAgainAfter)
	return d
}

// needsPerson says why only a person can end the doubt; none while asking may.
func (e Exchange) needsPerson(answer Answer) fact.Fact {
	if answer.NeedsPerson.None() && answer.Unreadable && e.SinceSent > unreadableFor {
		return fact.DocumentUnreadable.With("why", answer.Reason)
	}
	return answer.NeedsPerson
}

func (e Exchange) afterQuestion(answer Answer, authority Capabilities) Decision {
	switch answer.Outcome {
	case OutcomeAccepted:
		return e.afterFound(answer, authority)
	case OutcomeNotFound:
		return e.afterNotFound(answer, authority)
	}
	return e.after(answer)
}

func (e Exchange) afterFound(answer Answer, authority Capabilities) Decision {
	if answer.Match == MatchForeign && answer.usable() {
		// Where a second sending destroys what the first made, our document may still replace this one.
		within := time.Duration(authority.NotFounds) * authority.GracePeriod
		if authority.NotFounds > 1 && e.SinceSent < within {
			return e.notFoundYet(answer, within-e.SinceSent)
		}
		e.State, e.AccessKey, e.Rejection, e.Handling = NumberConflict, answer.Document.AccessKey, nil, ""
		return e.after(answer).alarmed(fact.NumberOfAnothersDocument.With("number", e.Number, "series", e.Series))
	}
	decision := e.accept(answer).after(answer)
	if answer.Match == MatchUnclear && answer.Document != nil && answer.Document.XML != nil {
		decision = decision.alarmed(fact.DocumentNotSentFromHere.With("number", e.Number, "series", e.Series))
	}
	return decision
}

func (e Exchange) afterNotFound(answer Answer, authority Capabilities) Decision {
	if e.AccessKey != "" {
		return e.after(answer) // the authority has said that it exists
	}
	since := e.SinceSent
	if e.NotFounds > 0 {
		since = min(since, e.SinceNotFound)
	}
	if since < authority.GracePeriod {
		return e.notFoundYet(answer, authority.GracePeriod-since)
	}
	e.NotFounds, e.SinceNotFound = e.NotFounds+1, 0
	if e.NotFounds < authority.NotFounds {
		return e.notFoundYet(answer, authority.GracePeriod)
	}
	if e.RefusalUncounted() {
		return e.notMadeInDoubt(answer)
	}
	if e.Rejection != nil && e.Handling != AlreadyExists && e.Handling != Uncatalogued {
		e = e.rejected()
		if e.Refused() {
			e.Ambiguous = false // as certain as a rejection: the note may end without asking again
		}
		return e.after(answer)
	}
	alreadyExists := e.Handling == AlreadyExists
	e.State, e.Ambiguous = Signed, e.Ambiguous || alreadyExists
	e.Rejection, e.Handling = nil, ""
	decision := e.after(answer)
	decision.Action = Send
	if alreadyExists && e.Kind == Issue {
		decision = decision.alarmed(fact.NumberInUseNotFound.With("number", e.Number, "series", e.Series))
	}
	return decision
}

// notFoundYet waits for the rest of a grace period, and a second more for
// clocks that differ.
func (e Exchange) notFoundYet(answer Answer, remaining time.Duration) Decision {
	decision := e.after(answer)
	decision.RetryAfter = max(decision.RetryAfter, remaining+time.Second)
	return decision
}

// accept takes over what exists. The exchange ends by it once it is ours, read
// and may be settled.
func (e Exchange) accept(answer Answer) Exchange {
	if answer.Document != nil {
		e.AccessKey = answer.Document.AccessKey
	}
	if answer.settles(e.Kind) {
		e.State, e.Document, e.EventXML = Accepted, answer.Document, answer.EventXML
		e.Rejection, e.Handling = nil, ""
		e.DoubtedCode, e.DoubtLeft = "", 0
	}
	return e
}

// rejected is what a rejection leads to when nothing can exist.
func (e Exchange) rejected() Exchange {
	switch e.Handling {
	case TryLater:
		e.State, e.Rejection, e.Handling = Signed, nil, ""
	case CertificateRefused:
		e.State = Unsigned
	default:
		e.State = Rejected
	}
	// A request to cancel has one layout only, and nothing that a person could correct.
	again := e.Handling == SignAgain && (e.Kind == Issue || e.Layout == "")
	if again || e.Handling == NeedsPerson && e.Kind == Issue {
		e.State = Unsigned
	}
	return e
}

// after is the decision once an answer has led to a state: an end is settled, what needs a new signature or another
// number gets it, and anything else waits.
func (e Exchange) after(answer Answer) Decision {
	decision := Decision{Exchange: e, Alarm: answer.Alarm, HoldSeries: answer.HoldSeries}
	switch e.State {
	case Accepted, Rejected:
		decision.Action = Settle
	case Unsigned:
		decision.Action = Sign
	case NumberConflict, UsedUp:
		decision.Action = NextNumber
	default:
		decision.Action, decision.RetryAfter = Wait, answer.RetryAfter
		decision.Code, decision.Reason = string(answer.Outcome), fact.CallCameTo.With("outcome", answer.Outcome)
		if summary := answer.Summary(); !summary.None() {
			decision.Reason = fact.CallCameToBecause.With("outcome", answer.Outcome, "why", summary)
		}
	}
	return decision
}

// alarmed puts an alarm of the rules in the place of the answer's.
func (d Decision) alarmed(alarm fact.Fact) Decision {
	d.Alarm = alarm
	return d
}

// AsksBlockingEvent reports whether an event on record may bar what a request about a document asked
// for, by the authority's refusal, and the question whether that exists all the same would
// count by now: then the events are read first. An issuance is about a document where it is to
// replace one.
func (e Exchange) AsksBlockingEvent(authority Capabilities) bool {
	return e.State == InDoubt && e.Handling == NeedsConfirmation &&
		e.SinceSent >= authority.GracePeriod
}

// Ended reports whether the authority's answer has ended the exchange, so that
// only the note is left to be settled.
func (e Exchange) Ended() bool { return e.State == Accepted || e.State == Rejected }

// NothingExists reports whether certainly nothing of ours is, or can still come
// to be, at the authority: the note may be cancelled without asking.
func (e Exchange) NothingExists() bool {
	switch e.State {
	case Unsigned, Signed:
		return !e.Ambiguous
	case NumberConflict, UsedUp:
		return true // nothing more is issued under the number of our sendings
	}
	return false
}
