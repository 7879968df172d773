package sefin

import (
	"cmp"
	"net/http"
	"slices"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
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
	named(reply reply, body body, asked bool) bool
	// absent reports whether the authority says that it does not exist.
	absent(reply reply, body body) bool
	// mismatch says why an answer by which it does not exist, or is refused, is not about it; none when it may be.
	mismatch(body body) fact.Fact
	// read reads an answer that names it. MatchOurs says that it is proved: see evidence.go.
	read(reply reply, body body, answer fiscal.Answer) fiscal.Answer
}

func (c *Client) subjectOf(request fiscal.Request) subject {
	if request.Kind == fiscal.Issue {
		return document{client: c, request: request}
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
	read, named := subject.read(reply, body, answer), subject.named(reply, body, false)
	switch {
	case read.Match == fiscal.MatchOurs || named && (reply.Successful() || len(answerErrors) == 0):
		return read
	case reply.shutsOut(body):
		answer.Outcome = fiscal.OutcomeNotDelivered
		return mtls.RefusesCertificate(answer, reply.ShutOutReason())
	case len(answerErrors) > 0:
		return interpretErrors(reply, body, subject, answerErrors, named, answer)
	case reply.badRequest():
		why := reply.unexpected(body)
		wordless := answerError{code: reply.ownCode(), text: why.English()}
		answer = interpretErrors(reply, body, subject, []answerError{wordless}, false, answer)
		if answer.Rejection != nil {
			answer.Rejection.Reason = why
		}
		return answer
	case reply.Status == http.StatusRequestEntityTooLarge:
		answer.Reason = fact.SefinBodyNotTaken.Fact()
		if reply.HeldBack {
			answer.Alarm = answer.Reason
		}
		return answer
	case reply.RefusedUnread() && reply.dialect == nil:
		answer.Outcome = fiscal.OutcomeNotDelivered
	default:
		answer.Alarm = reply.needsPerson(body)
	}
	answer.Reason = reply.unexpected(body)
	return answer
}

// interpretErrors reads a rejection. One that names what was asked for all the
// same counts only where it says that something exists already; one of something else is none.
func interpretErrors(
	reply reply, body body, subject subject, answerErrors []answerError, named bool, answer fiscal.Answer,
) fiscal.Answer {
	if another := fact.First(subject.mismatch(body), reply.otherEnvironment(body)); !named && !another.None() {
		return answer.Ambiguous(another)
	}
	answer.Outcome = fiscal.OutcomeRejected
	answer.Rejection, answer.Handling = reply.rejection(subject.kind(), answerErrors)
	if subject.kind() == fiscal.Issue && doubtful(answerErrors) {
		answer.DoubtFor = reply.doubtFor
	}
	answer.Unconfirmed = answer.Handling == fiscal.NeedsPerson && reply.unconfirmed()
	if named && answer.Handling != fiscal.AlreadyExists {
		return answer.Ambiguous(fact.SefinRefusesAndNames.With("code", answer.Rejection.Code))
	}
	if answer.Handling == fiscal.SignAgain {
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
	read, named := subject.read(reply, body, answer), subject.named(reply, body, true)
	another := fact.First(subject.mismatch(body), reply.otherEnvironment(body))
	absent := !named && subject.absent(reply, body)
	switch {
	case read.Match == fiscal.MatchOurs || named && reply.Successful():
		return read
	case absent && !another.None():
		return answer.Ambiguous(another)
	case absent:
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
	case reply.shutsOut(body):
		return mtls.RefusesCertificate(answer, reply.ShutOutReason())
	default:
		answer.Reason, answer.NeedsPerson = reply.unexpected(body), reply.needsPerson(body)
	}
	return answer
}

// interpretHead reads whether a document exists that the certificate may not see.
func interpretHead(head, forbidden reply) fiscal.Answer {
	answer := forbidden.OfQuestion()
	answer.RetryAfter = max(forbidden.RetryAfter, head.RetryAfter)
	said := forbidden.body()
	answer.Reason = forbidden.unexpected(said)
	switch {
	case head.ShutOut() && forbidden.shutsOut(said):
		return mtls.RefusesCertificate(answer, forbidden.ShutOutReason())
	case !head.Reason.None():
		return answer
	case head.Successful():
		return answer.Ambiguous(fact.SefinDocumentHidden.Fact())
	case head.Status == http.StatusNotFound && head.authentic(body{}):
		return fiscal.Answer{Outcome: fiscal.OutcomeNotFound, Status: head.Status}
	}
	return answer
}

// interpretExists reads the answer to a HEAD that was asked for itself.
func interpretExists(head reply) fiscal.Answer {
	answer := head.OfQuestion()
	switch {
	case !head.Reason.None():
	case head.Successful():
		answer.Outcome = fiscal.OutcomeAccepted
	case head.Status == http.StatusNotFound && head.authentic(body{}):
		answer.Outcome = fiscal.OutcomeNotFound
	case head.ShutOut():
		return mtls.RefusesCertificate(answer, head.ShutOutReason())
	default:
		answer.Reason = head.unexpected(body{})
	}
	return answer
}

// interpretSentAgain reads the answer to a request about a document that was sent once more to
// learn what became of it. That it is refused by a rule shows that the first one had come to nothing;
// by a code that nobody knows it shows nothing, as it will when it is sent again.
func interpretSentAgain(reply reply, subject subject) fiscal.Answer {
	sent, answer := interpretSent(reply, subject), reply.OfQuestion()
	switch {
	case sent.Outcome == fiscal.OutcomeAccepted:
		return sent
	case sent.Outcome == fiscal.OutcomeRejected && sent.Handling == fiscal.AlreadyExists:
		answer.Outcome, answer.Match, answer.Body = fiscal.OutcomeAccepted, fiscal.MatchOurs, nil
	case sent.Outcome == fiscal.OutcomeRejected && sent.Handling.Ends():
		answer.Outcome, answer.Body = fiscal.OutcomeNotFound, nil
	default:
		answer.Reason, answer.Alarm = sent.Summary(), sent.Alarm
		answer.NeedsPerson = fact.First(sent.NeedsPerson, reply.needsPerson(reply.body()), reply.unexplained(sent))
		answer.RetryAfter = max(answer.RetryAfter, sent.RetryAfter)
	}
	return answer
}

// unexplained says that a request is refused by a code of no catalogue, which is not one of a failure.
func (r reply) unexplained(sent fiscal.Answer) fact.Fact {
	if sent.Handling != fiscal.Uncatalogued || r.unconfirmed() ||
		slices.Contains(r.dialect.rules().Failures, sent.Rejection.Code) {
		return fact.Fact{}
	}
	return fact.UncataloguedCode.With("code", sent.Rejection.Code)
}
