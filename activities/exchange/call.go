package exchange

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/internal/metrics"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
)

// caller makes the calls of an attempt to an authority, each within its time.
type caller struct {
	exchangeLease *exchangeLease
	timeouts      map[string]time.Duration                    // by authority
	spend         func(ctx context.Context, authority string) // counts a call in the budget of its authority
	metrics       *metrics.Metrics
	logger        *slog.Logger

	called, failed bool          // at the authority
	took           time.Duration // of all calls
}

// call makes a call with a deadline, counted from a moment, prolongs the lease meanwhile and
// counts the call in the budget. After the deadline no call is made: this process was
// suspended, and another may have taken over.
func (c *caller) call(ctx context.Context, authority, what string, since time.Time,
	do func(context.Context) fiscal.Answer) fiscal.Answer {
	ctx, cancel := context.WithDeadline(ctx, since.Add(c.timeouts[authority]))
	defer cancel()
	ctx = mtls.WithClock(ctx, func(ahead time.Duration) { c.metrics.ClockAhead(authority, ahead) })
	go c.exchangeLease.keep(ctx)
	spent := make(chan struct{})
	go func() {
		defer close(spent)
		if c.spend != nil {
			c.spend(ctx, authority)
		}
	}()
	started := time.Now()
	answer := fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: fact.CallTimeOver.Fact()}
	var ownError error
	if ctx.Err() == nil {
		answer, ownError = guardedCall(ctx, authority, what, do)
	}
	<-spent
	took := time.Since(started)
	c.called, c.took = true, c.took+took
	c.failed = failedForAll(answer)
	if ownError != nil { // a failure here, not of the authority: whether it acted is not known
		answer = fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: activities.FailedHere}
		c.metrics.RowFailed(activities.LoopNotes)
		c.logger.ErrorContext(ctx, "a call to an authority failed on our side", "note_id", c.exchangeLease.noteID,
			"authority", authority, "call", what, "error", ownError)
	}
	c.metrics.RecordAuthorityCall(authority, what, string(answer.Outcome), took)
	return answer
}

// guardedCall is guarded, with a span.
func guardedCall(ctx context.Context, authority, what string, do func(context.Context) fiscal.Answer) (
	answer fiscal.Answer, err error) {
	ctx, span := startCall(ctx, authority, what)
	answer, err = activities.Guarded(ctx, do)
	if failedForAll(answer) && !answer.Reason.None() {
		span.Failed(string(answer.Reason.Code))
	}
	endCall(span, answer.Outcome, answer.Status, err)
	return answer, err
}

// startCall starts the span of a call to an authority.
func startCall(ctx context.Context, authority, what string) (context.Context, *trace.Span) {
	ctx, span := trace.StartCall(ctx, "call an authority")
	span.Authority(authority, what)
	return ctx, span
}

// endCall ends it.
func endCall[Outcome ~string](span *trace.Span, outcome Outcome, status int, err error) {
	span.Outcome(string(outcome))
	span.Status(status)
	span.End(err)
}

// failedForAll reports whether a call failed in a way that other organizations' calls would
// too: not because of one organization's certificate.
func failedForAll(answer fiscal.Answer) bool {
	switch {
	case !answer.NeedsPerson.None(), answer.Status == http.StatusUnauthorized, answer.Status == http.StatusForbidden:
		return false
	}
	return answer.Outcome == fiscal.OutcomeUnknown || answer.Outcome == fiscal.OutcomeNotDelivered
}

// send sends the message of an exchange: one that was just signed, or else the stored one.
// It saves what follows from the answer for the exchange.
func (t *exchangeAttempt) send(ctx context.Context, live lifecycle.LiveNote, signed *fiscal.Message,
	authority fiscal.Authority, access fiscal.Access) (done bool, err error) {
	if !t.gate.mayCall(ctx, authority.Name()) {
		return true, errQueued
	}
	e := *live.Exchange
	request := t.request(live)
	if signed != nil {
		request.Messages = []fiscal.Message{*signed}
	} else if request.Messages, err = t.Store.Exchanges.Messages(ctx, e.ID); err != nil {
		return true, err
	}
	since := time.Now() // the deadline of the call counts from here, and so does that of the turn
	sending := lifecycle.Sending{}
	if waitsForTurns(authority, e.Kind) {
		if sending, err = t.turns.toSend(&e, t.CallTimeouts[authority.Name()]); err != nil {
			return true, err
		}
	}
	sending.Message = signed
	callID, ok, err := t.Store.Lifecycle.StartSending(ctx, &e, t.exchangeLease.lease, sending)
	if err == nil && !ok && sending.Turn > 0 {
		return t.notSent(ctx)
	}
	if err != nil || !ok {
		return true, err
	}
	if signed != nil {
		e.State, e.Signings = fiscal.Signed, e.Signings+1
	}
	answer := t.caller.call(ctx, authority.Name(), e.Kind.CallName(fiscal.Send), since,
		func(ctx context.Context) fiscal.Answer { return authority.Send(ctx, access, request) })
	live.Exchange = &e
	return t.answered(ctx, live, authority, access, request, callID, answer,
		e.AfterSending(answer, t.UncataloguedFor))
}

