package activities

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// Recovery asks authorities about numbers of which the database may have lost the records, because it was restored
// or took over from its primary. Until then no number is taken of a sequence, and nothing is sent where numbers are
// asked about first. It works beside the task queues of a worker's process, as notes wait for it.
type Recovery struct {
	Exchanges *Exchanges
	Every     time.Duration // how often it looks where no note wakes it up; recoverEvery when zero

	once  sync.Once
	woken chan struct{}
}

const (
	recoverEvery = 30 * time.Second
	// checksAtOnce are the sequences of an authority that a process checks at once.
	checksAtOnce = 4
	// freeInARow is how many numbers after the last known one must be free before no more are asked about: numbers
	// that were refused, or never sent, lie between those that have documents.
	freeInARow = 20
	// checkLease is for how long a check of a process that was killed keeps others out.
	checkLease = 5 * time.Minute
	// checkPause is how long a check that came to no end rests.
	checkPause = 15 * time.Second
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
	every := r.Every
	if every == 0 {
		every = recoverEvery
	}
	for ctx.Err() == nil {
		r.round(ctx)
		select {
		case <-ctx.Done():
		case <-time.After(every):
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

// next checks one sequence or series of an authority, and reports whether there was one.
func (r *Recovery) next(ctx context.Context, name string, authority fiscal.Authority) (found bool) {
	if authority.Capabilities().AsksFirst {
		return r.lookAtNext(ctx, name, authority)
	}
	finder, finds := authority.(fiscal.DocumentFinder)
	if !finds {
		return false
	}
	a := r.Exchanges
	sequence, err := a.Store.ClaimSequenceToCheck(ctx, []string{name}, authority.Capabilities().GracePeriod, checkLease)
	if err != nil || sequence == nil {
		r.notRead(ctx, name, err)
		return false
	}
	err = panics.Caught(func() error { return r.check(ctx, finder, *sequence) })
	if err != nil {
		a.Logger.WarnContext(ctx, "the numbers of a series could not be checked; that is tried again", "authority", name,
			"series", sequence.Series, "error", err)
		if err := a.Store.SetSequenceAside(ctx, sequence.SeriesKey, whyNotChecked(err), checkPause); err != nil {
			r.notRead(ctx, name, err)
			return false
		}
		a.Metrics.RowFailed(LoopRecovery)
	}
	return true
}

func (r *Recovery) notRead(ctx context.Context, name string, err error) {
	if err != nil && ctx.Err() == nil {
		r.Exchanges.Logger.WarnContext(ctx, "which numbers are to be checked could not be read; that is tried again",
			"authority", name, "error", err)
	}
}

func whyNotChecked(err error) fact.Fact {
	var failed errCheckFailed
	var missing *ActionRequired
	switch {
	case errors.As(err, &failed):
		return fact.SequenceNotChecked.With("why", failed.reason)
	case errors.As(err, &missing):
		return fact.SequenceNotChecked.With("why", missing.Reason)
	}
	return fact.SequenceNotChecked.With("why", failedHere)
}

// check asks about the numbers of a sequence: those of notes that have not ended, and those after the last, until
// enough in a row are free.
func (r *Recovery) check(ctx context.Context, finder fiscal.DocumentFinder, sequence store.SequenceToCheck) error {
	profile, access, err := r.asking(ctx, finder, sequence.SeriesKey, sequence.Organizations)
	if err != nil {
		return err
	}
	for _, open := range sequence.Open {
		if _, err := r.ask(ctx, finder, access, profile, open.Number); err != nil {
			return err
		}
	}
	limit := finder.Capabilities().NumberLimit()
	for number, free := sequence.LastNumber+1, 0; free < freeInARow && number <= limit; number++ {
		exists, err := r.ask(ctx, finder, access, profile, number)
		if err != nil {
			return err
		}
		if free++; exists {
			free = 0
		}
	}
	return r.Exchanges.Store.EndSequenceCheck(ctx, sequence.SeriesKey)
}

// ask asks about one number, and stores the document under it.
func (r *Recovery) ask(ctx context.Context, finder fiscal.DocumentFinder, access fiscal.Access,
	profile nfse.FiscalProfile, number int64) (exists bool, err error) {
	a, series := r.Exchanges, sequenceOf(profile)
	if err := a.Store.KeepSequenceCheck(ctx, series, checkLease); err != nil {
		return false, err
	}
	found, err := inBudget(ctx, a, profile.Authority, func(ctx context.Context) fiscal.FoundDocument {
		return finder.FindDocument(ctx, access, profile, number)
	}, func(found fiscal.FoundDocument) fiscal.Outcome { return found.Outcome })
	switch {
	case err != nil:
		return false, err
	case found.Outcome == fiscal.OutcomeNotFound:
		return false, nil
	case found.Outcome != fiscal.OutcomeAccepted || !found.Read:
		return false, errCheckFailed{fact.First(found.NeedsPerson, found.Summary(), fact.NumberNotKnownFree.With("why",
			fact.CallCameTo.With("outcome", found.Outcome)))}
	}
	state, err := a.Store.SaveRecovered(ctx, series, number, found, access.Credentials.ID)
	if err == nil && state != "" {
		a.Logger.WarnContext(ctx, "the authority has a document that is not on record: see emissor recovery list",
			"authority", profile.Authority, "series", series.Series, "number", number, "state", state)
	}
	return true, err
}

// sequenceOf is the series of a profile as sequences are counted, regardless of the registration.
func sequenceOf(profile nfse.FiscalProfile) nfse.SeriesKey {
	series := profile.SeriesKey()
	series.Registration = ""
	return series
}

// asking is as whom an authority is asked about a series: by a certificate of an organization that may use its
// issuer, and with what the organization's profile says of it.
func (r *Recovery) asking(ctx context.Context, authority fiscal.Authority, series nfse.SeriesKey,
	organizations []string) (profile nfse.FiscalProfile, access fiscal.Access, err error) {
	a := r.Exchanges
	askers, err := a.Certificates.Askers(ctx, organizations, fiscal.HolderOf(authority, series.TaxID), time.Now())
	if err != nil {
		return profile, access, err
	}
	if len(askers) == 0 {
		return profile, access, errCheckFailed{fact.TaxIDNotShown.Fact()}
	}
	for _, organization := range organizations {
		profile, err = a.Store.FiscalProfile(ctx, organization)
		if !errors.Is(err, store.ErrNoFiscalProfile) {
			break
		}
	}
	if err != nil && !errors.Is(err, store.ErrNoFiscalProfile) {
		return profile, access, err
	}
	profile.Authority, profile.Production, profile.TaxID = series.Authority, series.Production, series.TaxID
	profile.MunicipalityCode, profile.Series = series.MunicipalityCode, series.Series
	if series.Registration != "" {
		profile.MunicipalRegistration = &series.Registration
	}
	return profile, fiscal.Access{Production: series.Production, Credentials: askers[0].Credentials}, nil
}

// lookAtNext looks at one series whose numbers are asked about before they are sent.
func (r *Recovery) lookAtNext(ctx context.Context, name string, authority fiscal.Authority) (found bool) {
	a := r.Exchanges
	series, err := a.Store.ClaimSeriesToLook(ctx, []string{name}, checkLease)
	if err != nil || series == nil {
		r.notRead(ctx, name, err)
		return false
	}
	finder := authority.(fiscal.NumberFinder)
	err = panics.Caught(func() error { return r.look(ctx, authority, finder, *series) })
	if err != nil {
		a.Logger.WarnContext(ctx, "the numbers of a series could not be looked at; that is tried again", "authority", name,
			"series", series.Series, "error", err)
		a.Metrics.RowFailed(LoopRecovery)
		if err := a.Store.SetLookAside(ctx, series.SeriesKey, checkPause); err != nil {
			r.notRead(ctx, name, err)
			return false
		}
	}
	return true
}

// look asks about the numbers of a series of which nothing was sent, as far as the database knows, and those that
// come next, until a whole question finds nothing.
func (r *Recovery) look(ctx context.Context, authority fiscal.Authority, finder fiscal.NumberFinder,
	series store.SeriesToLook) error {
	a, limit := r.Exchanges, authority.Capabilities().NumberLimit()
	profile, access, err := r.asking(ctx, authority, series.SeriesKey, series.Organizations)
	if err != nil {
		return err
	}
	used, free := fiscal.Numbers{Documents: map[int64]string{}}, 0
	question := func(numbers []int64) error {
		said, err := r.askNumbers(ctx, finder, access, profile, numbers)
		if err != nil {
			return err
		}
		if free += len(said.Free); len(said.Used) > 0 {
			free = 0
		}
		for _, number := range said.Used {
			used.Used, used.Documents[number] = append(used.Used, number), said.Documents[number]
		}
		return nil
	}
	var last int64
	for after, more := int64(0), true; more; after = last {
		var numbers []int64
		numbers, more, err = a.Store.NumbersToCheck(ctx, series.SeriesKey, after, finder.MaxNumbers(), limit)
		if err != nil {
			return err
		}
		if len(numbers) == 0 {
			break
		}
		free = 0
		if err := question(numbers); err != nil {
			return err
		}
		last = slices.Max(numbers)
	}
	for free < freeInARow && last < limit {
		numbers := next(last, finder.MaxNumbers(), limit)
		if err := question(numbers); err != nil {
			return err
		}
		last = slices.Max(numbers)
	}
	if err := a.Store.EndLook(ctx, series.SeriesKey, used); err != nil {
		return err
	}
	if len(used.Used) > 0 {
		a.Logger.WarnContext(ctx, "the authority has documents that are not on record: see emissor recovery list",
			"authority", series.Authority, "series", series.Series, "documents", len(used.Used))
	}
	return nil
}

// next are at most so many numbers after one.
func next(after int64, most int, limit int64) (numbers []int64) {
	for number := after + 1; len(numbers) < most && number <= limit; number++ {
		numbers = append(numbers, number)
	}
	return numbers
}

func (r *Recovery) askNumbers(ctx context.Context, finder fiscal.NumberFinder, access fiscal.Access,
	profile nfse.FiscalProfile, numbers []int64) (fiscal.Numbers, error) {
	said, err := inBudget(ctx, r.Exchanges, profile.Authority, func(ctx context.Context) fiscal.Numbers {
		return finder.FindNumbers(ctx, access, profile, numbers)
	}, func(said fiscal.Numbers) fiscal.Outcome { return said.Answer().Outcome })
	if err == nil && len(said.Free)+len(said.Used) < len(numbers) {
		err = errCheckFailed{fact.First(said.Reason, fact.CallCameTo.With("outcome", said.Answer().Outcome))}
	}
	return said, err
}

// inBudget makes a call to an authority once the budget of all workers has one for it.
func inBudget[T any](ctx context.Context, a *Exchanges, authority string, call func(context.Context) T,
	outcome func(T) fiscal.Outcome) (result T, err error) {
	for !a.Budget.take(ctx, authority) {
		select {
		case <-ctx.Done():
			return result, ctx.Err()
		case <-time.After(time.Duration(grantSeconds * float64(time.Second))):
		}
	}
	inTime, cancel := context.WithTimeout(ctx, 2*a.CallTimeouts[authority]) // a question, and its document
	defer cancel()
	started := time.Now()
	result, err = guarded(inTime, call)
	if err == nil {
		a.Metrics.Asked(authority, "recover", string(outcome(result)), time.Since(started))
	}
	return result, err
}
