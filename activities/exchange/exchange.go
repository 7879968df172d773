package exchange

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/sdk/activity"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/workflows"
)

const (
	// leaseFor is how long others wait for an attempt that was cut off. One that waits
	// for an answer prolongs its lease every leaseKept.
	leaseFor, leaseKept = 15 * time.Second, 5 * time.Second
	// stepsPerAttempt bounds the numbers, signatures, messages and questions of one attempt.
	stepsPerAttempt = 8
	// stepMargin is what a step may take beside its calls: waiting for its turn, and the database.
	stepMargin = time.Minute
)

// Exchange runs a live note's exchange as far as it can go, on the authority's queue: number,
// sign, send, ask what became of it before anything is sent again, and settle. It returns an
// error while the outcome is not known, so that it is tried again later.
func (a *Exchanges) Exchange(ctx context.Context, input workflows.ExchangeInput) (workflows.ExchangeResult, error) {
	before := attemptsBefore(ctx)
	defer activities.Heartbeat(ctx, before)()
	attempt := a.newAttempt(ctx, input)
	attempt.enter(&queueGate{attempt: attempt, stopping: func() bool { return activities.Stopping(ctx) }})
	result, err := attempt.run(ctx)
	var later activities.RetryLater
	if errors.As(err, &later) {
		return result, before.recordFailure(ctx, later)
	}
	return result, activities.RetrySoon(ctx, a.Logger.With("note_id", input.NoteID), err)
}

// exchangeAttempts is what heartbeats carry from one attempt at an exchange to the next.
type exchangeAttempts struct {
	// Failed makes the pauses longer. It counts neither attempts that only waited nor those that were cut off with
	// their worker: after these a note that fails once more would wait as if its authority had failed as often.
	Failed int
}

// recordFailure is the error of an attempt that is to be made again, which it records where it failed.
func (before exchangeAttempts) recordFailure(ctx context.Context, later activities.RetryLater) error {
	if !later.NotFailed {
		before.Failed++
		activity.RecordHeartbeat(ctx, before)
	}
	return later.AtAuthority(before.Failed)
}

// attemptsBefore is what the attempts before this one have left; nothing of a version that recorded something else.
func attemptsBefore(ctx context.Context) (before exchangeAttempts) {
	if activity.HasHeartbeatDetails(ctx) && activity.GetHeartbeatDetails(ctx, &before) != nil {
		return exchangeAttempts{}
	}
	return before
}

// ExchangeAtOnce is the first attempt of Exchange, within the workflow task. It calls the
// authority if its budget and the slots of this process allow it: once, or, where what is sent
// takes turns, as often as a note needs that has its turn soon. An exchange that has not ended
// then goes on at the authority's queue.
func (a *Exchanges) ExchangeAtOnce(ctx context.Context,
	input workflows.ExchangeInput) (workflows.ExchangeResult, error) {
	attempt := a.newAttempt(ctx, input)
	gate := &firstGate{attempt: attempt, waits: a.waitsForOthers(ctx)}
	defer gate.close()
	attempt.enter(gate)
	result, err := attempt.run(ctx)
	var later activities.RetryLater
	if errors.As(err, &later) && attempt.authority != "" {
		result, err = attempt.queued(activities.AuthorityBackoff.AtLeast(later.After, 1)), nil
	}
	if err == nil && result.Queued {
		err = attempt.begin(ctx)
	}
	return result, a.failure(ctx, input.NoteID, err)
}

// begin moves a note to processing that waits at the queue before anything was sent: so
// others see it, and when something it misses is there it is woken up.
func (t *exchangeAttempt) begin(ctx context.Context) error {
	if t.caller.called || t.state.Status != nfse.StatusQueued {
		return nil
	}
	_, err := t.Store.Lifecycle.BeginNote(context.WithoutCancel(ctx), t.input.NoteID)
	return err
}

// exchangeAttempt runs one exchange of a note as far as it can go; a lease keeps others out.
type exchangeAttempt struct {
	*Exchanges
	input         workflows.ExchangeInput
	gate          gate
	exchangeLease *exchangeLease
	caller        caller
	turns         turnTaker
	saver         saver

	authority string // once it is known
	state     workflows.NoteState
	held      bool                                         // the note is held for a person, or was before
	heldFor   time.Duration                                // for the same, so far
	signed    *fiscal.Message                              // in this step, and not stored
	next      func(context.Context) (done bool, err error) // the next step, where it needs nothing read again
	// newer reports whether another certificate than the one used is usable by now.
	newer func(context.Context) bool
	// signsBy is the certificate whose key is kept elsewhere, and for which there is a slot; ends give slots back.
	signsBy string
	ends    []func()
}

