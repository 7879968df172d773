package activities

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"

	"emissor/fiscal"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/workflows"
)

const (
	// leaseFor is how long an exchange is left to a sender that was cut off. One that
	// waits for an answer keeps its lease.
	leaseFor, leaseKept = 15 * time.Second, 5 * time.Second
	// stepsPerAttempt bounds the signatures, messages and questions of one attempt.
	stepsPerAttempt = 6
)

// Transmit signs, sends, and asks what became of it before anything is sent
// again, until the authority has given an answer that ends the exchange, or
// another number is needed. That the outcome is not known yet is an error, so that
// it is tried later.
func (a *Exchanges) Transmit(ctx context.Context, input workflows.ExchangeInput) (workflows.Transmission, error) {
	waits := attemptsNotFailed(ctx)
	defer heartbeat(ctx, waits)()
	t := a.newTransmission(input)
	result, err := t.run(ctx)
	var later RetryLater
	if errors.As(err, &later) {
		if later.NotFailed {
			activity.RecordHeartbeat(ctx, waits+1)
		}
		return result, later.atAuthority(ctx, max(1, attempt(ctx)-waits))
	}
	return result, soon(ctx, a.Logger.With("note_id", input.NoteID), err)
}

// attemptsNotFailed is how many attempts before this one only waited: pauses do not grow
// by them.
func attemptsNotFailed(ctx context.Context) (waits int) {
	if activity.HasHeartbeatDetails(ctx) {
		_ = activity.GetHeartbeatDetails(ctx, &waits) // of a version that said nothing: none
	}
	return waits
}

// TransmitAtOnce is the first attempt of Transmit, within the workflow task: one
// call, if the budget of the authority and the slots of this process have room for
// it. What it does not end is queued.
func (a *Exchanges) TransmitAtOnce(ctx context.Context, input workflows.ExchangeInput) (workflows.Transmission, error) {
	queued := workflows.Transmission{Queued: true}
	authority := a.Authorities[input.Authority]
	if authority == nil || waitsForTurns(authority, input.Kind) || !a.First.take(ctx, input.Authority, authoritySlots) {
		return queued, nil
	}
	t := a.newTransmission(input)
	t.atOnce = true
	defer func() { a.First.done(input.Authority, t.took, t.failed) }()
	if !a.Budget.take(ctx, input.Authority) {
		return queued, nil
	}
	a.Waits(activity.GetInfo(ctx).WorkflowExecution.RunID)
	result, err := t.run(ctx)
	var later RetryLater
	switch {
	case errors.As(err, &later):
		return workflows.Transmission{Queued: true, RetryAfter: authorityBackoff.AtLeast(later.After, 1)}, nil
	case err != nil:
		_ = a.failure(ctx, input.NoteID, err) // is logged
		return queued, nil
	}
	return result, nil
}

func (a *Exchanges) newTransmission(input workflows.ExchangeInput) *transmission {
	return &transmission{Exchanges: a, input: input, lease: store.Lease{Token: uuid.New(), For: leaseFor}}
}

// run executes the actions of the exchange, one after the other, as far as they go.
func (t *transmission) run(ctx context.Context) (workflows.Transmission, error) {
	// A call under way is finished, whatever asks the activity to stop: its outcome is worth a few seconds.
	uncut := context.WithoutCancel(ctx)
	defer t.release(uncut)
	for range stepsPerAttempt {
		result, done, err := t.step(uncut, ctx.Done())
		var missing *ActionRequired
		switch {
		case errors.As(err, &missing):
			fresh, err := t.hold(uncut, t.input.NoteID, missing)
			if err == nil && fresh && !missing.Answered {
				continue // what it misses may have come just before
			}
			return workflows.Transmission{Held: true}, err
		case err != nil || done:
			return result, err
		case t.atOnce && t.called:
			return workflows.Transmission{Queued: true}, nil
		case stopping(ctx):
			return result, RetryLater{Code: "stopped", Reason: "the worker stops"}
		}
	}
	return workflows.Transmission{}, RetryLater{
		Code: "unknown", Reason: "there is more to do than one attempt does", After: time.Second, NotFailed: true,
	}
}

// transmission is one attempt, by the only sender of its exchange.
type transmission struct {
	*Exchanges
	input  workflows.ExchangeInput
	lease  store.Lease
	leased bool
	atOnce bool  // within the workflow task: one call, already in the budget
	turn   *turn // to send under the exchange's series, while it is this attempt's
	inLine bool  // for that turn, at series
	series seriesKey

	called, failed bool // at the authority
	took           time.Duration
}

