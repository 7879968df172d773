package issnet

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

// maxBody are the bytes of an answer, a note among them, before anything of it is unescaped.
const maxBody = 1 << 20

// reply is what became of a call: an answer of the service that was read, or a reason why there is
// none.
type reply struct {
	mtls.Reply
	read    *answered // nil: none
	isFault bool      // a SOAP fault, which says nothing
	problem fact.Fact // why an answer that came whole was not read; none when it was
	beyond  bool      // the answer exceeds the bounds of what is read
}

// call makes one call, once.
func (c *Client) call(ctx context.Context, access fiscal.Access, what operation, content []byte) reply {
	began := time.Now()
	r := c.attempt(ctx, access, what, content)
	c.log.LogAttrs(ctx, slog.LevelDebug, "asked the authority", slog.String("call", what.name),
		slog.Bool("production", access.Production), slog.Int("status", r.Status), slog.Bool("sent", r.Sent),
		slog.Any("reason", r.why()), slog.Duration("took", time.Since(began)))
	return r
}

func (c *Client) attempt(ctx context.Context, access fiscal.Access, what operation, content []byte) (r reply) {
	base := c.base(access.Production)
	switch {
	case base == nil:
		return reply{Reply: mtls.Reply{Reason: fact.CallNotServed.Fact()}}
	case access.Credentials == nil:
		return reply{Reply: mtls.Reply{Reason: fact.CallWithoutCertificate.Fact()}}
	}
	got := c.http.Do(ctx, access.Credentials.Certificate, access.Production, mtls.Request{
		Call: what.call, Method: http.MethodPost, URL: base.String(), Header: what.header(), Body: what.envelope(content),
		MaxBody: maxBody,
	})
	c.http.Interpret(func() { r = readReply(what, got) })
	return r
}

func readReply(what operation, got mtls.Reply) reply {
	r := reply{Reply: got}
	if !got.Reason.None() {
		return r
	}
	found, isFault, err := open(got.Body, what)
	switch {
	case err != nil:
		r.problem = fact.CityAnswerUnread.With("why", fact.OfError(err))
		r.beyond = errors.Is(err, xmlread.ErrExceeded)
	case isFault:
		r.isFault, r.problem = true, fact.CityFault.Fact()
	default:
		read := readAnswer(found)
		r.read = &read
	}
	return r
}

// operationUnknown reports whether the server may not know the operation: a fault, or E232 alone.
func (r reply) operationUnknown() bool {
	return r.isFault || r.read != nil && len(r.read.refusals) > 0 && len(r.read.notes) == 0 &&
		!slices.ContainsFunc(r.read.refusals, func(m message) bool { return m.Code != "E232" })
}

// why says why there is no answer that was read.
func (r reply) why() fact.Fact { return fact.First(r.Reason, r.problem) }

// unanswered is the answer to a message where nothing was read: anything may have happened, unless it
// was turned away before it was read.
func (r reply) unanswered() fiscal.Answer {
	answer := r.OfMessage()
	answer.Reason = r.why()
	if !r.Reason.None() {
		return answer
	}
	turnedAway := fact.CityRefusedUnread.With("status", http.StatusText(r.Status))
	switch {
	case r.ShutOut(): // a page: no certificate that the server lets in
		answer.Outcome = fiscal.OutcomeNotDelivered
		return mtls.RefusesCertificate(answer, r.ShutOutReason())
	case r.Status == http.StatusNotFound:
		answer.Outcome, answer.Reason = fiscal.OutcomeNotDelivered, fact.CityServiceNotThere.Fact()
		answer.NeedsPerson = answer.Reason
	case r.RefusedUnread(http.StatusUnsupportedMediaType):
		answer.Outcome, answer.Reason = fiscal.OutcomeNotDelivered, turnedAway
	case r.Status >= 300 && r.Status < 400: // it is not followed: a POST would become another call there
		answer.Reason = fact.CityServerMoved.With("status", r.Status)
		answer.NeedsPerson, answer.Alarm = answer.Reason, answer.Reason
	case r.beyond:
		answer.NeedsPerson = answer.Reason
	}
	return answer
}

// unansweredQuestion is the same of a question, which changes nothing, delivered or not.
func (r reply) unansweredQuestion() fiscal.Answer {
	answer := r.unanswered()
	answer.Outcome = fiscal.OutcomeUnknown
	return answer
}