func (a *Exchanges) newAttempt(ctx context.Context, input workflows.ExchangeInput) *exchangeAttempt {
	exchangeLease := &exchangeLease{store: a.Store.Lifecycle, noteID: input.NoteID,
		lease: exchanges.Lease{Token: uuid.New(), For: leaseFor}}
	t := &exchangeAttempt{Exchanges: a, input: input, exchangeLease: exchangeLease}
	t.caller = caller{exchangeLease: exchangeLease, timeouts: a.CallTimeouts, metrics: a.Metrics, logger: a.Logger}
	t.turns = turnTaker{store: a.Store.Numbers, exchangeLease: exchangeLease, lines: a.Lines, logger: a.Logger,
		stop: ctx.Done()}
	t.saver = saver{store: a.Store.Lifecycle, certificates: a.Store.Companies, exchangeLease: exchangeLease,
		metrics: a.Metrics, logger: a.Logger}
	return t
}

// enter has a gate grant what the attempt does.
func (t *exchangeAttempt) enter(by gate) {
	t.gate, t.caller.spend, t.turns.patience = by, by.spend, by.patience()
}

// run does one step after the other, until the attempt ends.
func (t *exchangeAttempt) run(ctx context.Context) (workflows.ExchangeResult, error) {
	// A call under way is finished although the activity is asked to stop, so that its outcome is recorded.
	withoutCancel := context.WithoutCancel(ctx)
	defer t.release(withoutCancel)
	for range stepsPerAttempt {
		done, err := t.step(withoutCancel)
		var missing *activities.ActionRequired
		switch {
		case errors.As(err, &missing):
			again, err := t.hold(withoutCancel, missing)
			if err == nil && again {
				continue
			}
			t.state.Held = err == nil
			return workflows.ExchangeResult{State: t.state, RetryAfter: t.heldPause(missing.RetryAfter)}, err
		case errors.Is(err, errQueued):
			return t.queued(0), nil
		case err != nil || done:
			return workflows.ExchangeResult{State: t.state}, err
		}
		if err := t.gate.nextStep(ctx); err != nil {
			return workflows.ExchangeResult{}, err
		}
	}
	return workflows.ExchangeResult{}, outOfTime
}

// outOfTime ends an attempt whose exchange goes on in another one.
var outOfTime = activities.RetryLater{
	Code: "unknown", Reason: "there is more to do than one attempt does", After: time.Second, NotFailed: true,
}

// hasTimeForAStep reports whether the attempt lasts for another step, which makes at most two calls:
// those of some authorities may take minutes, and an attempt that lasts longer than its time is made
// again beside itself, to find that the exchange is leased.
func (t *exchangeAttempt) hasTimeForAStep(ctx context.Context) bool {
	ends, bounded := ctx.Deadline()
	return !bounded || time.Until(ends) > 2*t.CallTimeouts[t.authority]+stepMargin
}

// errQueued ends a first attempt whose exchange goes on at the authority's queue.
var errQueued = errors.New("activities: goes on at the authority's queue")

// queued is the result of a first attempt that goes on at the authority's queue.
func (t *exchangeAttempt) queued(pause time.Duration) workflows.ExchangeResult {
	return workflows.ExchangeResult{State: t.state, Queued: true, Authority: t.authority, RetryAfter: pause}
}

// release gives the turn back, or the place in line for it, and the lease unless the
// exchange has ended.
func (t *exchangeAttempt) release(ctx context.Context) {
	for _, end := range t.ends {
		end()
	}
	t.turns.leave(ctx)
	t.exchangeLease.release(ctx)
}

// step does what is to be done next. done is false when another step follows.
func (t *exchangeAttempt) step(ctx context.Context) (done bool, err error) {
	if next := t.next; next != nil {
		t.next = nil
		return next(ctx)
	}
	t.signed = nil
	live, err := t.read(ctx)
	if err != nil {
		return true, err
	}
	t.state = stateOf(live)
	t.held, t.heldFor = live.WasHeld, live.HeldFor
	switch e := live.Exchange; {
	case !waitsFor(live, t.input.Kind):
		return true, nil // there is nothing left to ask the authority for
	case e != nil && e.Ended():
		return true, t.settle(ctx, e)
	case t.input.Kind == fiscal.Cancel && (e == nil || !e.Sent()):
		if refused, err := t.refuseHere(ctx, live); err != nil || refused {
			return true, err
		}
	}
	switch e := live.Exchange; {
	case e == nil && t.input.Kind != fiscal.Issue:
		return t.openCancellation(ctx, live)
	case e == nil:
		return t.number(ctx, live)
	case !t.exchangeLease.leased:
		return true, t.withoutLease(e)
	}
	return t.nextAction(ctx, live)
}

