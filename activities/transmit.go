package activities

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"emissor/fiscal"
	"emissor/store"
	"emissor/workflows"
)

const (
	// leaseMargin is how much longer a lease is than the call it covers.
	leaseMargin = 15 * time.Second
	// stepsPerAttempt bounds the signatures, messages and questions of one attempt.
	stepsPerAttempt = 4
)

// Transmit signs, sends, and asks what became of it before anything is sent
// again, until the authority has given an answer that ends the exchange, or
// another number is needed. That the outcome is not known yet is an error, so that
// it is tried later.
func (a *Exchanges) Transmit(ctx context.Context, input workflows.ExchangeInput) (workflows.Transmission, error) {
	defer heartbeat(ctx)()
	// A call under way is finished, whatever asks the activity to stop: its outcome is worth a few seconds.
	uncut := context.WithoutCancel(ctx)
	lease := store.Lease{Token: uuid.New(), For: a.CallTimeout + leaseMargin}
	t := transmission{Exchanges: a, input: input, lease: lease}
	defer func() { _ = a.Store.ReleaseExchange(uncut, input.NoteID, t.lease) }()
	for range stepsPerAttempt {
		result, done, err := t.step(uncut)
		var later RetryLater
		var missing *ActionRequired
		switch {
		case errors.As(err, &later):
			return result, later.atAuthority(ctx)
		case errors.As(err, &missing):
			fresh, err := a.hold(uncut, input.NoteID, missing)
			if err == nil && fresh {
				continue // what it misses may have come just before
			}
			return workflows.Transmission{Held: true}, a.failure(ctx, input.NoteID, err)
		case err != nil || done:
			return result, a.failure(ctx, input.NoteID, err)
		case stopping(ctx):
			return result, RetryLater{Code: "stopped", Reason: "the worker stops"}.atAuthority(ctx)
		}
	}
	later := RetryLater{Code: "unknown", Reason: "there is more to do than one attempt does"}
	return workflows.Transmission{}, later.atAuthority(ctx)
}

// transmission is one attempt, by the only sender of its exchange.
type transmission struct {
	*Exchanges
	input    workflows.ExchangeInput
	lease    store.Lease
	leasedAt time.Time
}

// step executes the next action of the exchange. done is false when another one
// follows at once.
func (t *transmission) step(ctx context.Context) (result workflows.Transmission, done bool, err error) {
	t.leasedAt = time.Now()
	leased, err := t.Store.LeaseExchange(ctx, t.input.NoteID, t.input.Kind, t.lease)
	if err != nil {
		return result, true, err
	}
	live, err := t.Store.LiveNote(ctx, t.input.NoteID, t.input.Kind)
	if err != nil || live.Exchange == nil {
		return result, true, err
	}
	if leased == nil {
		return t.withoutLease(live.Exchange)
	}
	live.Exchange = leased
	authority, session, err := t.session(ctx, live)
	if err != nil {
		return result, true, err
	}
	ok := true
	decision := leased.Next(authority.Capabilities())
	switch {
	case decision.Action == fiscal.Sign:
		return result, false, t.sign(ctx, live, authority, session)
	case decision.Action == fiscal.Send, decision.Action == fiscal.Ask:
		decision, ok, err = t.call(ctx, live, decision.Action, authority, session)
	case decision.Exchange.State != leased.State: // ended without a call
		decision, ok, err = t.save(ctx, leased, authority.Name(), 0, fiscal.Answer{}, decision)
	}
	if err != nil || !ok {
		return result, true, err
	}
	return follow(decision)
}

// withoutLease: there is nothing to send or ask, or somebody else is at it.
func (t *transmission) withoutLease(e *store.Exchange) (result workflows.Transmission, done bool, err error) {
	switch e.State {
	case fiscal.Unsigned, fiscal.Signed, fiscal.InDoubt:
		return result, true, RetryLater{
			Code: "leased", Reason: "another worker is at this exchange, or was cut off", After: t.lease.For / 4,
		}
	}
	return follow(e.Next(fiscal.Capabilities{}))
}