// notSent goes back in line with what was not sent in its turn, as another has the turn or the
// number is to be asked about again: unless a cancellation came first, which is then to be done.
func (t *exchangeAttempt) notSent(ctx context.Context) (done bool, err error) {
	t.turns.end(ctx)
	note, err := t.Store.Lifecycle.NoteState(ctx, t.input.NoteID)
	return err != nil || note.CancellationPending && !note.Sent, err
}

// ask asks the authority what became of what was sent, and saves what follows from the
// answer for the exchange.
func (t *exchangeAttempt) ask(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (done bool, err error) {
	if !t.gate.mayCall(ctx, authority.Name()) {
		return true, errQueued
	}
	if done, err := t.findBlockingEvent(ctx, live, authority, access); err != nil || done {
		return true, err
	}
	e, request := live.Exchange, t.request(live)
	if request.Messages, err = t.Store.Exchanges.Messages(ctx, e.ID); err != nil {
		return true, err
	}
	if len(request.Messages) == 0 && e.Kind == fiscal.Issue {
		message, err := t.rebuildMessage(ctx, live, authority, access)
		if err != nil {
			return true, err
		}
		request.Messages = []fiscal.Message{message}
	}
	since := time.Now()
	callID, err := t.Store.Lifecycle.StartAsking(ctx, e, fiscal.Ask)
	if err != nil {
		return true, err
	}
	return t.find(ctx, live, authority, access, request, callID, since)
}

// rebuildMessage builds the message of an exchange whose number was taken over, as something exists under it, and whose
// sent message is not on record: what exists is compared with this one, which is never sent.
func (t *exchangeAttempt) rebuildMessage(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (message fiscal.Message, err error) {
	declared := declaration(live, live.Exchange.Profile)
	if declared.Cities, _, err = t.Cities.Known(ctx, authority, declared); err != nil {
		return message, err
	}
	if message, err = t.message(ctx, live, declared, authority, access); err != nil {
		return message, err
	}
	return message, t.Store.Exchanges.SaveRecoveredMessage(ctx, live.Exchange.ID, message)
}

// find is ask where the call is recorded, and all messages are known.
func (t *exchangeAttempt) find(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access, request fiscal.Request, callID int64, since time.Time) (done bool, err error) {
	e := live.Exchange
	answer := t.caller.call(ctx, authority.Name(), e.Kind.CallName(fiscal.Ask), since,
		func(ctx context.Context) fiscal.Answer { return authority.Find(ctx, access, request) })
	return t.answered(ctx, live, authority, access, request, callID, answer,
		e.AfterAsking(answer, authority.Capabilities()))
}

// request is what is sent or asked about, without its messages.
func (t *exchangeAttempt) request(live lifecycle.LiveNote) fiscal.Request {
	request := fiscal.Request{Kind: live.Exchange.Kind, CorrelationID: fiscal.CorrelationID(live.ID)}
	request.MunicipalRegistration = nfse.OrEmpty(live.Exchange.Profile.MunicipalRegistration)
	request.AccessKey = live.Exchange.AccessKey
	if request.Kind != fiscal.Issue {
		request.AccessKey = nfse.OrEmpty(live.Authority.AccessKey)
	}
	return request
}

// answered saves what follows from an answer for an exchange, and releases its note unless
// the note is still held or is held for something else now.
func (t *exchangeAttempt) answered(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access, request fiscal.Request, callID int64, answer fiscal.Answer,
	decision fiscal.Decision) (done bool, err error) {
	decision = withRepair(live, authority, decision)
	certificate := request.Message().CertificateID
	if err := t.saver.refuseCertificate(ctx, decision, answer, certificate, access); err != nil {
		return true, err
	}
	if decision.Action == fiscal.Hold && live.HeldReason.Equal(decision.Reason) {
		decision.Alarm = fact.Fact{} // it is recorded already
	}
	// What is to be asked about at once is asked about with what is known here.
	asks := decision.Action == fiscal.Ask && t.gate.mayGoOn() && len(request.Messages) == live.Exchange.Signings
	asking, done, err := t.save(ctx, live, authority, callID, answer, decision, request.Messages, asks)
	if asking != 0 && err == nil {
		e := *live.Exchange
		e.Exchange = decision.Exchange
		live.Exchange = &e
		request.AccessKey = t.request(live).AccessKey // which the answer may have named
		t.next = func(ctx context.Context) (done bool, err error) {
			return t.find(ctx, live, authority, access, request, asking, time.Now())
		}
	}
	return done, err
}