// waitsFor reports whether a note still needs an exchange of a kind.
func waitsFor(live lifecycle.LiveNote, kind fiscal.Kind) bool {
	switch kind {
	case fiscal.Cancel:
		return live.Status == nfse.StatusIssued && live.CancellationToDo() && !live.AnalysisAsked()
	case fiscal.Analysis:
		return live.Status == nfse.StatusIssued && live.AnalysisAsked()
	}
	return live.Status == nfse.StatusQueued || live.Status == nfse.StatusProcessing
}

// read leases and reads the note's exchange, where there is one, and then reads the note.
func (t *exchangeAttempt) read(ctx context.Context) (live lifecycle.LiveNote, err error) {
	switch {
	case t.exchangeLease.leased:
	case t.gate.first(): // mostly a note that has none yet
		live, err = t.Store.Lifecycle.LiveNote(ctx, t.input.NoteID, t.input.Kind)
		if err != nil || !live.Open {
			return live, err
		}
	default:
		waiting, err := t.Store.Exchanges.Exchange(ctx, t.input.NoteID, t.input.Kind)
		if err != nil {
			return live, err
		}
		if waiting == nil {
			return t.Store.Lifecycle.LiveNote(ctx, t.input.NoteID, t.input.Kind)
		}
		if t.onlyWaits(waiting) {
			if err := t.turns.enter(ctx, waiting); err != nil {
				return live, err
			}
		}
	}
	exchange, err := t.Store.Lifecycle.LeaseExchange(ctx, t.input.NoteID, t.input.Kind, t.exchangeLease.lease)
	if err != nil {
		return live, err
	}
	t.exchangeLease.leased = exchange != nil
	if exchange == nil {
		if exchange, err = t.Store.Exchanges.Exchange(ctx, t.input.NoteID, t.input.Kind); err != nil {
			return live, err
		}
	}
	live, err = t.Store.Lifecycle.LiveNote(ctx, t.input.NoteID, t.input.Kind)
	live.Exchange = exchange
	return live, err
}

// onlyWaits reports whether an exchange that others may be at waits for nothing but the turn of
// its series, as far as is known: then what comes too early reads and changes nothing else.
func (t *exchangeAttempt) onlyWaits(e *exchanges.Exchange) bool {
	authority := t.Authorities[e.Profile.Authority]
	return authority != nil && waitsForTurns(authority, e.Kind) && !e.Sent() && e.Handling == ""
}

// withoutLease is the result when another attempt has the lease of the exchange.
func (t *exchangeAttempt) withoutLease(e *exchanges.Exchange) error {
	t.authority = e.Profile.Authority
	return activities.RetryLater{
		Code: "leased", Reason: "another worker is at this exchange, or was cut off", After: e.LeasedFor,
	}
}

