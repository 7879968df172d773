package exchange

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/metrics"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/received"
	"emissor/workflows"
)

// Distributions ask authorities what others did with issuers' documents.
type Distributions struct {
	Store        *store.Store
	Authorities  Authorities
	Certificates *activities.CertificateCache
	CallTimeout  time.Duration
	// Interval is the shortest pause when nothing more follows; the longest is three
	// times as long.
	Interval time.Duration
	Metrics  *metrics.Metrics
	Logger   *slog.Logger

	lost activities.Streaks // turns at the lease that another issuer had
}

var (
	// leaseBackoff spreads the attempts that wait for the lease. It grows with turns that were lost,
	// not with attempts: one that failed before has lost none.
	leaseBackoff = retry.Backoff{Initial: 500 * time.Millisecond, Max: 30 * time.Second, Jitter: 0.5}
	// maxDistributionPause is the longest pause after failures.
	maxDistributionPause = time.Hour
)

// errTurnLost says that another issuer has the lease.
var errTurnLost = errors.New("another issuer is asked about: one at a time")

// leaseMargin is how long a lease outlasts the call that it is for.
const leaseMargin = 10 * time.Second

// PollDistribution asks for the next batch, stores what it holds and says when to ask
// again. Of all workers one asks at a time.
func (a *Distributions) PollDistribution(ctx context.Context, id string) (workflows.Polled, error) {
	asked, err := a.ask(ctx, id)
	if errors.Is(err, errTurnLost) {
		return asked, activities.RetryAfter("leased", errTurnLost.Error(), leaseBackoff.After(a.lost.Again(id)))
	}
	return asked, activities.Failure(ctx, a.Logger.With("distribution_id", id), err)
}

func (a *Distributions) ask(ctx context.Context, id string) (workflows.Polled, error) {
	d, organizations, err := a.Store.Received.Distribution(ctx, id)
	if err != nil {
		return workflows.Polled{}, err
	}
	if len(organizations) == 0 {
		return workflows.Polled{Over: true}, a.Store.Received.EndDistribution(ctx, id)
	}
	distributor, askers, err := a.askers(ctx, d, organizations)
	var missing *activities.ActionRequired
	if errors.As(err, &missing) {
		return a.fail(ctx, d, fiscal.Batch{Reason: missing.Reason})
	}
	if err != nil {
		return workflows.Polled{}, err
	}
	lease := received.NewPollLease(d.Authority, d.Production, a.CallTimeout+leaseMargin)
	leased, paused, err := a.Store.Received.TakePollLease(ctx, lease)
	switch {
	case err != nil:
		return workflows.Polled{}, err
	case paused > 0:
		return workflows.Polled{Pause: retry.WithJitter(paused + time.Second)}, nil
	case leased > 0:
		return workflows.Polled{}, errTurnLost
	}
	a.lost.End(id)
	access := fiscal.Access{Production: d.Production, Credentials: askers[0].Credentials}
	batch, failed := a.batch(ctx, distributor, access, d)
	// The lease is given back however the batch ends.
	withoutCancel := context.WithoutCancel(ctx)
	err = a.Store.Received.EndPollLease(withoutCancel, lease, batch.Outcome == fiscal.BatchThrottled, batch.RetryAfter)
	if err = cmp.Or(failed, err); err != nil {
		return workflows.Polled{}, err
	}
	err = a.Certificates.Asked(withoutCancel, a.Logger, access.Credentials.ID, answered(batch), batch.ShutOut)
	if err != nil {
		return workflows.Polled{}, err
	}
	another := func(one activities.Asker) bool { return !one.ShutOut }
	if batch.ShutOut && slices.ContainsFunc(askers[1:], another) {
		return workflows.Polled{}, nil // the next certificate is tried at once: only this one was shut out
	}
	return a.save(withoutCancel, d, batch)
}

// answered reports whether a batch is the authority's answer, which its certificate got.
func answered(batch fiscal.Batch) bool {
	return batch.Outcome == fiscal.BatchRead || batch.Outcome == fiscal.BatchCaughtUp
}

