package sefin

import (
	"cmp"
	"net/http"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/nfse/fact"
)

// subject is what a request is about, as the protocol has it for its kind: the
// document that a DPS becomes, or the event that a request about a document becomes.
type subject interface {
	kind() fiscal.Kind
	// sending returns the call that carries a message, in a member of its body.
	sending() (sending call, member string)
	// question returns the call that asks what became of the message.
	question() call

	// named reports whether an answer says that it exists.
	named(reply reply, body body, asked bool) (named bool, contradiction fact.Fact)
	// absent reports whether the authority says that it does not exist.
	absent(reply reply, body body) bool
	// mismatch says why an answer is not about it; none when it may be.
	mismatch(body body) fact.Fact
	// read reads an answer that names it.
	read(reply reply, body body, answer fiscal.Answer) fiscal.Answer
}

func (c *Client) subjectOf(request fiscal.Request) subject {
	if request.Kind == fiscal.Issue {
		return document{c, request}
	}
	return c.eventOf(request)
}

// interpretSent reads the answer to a message. What exists counts before what is
// refused, unless the answer is no success.
func interpretSent(reply reply, subject subject) fiscal.Answer {
	answer := reply.OfMessage()
	if !reply.Reason.None() {
		return answer
	}
	body := reply.body()
	answerErrors := reply.answerErrors(body)
	named, contradiction := subject.named(reply, body, false)
	switch {
	case !contradiction.None():
		return answer.Ambiguous(contradiction)
	case named && (reply.Successful() || len(answerErrors) == 0):
		return subject.read(reply, body, answer)
	case len(answerErrors) > 0:
		return interpretErrors(reply, subject.kind(), answerErrors, named, answer)
	case reply.badRequest():
		why := reply.unexpected(body)
		wordless := answerError{code: reply.ownCode(), text: why.English()}
		answer = interpretErrors(reply, subject.kind(), []answerError{wordless}, false, answer)
		if answer.Rejection != nil {
			answer.Rejection.Reason = why
		}
		return answer
	case reply.turnedAway(body):
		answer.Outcome, answer.NeedsPerson = fiscal.OutcomeNotDelivered, reply.person(body)
	default:
		answer.Alarm = reply.person(body)
	}
	answer.Reason = reply.unexpected(body)
	return answer
}

// interpretErrors reads a rejection. One that names what was asked for all the
// same counts only where it says that something exists already.
func interpretErrors(
	reply reply, kind fiscal.Kind, answerErrors []answerError, named bool, answer fiscal.Answer,
) fiscal.Answer {
	answer.Outcome = fiscal.OutcomeRejected
	answer.Rejection, answer.Disposition = reply.rejection(kind, answerErrors)
	answer.Unconfirmed = answer.Disposition == fiscal.NeedsPerson && reply.unconfirmed()
	if named && answer.Disposition != fiscal.AlreadyExists {
		return answer.Ambiguous(fact.SefinRefusesAndNames.With("code", answer.Rejection.Code))
	}
	if answer.Disposition == fiscal.SignAgain {
		for _, one := range answerErrors {
			answer.Layout = cmp.Or(answer.Layout, rules.LayoutAskedFor(one.complement))
		}
	}
	return answer
}

// interpretAsked reads the answer to a question. That nothing exists counts only
// as the authority's own word about this very subject in this very environment.
func interpretAsked(reply reply, subject subject) fiscal.Answer {
	answer := reply.OfQuestion()
	if !reply.Reason.None() {
		return answer
	}
	body := reply.body()
	named, contradiction := subject.named(reply, body, true)
	absent := !named && subject.absent(reply, body)
	if absent {
		contradiction = fact.First(contradiction, subject.mismatch(body), reply.otherEnvironment(body))
	}
	switch {
	case !contradiction.None():
		return answer.Ambiguous(contradiction)
	case absent:
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
	case named && reply.Successful():
		return subject.read(reply, body, answer)
	default:
		answer.Reason, answer.NeedsPerson = reply.unexpected(body), reply.person(body)
	}
	return answer
}

// interpretHead reads whether a document exists that the certificate may not see.
func interpretHead(head, forbidden reply) fiscal.Answer {
	answer := forbidden.OfQuestion()
	answer.RetryAfter = max(forbidden.RetryAfter, head.RetryAfter)
	answer.Reason = forbidden.unexpected(forbidden.body())
	switch {
	case !head.Reason.None():
		return answer
	case head.Successful():
		return answer.Ambiguous(fact.SefinDocumentHidden.Fact())
	case head.Status == http.StatusNotFound && head.authentic(body{}):
		return fiscal.Answer{Outcome: fiscal.OutcomeNotFound, Status: head.Status}
	}
	return answer
}

// interpretSentAgain reads the answer to a request about a document that was sent once more to
// learn what became of it. That it is refused by a rule shows that the first one had come to nothing.
func interpretSentAgain(reply reply, subject subject) fiscal.Answer {
	sent, answer := interpretSent(reply, subject), reply.OfQuestion()
	switch {
	case sent.Outcome == fiscal.OutcomeAccepted:
		return sent
	case sent.Outcome == fiscal.OutcomeRejected && sent.Disposition == fiscal.AlreadyExists:
		answer.Outcome, answer.Match, answer.Body = fiscal.OutcomeAccepted, fiscal.MatchOurs, nil
	case sent.Outcome == fiscal.OutcomeRejected && sent.Disposition.Ends():
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
	default:
		answer.Reason, answer.Alarm = sent.Summary(), sent.Alarm
		answer.NeedsPerson = reply.person(reply.body())
	}
	return answer
}