// nextAction does the next step of the exchange that package fiscal decides on.
func (t *exchangeAttempt) nextAction(ctx context.Context, live lifecycle.LiveNote) (done bool, err error) {
	e := live.Exchange
	t.authority = e.Profile.Authority
	elsewhere := t.Authorities[t.authority] == nil && !t.Authorities.gone(t.authority)
	if t.gate.first() && elsewhere && e.Kind != fiscal.Issue {
		return true, errQueued // a worker that is configured for the authority goes on
	}
	if needsNewNumber(live) { // no matter what the previous issuer lacks by now
		return false, t.Store.Lifecycle.UseUpRefusedNumber(ctx, e, t.exchangeLease.lease)
	}
	authority, access, err := t.access(ctx, live, e.Profile)
	if err != nil {
		return true, err
	}
	if e.Refused() || e.Correctable() || e.Handling == fiscal.AutoFixed {
		if goesOn, done, err := t.afterRefusal(ctx, live, authority, access); !goesOn {
			return done, err
		}
	}
	if waitsForTurns(authority, e.Kind) && !e.Sent() {
		if !t.gate.joinLine(e.Profile) {
			return true, cmp.Or(t.readyForTurn(ctx, live), errQueued)
		}
		sign := func() error {
			if e.State != fiscal.Unsigned {
				return nil
			}
			return t.sign(ctx, live, authority, access)
		}
		again, err := t.turns.take(ctx, live, sign)
		if _, later := errors.AsType[activities.RetryLater](err); later && t.gate.first() {
			err = cmp.Or(t.readyForTurn(ctx, live), errQueued)
		}
		if again || err != nil {
			return false, err
		}
	}
	switch decision := e.Next(authority.Capabilities()); {
	case decision.Action == fiscal.Sign:
		return t.signAndSend(ctx, live, authority, access)
	case decision.Action == fiscal.AskNumber:
		return t.askNumber(ctx, live, authority, access)
	case decision.Action == fiscal.Send:
		return t.send(ctx, live, nil, authority, access)
	case decision.Action == fiscal.Ask:
		return t.ask(ctx, live, authority, access)
	case decision.Exchange.State != e.State: // ended without a call
		_, done, err = t.save(ctx, live, authority, 0, fiscal.Answer{}, decision, nil, false)
		return done, err
	default:
		return t.follow(decision)
	}
}

// readyForTurn releases a note of which nothing was sent yet and that misses nothing any
// more, before it waits for its turn. Whether one that is held because of an answer still
// is, the next answer decides.
func (t *exchangeAttempt) readyForTurn(ctx context.Context, live lifecycle.LiveNote) error {
	e := live.Exchange
	if live.HeldReason.None() || e.State != fiscal.Unsigned || e.Handling != "" {
		return nil
	}
	if err := t.turns.notHeld(ctx, e.Profile.SeriesKey()); err != nil {
		return err
	}
	return t.releaseNote(ctx, live)
}

// heldPause is the pause before what is held is tried again by itself, where its first one is given: as long as it
// was held for the same so far. 0 leaves it to the workflow.
func (t *exchangeAttempt) heldPause(first time.Duration) time.Duration {
	if first == 0 {
		return 0
	}
	return retry.WithJitter(min(max(first, t.heldFor), workflows.HeldPause))
}

// follow does what a decision says of the attempt: it goes on, ends, or is made again later.
func (t *exchangeAttempt) follow(decision fiscal.Decision) (done bool, err error) {
	switch decision.Action {
	case fiscal.Wait:
		err = activities.RetryLater{
			Code: decision.Code, Reason: cmp.Or(decision.Reason.English(), decision.Code),
			After:     decision.RetryAfter,
			NotFailed: decision.Code == string(fiscal.OutcomeNotFound) && decision.RetryAfter > 0, // not found yet
		}
	case fiscal.Hold:
		err = &activities.ActionRequired{Reason: decision.Reason, Answered: t.caller.called,
			RetryAfter: decision.RetryAfter}
	}
	return decision.Action == fiscal.Settle, err
}

// access returns what is needed to call the authority of a profile. ActionRequired says
// what is missing.
func (t *exchangeAttempt) access(ctx context.Context, live lifecycle.LiveNote,
	profile nfse.FiscalProfile) (fiscal.Authority, fiscal.Access, error) {
	authority, err := t.Authorities.serving(profile)
	if err != nil {
		return nil, fiscal.Access{}, err
	}
	holder := fiscal.SignerOf(authority, profile)
	open := func(ctx context.Context) (*fiscal.Credentials, error) {
		return t.Certificates.Open(ctx, live.Scope.OrganizationID, holder, time.Now())
	}
	credentials, err := open(ctx)
	if err != nil {
		return nil, fiscal.Access{}, err
	}
	t.newer = func(ctx context.Context) bool {
		usable, err := open(ctx)
		return err == nil && usable.ID != credentials.ID
	}
	if err := t.signElsewhere(ctx, credentials); err != nil {
		return nil, fiscal.Access{}, err
	}
	access, err := t.Certificates.Access(ctx, profile, credentials)
	return authority, access, err
}

// hold records what the note waits for. again is true when that may have come just before:
// a note that is still queued is not woken up by it.
func (t *exchangeAttempt) hold(ctx context.Context, missing *activities.ActionRequired) (again bool, err error) {
	fresh, err := t.Exchanges.hold(ctx, t.input.NoteID, missing)
	if err != nil || !fresh {
		return false, err
	}
	t.heldFor = 0
	return !missing.Answered || t.newer(ctx), nil
}