// release gives the turn back, or the place in line for it, and the lease if the
// exchange's end did not.
func (t *transmission) release(ctx context.Context) {
	t.endTurn(ctx)
	t.leaveLine()
	if t.leased {
		_ = t.Store.ReleaseExchange(ctx, t.input.NoteID, t.lease)
	}
}

// step executes the next action of the exchange. done is false when another one
// follows at once. It waits for a turn until stop.
func (t *transmission) step(ctx context.Context, stop <-chan struct{}) (result workflows.Transmission, done bool,
	err error) {
	leased, err := t.Store.LeaseExchange(ctx, t.input.NoteID, t.input.Kind, t.lease)
	if err != nil {
		return result, true, err
	}
	if leased == nil {
		live, err := t.Store.LiveNote(ctx, t.input.NoteID, t.input.Kind)
		if err != nil || live.Exchange == nil {
			return result, true, err
		}
		return t.withoutLease(live.Exchange)
	}
	t.leased = true
	live, err := t.Store.LeasedNote(ctx, t.input.NoteID, leased)
	if err != nil {
		return result, true, err
	}
	authority, session, err := t.session(ctx, live.Scope.OrganizationID, live.Exchange.Profile)
	if err != nil {
		return result, true, err
	}
	if waitsForTurns(authority, leased.Kind) && !leased.Sent() {
		if again, err := t.takeTurn(ctx, live, authority, session, stop); again || err != nil {
			return result, err != nil, err
		}
	}
	ok := true
	decision := leased.Next(authority.Capabilities())
	switch {
	case decision.Action == fiscal.Sign:
		return result, false, t.sign(ctx, live, authority, session)
	case decision.Action == fiscal.AskNumber:
		decision, ok, err = t.askNumber(ctx, leased, authority, session)
	case decision.Action == fiscal.Send, decision.Action == fiscal.Ask:
		decision, ok, err = t.call(ctx, live, decision.Action, authority, session)
	case decision.Exchange.State != leased.State: // ended without a call
		decision, ok, err = t.save(ctx, leased, authority.Name(), 0, fiscal.Answer{}, decision)
	}
	if err != nil || !ok {
		return result, true, err
	}
	return follow(decision, t.called)
}

// withoutLease: there is nothing to send or ask, or somebody else is at it.
func (t *transmission) withoutLease(e *store.Exchange) (result workflows.Transmission, done bool, err error) {
	switch e.State {
	case fiscal.Unsigned, fiscal.Signed, fiscal.InDoubt:
		return result, true, RetryLater{
			Code: "leased", Reason: "another worker is at this exchange, or was cut off", After: e.LeasedFor,
		}
	}
	return follow(e.Next(fiscal.Capabilities{}), false)
}