func (a *Distributions) batch(ctx context.Context, distributor fiscal.Distributor, access fiscal.Access,
	d received.Distribution) (batch fiscal.Batch, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), a.CallTimeout)
	defer cancel()
	ctx, span := startCall(ctx, d.Authority, "distribution")
	started := time.Now()
	batch, err = activities.Guarded(ctx, func(ctx context.Context) fiscal.Batch {
		return distributor.Distribute(ctx, access, d.TaxID, d.Position)
	})
	outcome := cmp.Or(batch.Outcome, fiscal.BatchFailed)
	a.Metrics.RecordAuthorityCall(d.Authority, "distribution", string(outcome), time.Since(started))
	endCall(span, outcome, 0, err)
	return batch, err
}

// save stores what a batch holds.
func (a *Distributions) save(ctx context.Context, d received.Distribution, batch fiscal.Batch) (workflows.Polled,
	error) {
	if batch.Outcome == fiscal.BatchFailed || batch.Outcome == fiscal.BatchThrottled {
		return a.fail(ctx, d, batch)
	}
	stored, err := a.Store.Received.SaveBatch(ctx, d, batch)
	if err != nil {
		return workflows.Polled{}, err
	}
	a.report(ctx, d, stored)
	if batch.Full || !stored.Stored {
		return workflows.Polled{}, nil
	}
	return workflows.Polled{Pause: a.pause()}, nil
}

// pause is how long an issuer's distribution waits once everything was fetched.
func (a *Distributions) pause() time.Duration {
	return retry.Between(a.Interval, 3*a.Interval)
}

// fail records why there is no batch, once, and waits longer each time.
func (a *Distributions) fail(ctx context.Context, d received.Distribution, batch fiscal.Batch) (workflows.Polled,
	error) {
	failures, fresh, err := a.Store.Received.FailDistribution(ctx, d.ID, batch.Reason)
	if err != nil {
		return workflows.Polled{}, err
	}
	log := a.Logger.With("distribution_id", d.ID, "authority", d.Authority, "production", d.Production)
	if fresh {
		log.WarnContext(ctx, "what happens outside could not be asked for; it is tried again", "reason", batch.Reason)
	}
	if fresh && batch.Alarm {
		a.Metrics.Alarmed(d.Authority)
	}
	if batch.Outcome == "" { // the authority was not asked
		return workflows.Polled{Pause: a.pause()}, nil
	}
	backoff := retry.Backoff{Initial: a.Interval, Max: maxDistributionPause, Jitter: 0.2}
	return workflows.Polled{Pause: backoff.AtLeast(min(batch.RetryAfter, maxDistributionPause), failures)}, nil
}

// report counts what was new, and logs what a person should look at.
func (a *Distributions) report(ctx context.Context, d received.Distribution, stored received.StoredBatch) {
	log := a.Logger.With("distribution_id", d.ID, "authority", d.Authority, "production", d.Production)
	for _, item := range stored.Events {
		kind := "unread"
		if item.Event != nil {
			kind = "other"
			if item.Event.Known {
				kind = item.Event.Type
			}
		}
		a.Metrics.ExternalEvent(kind)
	}
	for _, refused := range stored.Refused {
		a.Metrics.RowFailed(activities.LoopDistributions)
		log.ErrorContext(ctx, "the database does not take something that was distributed", "error", refused)
	}
	for _, item := range stored.Flagged {
		a.Metrics.ExternalEventFlagged(d.Authority)
		a.Metrics.Alarmed(d.Authority)
		log.ErrorContext(ctx, "what was distributed is not applied: a person should look at it",
			"position", item.Position, "alarm", item.Problem)
	}
	for _, document := range stored.Unknown {
		a.Metrics.Alarmed(d.Authority)
		log.ErrorContext(ctx, "the authority has a document of a series numbered here that is not on record",
			"series", document.Series, "number", document.Number, "note_id", document.NoteID)
	}
}

// askers returns the certificates with which an issuer is asked about, of all
// organizations that issue by it.
func (a *Distributions) askers(ctx context.Context, d received.Distribution,
	organizations []string) (fiscal.Distributor, []activities.Asker, error) {
	profile := nfse.FiscalProfile{Authority: d.Authority, Production: d.Production}
	authority, err := a.Authorities.serving(profile)
	if err != nil {
		return nil, nil, err
	}
	distributor, distributes := authority.(fiscal.Distributor)
	if !distributes || !distributor.Distributes(d.Production) {
		return nil, nil, &activities.ActionRequired{Reason: fact.NoDistributionAddress.Fact()}
	}
	askers, err := a.Certificates.Askers(ctx, organizations, fiscal.HolderOf(authority, d.TaxID), time.Now())
	return distributor, askers, err
}
