package nfews

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

const (
	maxMessage = 500 << 10 // bytes that the service takes (1101)
	maxBody    = 1 << 20   // of an answer: fifty notes
)

// reply is what became of a call: a document of the service that was read, or a
// reason why there is none.
type reply struct {
	mtls.Reply
	retorno  retorno
	document []byte    // it was read of; nil when there is none
	fault    string    // words of a SOAP fault; empty when there is none
	problem  fact.Fact // why an answer that came whole has no document; none when it has
	beyond   bool      // the answer exceeds the bounds of what is read
}

// call makes one call, once.
func (c *Client) call(ctx context.Context, access fiscal.Access, what operation, message []byte) reply {
	began := time.Now()
	r := c.attempt(ctx, access, what, message)
	c.log.LogAttrs(ctx, slog.LevelDebug, "asked the authority", slog.String("call", what.name),
		slog.Int("status", r.Status), slog.Bool("sent", r.Sent), slog.Any("reason", r.why()),
		slog.Duration("took", time.Since(began)))
	return r
}

func (c *Client) attempt(ctx context.Context, access fiscal.Access, what operation, message []byte) reply {
	switch {
	case c.url == nil:
		return notSent(fact.CityNotServed.Fact())
	case access.Credentials == nil:
		return notSent(fact.CallWithoutCertificate.Fact())
	case len(message) > maxMessage:
		return notSent(fact.CityMessageTooLarge.With("kb", maxMessage>>10))
	}
	return c.read(what, c.http.Do(ctx, access.Credentials.Certificate, access.Production, mtls.Request{
		Call: what.call, Method: http.MethodPost, URL: c.url.String(), Header: c.soap.header(what),
		Body: c.soap.envelope(what, message), MaxBody: maxBody,
	}))
}

func notSent(reason fact.Fact) reply { return reply{Reply: mtls.Reply{Reason: reason}} }

// read reads an answer when one of the few slots for it is free.
func (c *Client) read(what operation, got mtls.Reply) reply {
	defer c.http.Interpreting()()
	return readReply(what, got)
}

func readReply(what operation, got mtls.Reply) reply {
	r := reply{Reply: got}
	if !got.Reason.None() {
		return r
	}
	envelope, err := open(got.Body, what)
	if err == nil && envelope.fault == "" {
		r.retorno, err = readRetorno(envelope.document, what)
	}
	switch {
	case err != nil:
		r.problem = fact.CityAnswerUnread.With("why", fact.OfError(err))
		r.beyond = errors.Is(err, xmlread.ErrExceeded)
	case envelope.fault != "":
		r.fault = envelope.fault
	default:
		r.document = envelope.document
	}
	return r
}

// why says why there is no document.
func (r reply) why() fact.Fact {
	var fault fact.Fact
	if r.fault != "" {
		fault = fact.CityFault.Fact()
	}
	return fact.First(r.Reason, r.problem, fault)
}

// answer returns what holds for any reply: nothing is known yet.
func (r reply) answer() fiscal.Answer {
	answer := r.OfQuestion()
	answer.Reason = r.why()
	return answer
}

// refusedUnread reports whether a request was refused before any message of it was
// read, and what a person must do about it, if only a person can. A 429 is not believed: of this
// city nobody has reported one, and a second sending destroys what the first one made.
func (r reply) refusedUnread() (refusedUnread bool, needsPerson fact.Fact) {
	switch {
	case r.document != nil:
		return false, fact.Fact{}
	case refusesEnvelope(r.fault), r.fault == "" && r.Status == http.StatusUnsupportedMediaType:
		return true, fact.CityRefusesEnvelope.Fact()
	case r.fault == "" && r.Status == http.StatusUpgradeRequired:
		return true, fact.Fact{}
	}
	return false, fact.Fact{}
}

// unanswered is the answer of a reply that has no document to read.
func (r reply) unanswered() fiscal.Answer {
	if !r.Reason.None() {
		return r.OfMessage()
	}
	answer := r.answer()
	if r.fault == "" && r.ShutOut() {
		answer.Outcome = fiscal.OutcomeNotDelivered
		return mtls.RefusesCertificate(answer, r.ShutOutReason())
	}
	if refusedUnread, needsPerson := r.refusedUnread(); refusedUnread {
		answer.Outcome, answer.NeedsPerson = fiscal.OutcomeNotDelivered, needsPerson
		answer.Reason = fact.CityRefusedUnread.With("status", http.StatusText(r.Status))
		return answer
	}
	if r.beyond {
		answer.NeedsPerson = answer.Reason
	}
	return answer
}
