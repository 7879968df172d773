package exchange

import (
	"context"
	"errors"
	"sync"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/numbers"
	"emissor/store/operate"
)

// Recovery asks authorities about numbers of which the database may have lost the records, because it was restored
// or took over from its primary. Until then no number is taken of a sequence, and nothing is sent where numbers are
// asked about first. It works beside the task queues of a worker's process, as notes wait for it.
type Recovery struct {
	Exchanges *Exchanges

	once  sync.Once
	woken chan struct{}
}

const (
	// recoverEvery is how often it looks where no note wakes it up.
	recoverEvery = 30 * time.Second
	// checksAtOnce are the sequences of an authority that a process checks at once.
	checksAtOnce = 4
	// freeInARow is how many numbers after the last known one must be free before no more are asked about: numbers
	// that were refused, or never sent, lie between those that have documents.
	freeInARow = 20
	// checkLease is for how long a check of a process that was killed keeps others out.
	checkLease = 5 * time.Minute
	// checkPause is how long a check that came to no end rests, and missingPause one that lacks what only a person can
	// give, as a certificate: a note that waits for it has it tried again sooner.
	checkPause, missingPause = 15 * time.Second, time.Hour
)

// errCheckFailed ends a check that is tried again: the reason is what is recorded.
type errCheckFailed struct{ reason fact.Fact }

// Error implements error.
func (e errCheckFailed) Error() string { return e.reason.English() }

// Wake has it look at once.
func (r *Recovery) Wake() {
	if r == nil {
		return
	}
	select {
	case r.wakes() <- struct{}{}:
	default:
	}
}

func (r *Recovery) wakes() chan struct{} {
	r.once.Do(func() { r.woken = make(chan struct{}, 1) })
	return r.woken
}

// Run looks again and again until ctx ends.
func (r *Recovery) Run(ctx context.Context) {
	for ctx.Err() == nil {
		r.round(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(recoverEvery):
		case <-r.wakes():
		}
	}
}

// round checks what is to be checked now, of each authority several at once.
func (r *Recovery) round(ctx context.Context) {
	var all sync.WaitGroup
	for name, authority := range r.Exchanges.Authorities {
		all.Go(func() {
			if !r.next(ctx, name, authority) {
				return
			}
			var others sync.WaitGroup
			for range checksAtOnce {
				others.Go(func() {
					for ctx.Err() == nil && r.next(ctx, name, authority) {
					}
				})
			}
			others.Wait()
		})
	}
	all.Wait()
}

// next checks one sequence of an authority, and reports whether there was one.
func (r *Recovery) next(ctx context.Context, name string, authority fiscal.Authority) (found bool) {
	a, capabilities := r.Exchanges, authority.Capabilities()
	var check func(context.Context, numbers.SequenceToCheck) error
	if finder, finds := authority.(fiscal.NumberFinder); finds && capabilities.AsksFirst {
		check = numbersCheck{r, authority, finder}.check
	} else if finder, finds := authority.(fiscal.DocumentFinder); finds {
		check = documentsCheck{r, finder}.check
	} else {
		return false
	}
	sequence, err := a.Store.Numbers.ClaimSequenceToCheck(ctx, []string{name}, capabilities.GracePeriod, checkLease)
	if err != nil || sequence == nil {
		r.notRead(ctx, name, err)
		return false
	}
	err = panics.Caught(func() error { return check(ctx, *sequence) })
	if err == nil {
		err = a.Store.Numbers.EndSequenceCheck(ctx, sequence.SeriesKey)
	}
	if err != nil {
		return r.setAside(ctx, sequence.SeriesKey, err)
	}
	return true
}

// setAside ends a check that came to no end, and reports whether others can go on.
func (r *Recovery) setAside(ctx context.Context, series nfse.SeriesKey, failed error) bool {
	a, pause := r.Exchanges, checkPause
	var missing *activities.ActionRequired
	switch {
	case ctx.Err() != nil: // the worker stops: another one goes on at once
		pause = 0
	case errors.As(failed, &missing):
		pause = missingPause
	case errors.Is(failed, operate.ErrBeingWorkedAt):
	default:
		a.Metrics.RowFailed(activities.LoopRecovery)
		a.Logger.WarnContext(ctx, "the numbers of a series could not be checked; that is tried again",
			"authority", series.Authority, "series", series.Series, "error", failed)
	}
	err := a.Store.Numbers.SetSequenceAside(context.WithoutCancel(ctx), series, whyNotChecked(failed), pause)
	r.notRead(ctx, series.Authority, err)
	return err == nil
}

func (r *Recovery) notRead(ctx context.Context, name string, err error) {
	if err != nil && ctx.Err() == nil {
		r.Exchanges.Logger.WarnContext(ctx, "which numbers are to be checked could not be read; that is tried again",
			"authority", name, "error", err)
	}
}

func whyNotChecked(err error) fact.Fact {
	var failed errCheckFailed
	var missing *activities.ActionRequired
	switch {
	case errors.As(err, &failed):
		return fact.SequenceNotChecked.With("why", failed.reason)
	case errors.As(err, &missing):
		return fact.SequenceNotChecked.With("why", missing.Reason)
	}
	return fact.SequenceNotChecked.With("why", activities.FailedHere)
}

// asking is as whom an authority is asked about a series: by a certificate of an organization that may use its
// issuer, and with what the organization's profile says of it.
func (r *Recovery) asking(ctx context.Context, authority fiscal.Authority, series numbers.SequenceToCheck) (
	profile nfse.FiscalProfile, access fiscal.Access, err error) {
	a, organizations := r.Exchanges, series.Organizations
	askers, err := a.Certificates.Askers(ctx, organizations, fiscal.HolderOf(authority, series.TaxID), time.Now())
	if err != nil {
		return profile, access, err
	}
	if len(askers) == 0 {
		return profile, access, errCheckFailed{fact.TaxIDNotShown.Fact()}
	}
	for _, organization := range organizations {
		profile, err = a.Store.Companies.FiscalProfile(ctx, organization)
		if !errors.Is(err, companies.ErrNoFiscalProfile) {
			break
		}
	}
	if err != nil && !errors.Is(err, companies.ErrNoFiscalProfile) {
		return profile, access, err
	}
	profile.Authority, profile.Production, profile.TaxID = series.Authority, series.Production, series.TaxID
	profile.MunicipalityCode, profile.Series = series.MunicipalityCode, series.Series
	access, err = a.Certificates.Access(ctx, profile, askers[0].Credentials)
	return profile, access, err
}

// inBudget makes a call to an authority once the budget of all workers has one for it.
func inBudget[T any](ctx context.Context, a *Exchanges, authority string, call func(context.Context) T,
	outcome func(T) fiscal.Outcome) (result T, err error) {
	for !a.Budget.take(ctx, authority) {
		if retry.Sleep(ctx, time.Duration(grantSeconds*float64(time.Second))) != nil {
			return result, ctx.Err()
		}
	}
	inTime, cancel := context.WithTimeout(ctx, 2*a.CallTimeouts[authority]) // a question, and its document
	defer cancel()
	started := time.Now()
	result, err = activities.Guarded(inTime, call)
	if err == nil {
		a.Metrics.RecordAuthorityCall(authority, "recover", string(outcome(result)), time.Since(started))
	}
	return result, err
}