// follow is what a decision makes of the attempt: it goes on, ends, or is made
// again later. That another number is needed is seen by the workflow.
func follow(decision fiscal.Decision) (result workflows.Transmission, done bool, err error) {
	switch decision.Action {
	case fiscal.Sign, fiscal.Send, fiscal.Ask:
		return result, false, nil
	case fiscal.Wait:
		err = RetryLater{Code: decision.Code, Reason: decision.Reason, After: decision.RetryAfter}
	case fiscal.Hold:
		err = &ActionRequired{Reason: decision.Reason}
	}
	result.Settled = decision.Action == fiscal.Settle
	return result, true, err
}

// call sends the message, or asks what became of it, and stores what the answer
// makes of the exchange. ok is false when a cancellation comes first: then the
// note is looked at again.
func (t *transmission) call(ctx context.Context, live store.LiveNote, action fiscal.Action, authority fiscal.Authority,
	session fiscal.Session) (decision fiscal.Decision, ok bool, err error) {
	e := live.Exchange
	if err := t.release(ctx, live); err != nil {
		return decision, false, err
	}
	request, err := t.request(ctx, live)
	if err != nil {
		return decision, false, err
	}
	var answer fiscal.Answer
	var callID int64
	if action == fiscal.Send {
		if callID, ok, err = t.Store.StartSending(ctx, e, t.lease); err != nil || !ok {
			return decision, false, err
		}
		answer = t.bounded(ctx, authority.Name(), e.Kind.CallName(action), func(ctx context.Context) fiscal.Answer {
			return authority.Send(ctx, session, request)
		})
		decision = e.AfterSending(answer)
	} else {
		if callID, err = t.Store.StartAsking(ctx, e); err != nil {
			return decision, false, err
		}
		answer = t.bounded(ctx, authority.Name(), e.Kind.CallName(action), func(ctx context.Context) fiscal.Answer {
			return authority.Find(ctx, session, request)
		})
		decision = e.AfterAsking(answer, authority.Capabilities())
	}
	certificate := request.Message().CertificateID
	if decision.RefuseCertificate && certificate == session.Credentials.ID {
		if err := t.Store.RefuseCertificate(ctx, certificate, answer.Rejection.Code); err != nil {
			return decision, false, err
		}
	}
	return t.save(ctx, e, authority.Name(), callID, answer, decision)
}

// request is what is sent and asked about.
func (t *transmission) request(ctx context.Context, live store.LiveNote) (fiscal.Request, error) {
	messages, err := t.Store.Messages(ctx, live.Exchange.ID)
	request := fiscal.Request{
		Kind: live.Exchange.Kind, Messages: messages, CorrelationID: fiscal.CorrelationID(live.ID),
	}
	if request.Kind == fiscal.Cancel {
		request.AccessKey = *live.Authority.AccessKey
	}
	return request, err
}

// bounded makes a call that ends well before the lease that covers it.
func (t *transmission) bounded(ctx context.Context, authority, what string,
	call func(context.Context) fiscal.Answer) fiscal.Answer {
	ctx, cancel := context.WithDeadline(ctx, t.leasedAt.Add(t.CallTimeout))
	defer cancel()
	started := time.Now()
	answer := call(ctx)
	t.Metrics.Asked(authority, what, string(answer.Outcome), time.Since(started))
	return answer
}

func (t *transmission) save(ctx context.Context, e *store.Exchange, authority string, callID int64,
	answer fiscal.Answer, decision fiscal.Decision) (fiscal.Decision, bool, error) {
	saved, cancelled, err := t.Store.SaveDecision(ctx, e, t.lease, callID, answer, decision)
	if err != nil {
		return decision, false, err
	}
	if decision.Alarm != "" {
		t.Metrics.Alarmed(authority)
		t.Logger.ErrorContext(ctx, "a person should look at a note", "note_id", e.NoteID, "alarm", decision.Alarm)
	}
	if !saved {
		return decision, false, RetryLater{Code: "leased", Reason: "the lease of the exchange was lost"}
	}
	return decision, !cancelled, nil
}
