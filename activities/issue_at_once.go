package activities

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/sdk/activity"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
	"emissor/workflows"
)

// IssueAtOnce brings a queued note to its end within the workflow task, when nothing is
// missing and the authority answers in time: number, signature, one call and
// settlement. Where anything stands in the way it is not begun, or left where it is,
// and queued: the steps of the longer way go on from there, and say what is missing.
func (a *Exchanges) IssueAtOnce(ctx context.Context, noteID string) (workflows.Issuance, error) {
	issuance, err := a.issueAtOnce(ctx, noteID)
	var later RetryLater
	switch {
	case errors.As(err, &later):
		issuance.Transmission = workflows.Transmission{
			Queued: true, RetryAfter: authorityBackoff.AtLeast(later.After, 1),
		}
	case err != nil:
		_ = a.failure(ctx, noteID, err) // is logged
		issuance.Transmission = workflows.Transmission{Queued: true}
	}
	return issuance, nil
}

func (a *Exchanges) issueAtOnce(ctx context.Context, noteID string) (workflows.Issuance, error) {
	queued := workflows.Issuance{Transmission: workflows.Transmission{Queued: true}}
	live, profile, ok, err := a.Store.QueuedNote(ctx, noteID)
	if err != nil || !ok {
		return queued, err
	}
	authority, session, err := a.session(ctx, live.Scope.OrganizationID, profile)
	var missing *ActionRequired
	if errors.As(err, &missing) {
		return queued, nil
	}
	if err != nil {
		return queued, err
	}
	if waitsForTurns(authority, fiscal.Issue) {
		return queued, nil
	}
	declared := declaration(live, profile)
	declared.Cities, ok, err = a.Cities.Known(ctx, authority, declared)
	if err != nil || !ok || authority.Check(declared, time.Now()) != nil {
		return queued, err
	}
	if !a.First.take(ctx, authority.Name(), authoritySlots) {
		return queued, nil
	}
	t := a.newTransmission(workflows.ExchangeInput{NoteID: noteID, Kind: fiscal.Issue, Authority: authority.Name()})
	t.atOnce = true
	defer func() { a.First.done(authority.Name(), t.took, t.failed) }()
	if !a.Budget.take(ctx, authority.Name()) {
		return queued, nil
	}
	a.Waits(activity.GetInfo(ctx).WorkflowExecution.RunID)
	return t.issue(context.WithoutCancel(ctx), live, declared, authority, session)
}

// issue is the one attempt: what is begun is finished, whatever asks it to stop.
func (t *transmission) issue(ctx context.Context, live store.LiveNote, declared fiscal.Declaration,
	authority fiscal.Authority, session fiscal.Session) (issuance workflows.Issuance, err error) {
	profile := declared.Issuer
	issuance.Transmission.Queued = true
	defer func() { t.release(ctx) }()
	live.Exchange, err = t.Store.TakeFirstNumber(ctx, live.ID, profile, greatestNumber(authority), t.lease)
	if errors.Is(err, store.ErrNoNumberLeft) {
		return issuance, nil // the longer way says so
	}
	if err != nil || live.Exchange == nil {
		return issuance, err
	}
	t.leased = true
	declared.Number = live.Exchange.Number
	message, err := message(live, declared, authority, session.Credentials, time.Now())
	if err != nil {
		return issuance, nil // signing it again says why
	}
	since := time.Now()
	callID, ok, err := t.Store.SendFirst(ctx, live.Exchange, t.lease, message)
	if err != nil || !ok {
		return issuance, err
	}
	request := fiscal.Request{
		Kind: fiscal.Issue, Messages: []fiscal.Message{message}, CorrelationID: fiscal.CorrelationID(live.ID),
	}
	answer := t.bounded(ctx, authority.Name(), fiscal.Issue.CallName(fiscal.Send), since,
		func(ctx context.Context) fiscal.Answer { return authority.Send(ctx, session, request) })
	live.Exchange.Signings, live.Exchange.State = 1, fiscal.Signed
	decision := live.Exchange.AfterSending(answer, t.UncataloguedFor)
	if err := t.refuseCertificate(ctx, decision, answer, message.CertificateID, session); err != nil {
		return issuance, err
	}
	t.doubtCities(ctx, declared, authority, decision.Exchange)
	if decision.Action == fiscal.Settle {
		return t.settleAtOnce(ctx, live.Exchange, authority.Name(), callID, answer, decision)
	}
	decision, ok, err = t.save(ctx, live.Exchange, authority.Name(), callID, answer, decision)
	if err == nil && !ok { // it is to be cancelled, and nothing exists
		return workflows.Issuance{}, nil
	}
	if err != nil {
		return issuance, err
	}
	var missing *ActionRequired
	if _, _, err = follow(decision, t.called); !errors.As(err, &missing) {
		return issuance, err
	}
	usable, err := t.Certificates.Open(ctx, live.Scope.OrganizationID, fiscal.HolderOf(authority, profile.TaxID),
		time.Now())
	if err != nil || usable.ID != session.Credentials.ID {
		return issuance, nil // what it misses has come meanwhile, and woke up only notes in processing
	}
	_, err = t.hold(ctx, live.ID, missing)
	issuance.State = workflows.NoteState{Status: nfse.StatusProcessing, Livemode: true, Held: err == nil}
	issuance.Transmission.Queued = err != nil
	return issuance, err
}

// settleAtOnce ends exchange and note.
func (t *transmission) settleAtOnce(ctx context.Context, e *store.Exchange, authority string, callID int64,
	answer fiscal.Answer, decision fiscal.Decision) (issuance workflows.Issuance, err error) {
	settled, saved, err := t.Store.SettleDecision(ctx, e, t.lease, callID, answer, decision)
	if err != nil {
		issuance.Transmission.Queued = true
		return issuance, err
	}
	t.leased = false
	t.alarm(ctx, authority, e.NoteID, decision.Alarm)
	if !saved {
		return issuance, RetryLater{Code: "leased", Reason: "the lease of the exchange was lost"}
	}
	issuance.State, err = t.report(ctx, e.NoteID, settled, nil)
	return issuance, err
}