// follow is what a decision makes of the attempt: it goes on, ends, or is made
// again later. That another number is needed is seen by the workflow.
func follow(decision fiscal.Decision, answered bool) (result workflows.Transmission, done bool, err error) {
	switch decision.Action {
	case fiscal.Sign, fiscal.Send, fiscal.Ask, fiscal.AskNumber:
		return result, false, nil
	case fiscal.Wait:
		err = RetryLater{
			Code: decision.Code, Reason: cmp.Or(decision.Reason.English(), decision.Code), After: decision.RetryAfter,
			NotFailed: decision.Code == string(fiscal.OutcomeNotFound) && decision.RetryAfter > 0, // not found yet
		}
	case fiscal.Hold:
		err = &ActionRequired{Reason: decision.Reason, Answered: answered}
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
	request, err := t.request(ctx, live)
	if err != nil {
		return decision, false, err
	}
	var answer fiscal.Answer
	var callID int64
	since := time.Now() // a call that begins late ends no later, and its turn lasts as long
	if action == fiscal.Send {
		var turn time.Duration
		if t.turn != nil {
			turn = t.callLasts(authority.Name())
		}
		if callID, ok, err = t.Store.StartSending(ctx, e, t.lease, turn); err != nil || !ok {
			return decision, false, err
		}
		answer = t.bounded(ctx, authority.Name(), e.Kind.CallName(action), since,
			func(ctx context.Context) fiscal.Answer { return authority.Send(ctx, session, request) })
		decision = e.AfterSending(answer, t.UncataloguedFor)
	} else {
		if callID, err = t.Store.StartAsking(ctx, e, fiscal.Ask); err != nil {
			return decision, false, err
		}
		answer = t.bounded(ctx, authority.Name(), e.Kind.CallName(action), since,
			func(ctx context.Context) fiscal.Answer { return authority.Find(ctx, session, request) })
		decision = e.AfterAsking(answer, authority.Capabilities())
	}
	if err := t.refuseCertificate(ctx, decision, answer, request.Message().CertificateID, session); err != nil {
		return decision, false, err
	}
	if decision.Action == fiscal.Hold && live.HeldReason.Equal(decision.Reason) {
		decision.Alarm = fact.Fact{} // it was told
	}
	if decision.HoldSeries.None() { // the next one is sent while this answer is stored
		t.endTurn(ctx)
	}
	decision, ok, err = t.save(ctx, e, authority.Name(), callID, answer, decision)
	t.endTurn(ctx)
	// Until an answer is of another kind, the note waits for the same.
	waits := decision.Action == fiscal.Hold || decision.GoesOn() || decision.Exchange.Disposition == fiscal.Uncatalogued
	if err == nil && !waits {
		err = t.releaseNote(ctx, live)
	}
	return decision, ok, err
}

// refuseCertificate keeps the certificate that the authority refuses, by which a message or
// question was signed, from signing again.
func (t *transmission) refuseCertificate(ctx context.Context, decision fiscal.Decision, answer fiscal.Answer,
	certificate string, session fiscal.Session) error {
	if !decision.RefuseCertificate || certificate != session.Credentials.ID {
		return nil
	}
	return t.Store.RefuseCertificate(ctx, certificate, answer.Rejection.Code)
}

// request is what is sent and asked about.
func (t *transmission) request(ctx context.Context, live store.LiveNote) (fiscal.Request, error) {
	messages, err := t.Store.Messages(ctx, live.Exchange.ID)
	request := fiscal.Request{
		Kind: live.Exchange.Kind, Messages: messages, CorrelationID: fiscal.CorrelationID(live.ID),
	}
	if request.Kind == fiscal.Cancel {
		request.AccessKey = orEmpty(live.Authority.AccessKey)
	}
	return request, err
}

// bounded makes a call that ends in time, counted from a moment, and keeps the lease
// and the budget meanwhile. Where the time is over already nothing is called: this process was stopped,
// and others may have gone on.
func (t *transmission) bounded(ctx context.Context, authority, what string, since time.Time,
	call func(context.Context) fiscal.Answer) fiscal.Answer {
	ctx, cancel := context.WithDeadline(ctx, since.Add(t.CallTimeouts[authority]))
	defer cancel()
	go t.keepLease(ctx)
	spent := make(chan struct{})
	go func() {
		defer close(spent)
		if !t.atOnce {
			t.Budget.spend(ctx, authority)
		}
	}()
	started := time.Now()
	answer := fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, Reason: fact.CallTimeOver.Fact()}
	var ourFault error
	if ctx.Err() == nil {
		answer, ourFault = guarded(ctx, call)
	}
	<-spent
	t.called, t.took = true, time.Since(started)
	t.failed = failedForAll(answer)
	if ourFault != nil { // which says nothing of the authority, and what it did is not known
		answer = fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: failedHere}
		t.Metrics.RowFailed(LoopNotes)
		t.Logger.ErrorContext(ctx, "a call to an authority failed on our side", "note_id", t.input.NoteID,
			"authority", authority, "call", what, "error", ourFault)
	}
	t.Metrics.Asked(authority, what, string(answer.Outcome), t.took)
	return answer
}

// failedForAll reports that an answer is one that others would get as well: not what is
// said of one organization's certificate.
func failedForAll(answer fiscal.Answer) bool {
	switch {
	case !answer.NeedsPerson.None(), answer.Status == http.StatusUnauthorized, answer.Status == http.StatusForbidden:
		return false
	}
	return answer.Outcome == fiscal.OutcomeUnknown || answer.Outcome == fiscal.OutcomeNotDelivered
}

// keepLease prolongs the lease of a call that takes long, until ctx ends.
func (t *transmission) keepLease(ctx context.Context) {
	ticker := time.NewTicker(leaseKept)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			_ = t.Store.KeepExchange(ctx, t.input.NoteID, t.lease) // tried again, and lost at worst
		}
	}
}

func (t *transmission) save(ctx context.Context, e *store.Exchange, authority string, callID int64,
	answer fiscal.Answer, decision fiscal.Decision) (fiscal.Decision, bool, error) {
	saved, cancelled, err := t.Store.SaveDecision(ctx, e, t.lease, callID, answer, decision)
	if err != nil {
		return decision, false, err
	}
	t.leased = decision.GoesOn()
	t.alarm(ctx, authority, e.NoteID, decision.Alarm)
	if !saved {
		return decision, false, RetryLater{Code: "leased", Reason: "the lease of the exchange was lost"}
	}
	return decision, !cancelled, nil
}

// alarm tells of what a person should look at.
func (t *transmission) alarm(ctx context.Context, authority, noteID string, alarm fact.Fact) {
	if !alarm.None() {
		t.Metrics.Alarmed(authority)
		t.Logger.ErrorContext(ctx, "a person should look at a note", "note_id", noteID, "alarm", alarm)
	}
}
