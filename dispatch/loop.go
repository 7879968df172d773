package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"go.temporal.io/api/serviceerror"

	"emissor/admission"
	"emissor/metrics"
	"emissor/nfse"
	"emissor/retry"
	"emissor/store"
)

const (
	pollInterval = 100 * time.Millisecond
	// batch is how many rows a claim takes: few, so that what is new does not wait long behind them.
	batch        = 16
	claimTimeout = 5 * time.Second

	// startTimeout is longer than the engine's own time-outs. A start that is given up earlier has often happened all
	// the same, and its first task is lost.
	startTimeout = 35 * time.Second

	// inDoubtPause is when a start that timed out is tried again: by then a first task that was lost is known to be.
	inDoubtPause = 12 * time.Second

	// permitPatience is how long claimed rows wait for a permit; then other processes may have them.
	permitPatience = 2 * time.Second

	// stopPatience is what starts under way get when the process stops.
	stopPatience = 5 * time.Second

	blockBatch    = 1000
	blockInterval = time.Second // between two looks for rows that cannot be started

	distributionInterval = 2 * time.Second // between two looks for issuers whose distribution nobody reads
)

var (
	// backoff is the wait of a row that the engine refuses.
	backoff = retry.Backoff{Initial: 250 * time.Millisecond, Max: 15 * time.Second}
	// engineAway is the wait of all while the engine is away.
	engineAway = retry.Backoff{Initial: 100 * time.Millisecond, Max: time.Second}
)

// noAuthority is why live notes wait while the process knows no authority.
const noAuthority = "no tax authority is configured for live notes"

// Loop hands the rows of the outbox to the workflow engine until it is told to
// stop. Several may run side by side, in one process or in many: a row is claimed
// by one of them as long as it works on it.
type Loop struct {
	Store     *store.Store
	Starter   Starter
	Admission *admission.Admission
	Metrics   *metrics.Metrics
	Logger    *slog.Logger
	Live      bool // whether this process can issue live notes; what follows them it always can
	// Distributes are the environments that this process can ask what happened outside.
	Distributes []store.ServedEnvironment

	once   sync.Once
	wake   chan struct{}
	claims claims
	engine engine
}

// Wake makes the loop look at once, instead of at its next poll: called after a
// commit in the same process. It never blocks.
func (l *Loop) Wake() {
	select {
	case l.woken() <- struct{}{}:
	default:
	}
}

func (l *Loop) woken() chan struct{} {
	l.once.Do(func() { l.wake = make(chan struct{}, 1) })
	return l.wake
}

// Run dispatches until ctx ends, and returns when the starts under way are done
// and what was claimed besides is free for others.
func (l *Loop) Run(ctx context.Context) {
	var beside, starts sync.WaitGroup
	starting, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	uncut, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.claims.store, l.claims.logger = l.Store, l.Logger
	beside.Go(func() { l.claims.keep(uncut) })
	beside.Go(func() { l.claims.finish(uncut) })
	if !l.Live {
		beside.Go(func() { l.block(ctx) })
	}
	if len(l.Distributes) > 0 {
		beside.Go(func() { l.startDistributions(ctx) })
	}
	for ctx.Err() == nil {
		if !l.dispatch(ctx, starting, &starts) {
			l.pause(ctx)
		}
	}
	defer time.AfterFunc(stopPatience, giveUp).Stop()
	starts.Wait()
	stop()
	beside.Wait()
}

// pause waits for the next poll, or for a wake-up.
func (l *Loop) pause(ctx context.Context) {
	poll := time.NewTimer(pollInterval)
	defer poll.Stop()
	select {
	case <-ctx.Done():
	case <-l.woken():
	case <-poll.C:
	}
}

// dispatch claims a batch once a run may be begun, and begins one after the other.
// What it begins may take as long as starting lasts. It reports whether there was
// something to claim.
func (l *Loop) dispatch(ctx, starting context.Context, under *sync.WaitGroup) (found bool) {
	permit, err := l.Admission.Acquire(ctx)
	if err != nil {
		return false
	}
	batch := l.claim(ctx)
	for i, start := range batch {
		if permit == nil {
			permit, err = l.acquireSoon(ctx)
		}
		if err != nil || !l.engine.wait(ctx) {
			l.claims.giveBack(batch[i:])
			break
		}
		if l.engine.away() { // one at a time, until one is taken
			if !l.start(starting, start, permit) {
				l.postpone(ctx, batch[i+1:])
				return true
			}
		} else {
			mine := permit
			under.Go(func() { l.start(starting, start, mine) })
		}
		permit = nil
	}
	if permit != nil {
		permit.Drop()
	}
	return len(batch) > 0
}

// acquireSoon is Acquire for a row that is claimed already.
func (l *Loop) acquireSoon(ctx context.Context) (*admission.Permit, error) {
	ctx, cancel := context.WithTimeout(ctx, permitPatience)
	defer cancel()
	return l.Admission.Acquire(ctx)
}

func (l *Loop) claim(ctx context.Context) []store.Start {
	// Interrupted, a claim could be committed and not known of.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTimeout)
	defer cancel()
	all := []string{store.StartNote, store.StartResume, store.StartCancellation, store.StartDelivery, store.StartEmail}
	live := all
	if !l.Live {
		live = []string{store.StartCancellation, store.StartDelivery, store.StartEmail}
	}
	if len(l.Distributes) > 0 {
		live = append(slices.Clone(live), store.StartDistribution)
	}
	starts, err := l.Store.ClaimStarts(ctx, all, live, batch, lease)
	if err != nil {
		l.Logger.WarnContext(ctx, "the outbox loop could not claim; it tries again", "error", err)
	}
	l.claims.add(starts)
	return starts
}

// start hands one row to the engine, and reports whether the engine answered.
func (l *Loop) start(ctx context.Context, start store.Start, permit *admission.Permit) bool {
	bounded, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	outcome, err := l.Starter.Start(permit.Context(bounded), start)
	l.Metrics.Started(start.Kind, outcome)
	if err == nil {
		permit.Started()
		l.engine.answered()
		l.claims.done(start)
		return true
	}
	permit.Drop()
	wait := backoff.After(start.Attempts)
	var refused *serviceerror.InvalidArgument
	switch {
	case errors.As(err, &refused):
		l.engine.answered()
	case errors.Is(err, context.DeadlineExceeded), isDeadline(err):
		wait = inDoubtPause
		l.engine.failed(err)
	default:
		wait = engineAway.Max
		l.engine.failed(err)
	}
	l.Logger.WarnContext(ctx, "a workflow could not be started; it is tried again", "kind", start.Kind,
		"subject_id", start.SubjectID, "organization_id", start.OrganizationID, "attempt", start.Attempts,
		"wait", wait.String(), "error", err)
	l.claims.postpone([]store.Start{start}, wait, err.Error())
	return refused != nil
}

func isDeadline(err error) bool {
	var late *serviceerror.DeadlineExceeded
	return errors.As(err, &late)
}

// postpone sends what was claimed and not tried back, for the reason for which the
// engine took nothing.
func (l *Loop) postpone(ctx context.Context, starts []store.Start) {
	if reason := l.engine.reason(); len(starts) > 0 {
		l.claims.postpone(starts, engineAway.Max, reason)
	}
}

// startDistributions sees to it that what happens outside is asked for, for each
// issuer.
func (l *Loop) startDistributions(ctx context.Context) {
	ticker := time.NewTicker(distributionInterval)
	defer ticker.Stop()
	for {
		started, err := l.Store.StartDistributions(ctx, l.Distributes)
		if err != nil && ctx.Err() == nil {
			l.Logger.WarnContext(ctx, "the outbox loop could not look for distributions; it tries again", "error", err)
		}
		if started > 0 {
			l.Wake()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// block marks live rows that nobody can start yet, for the operator to see.
func (l *Loop) block(ctx context.Context) {
	ticker := time.NewTicker(blockInterval)
	defer ticker.Stop()
	kinds := []string{store.StartNote, store.StartResume}
	for {
		blocked, err := l.Store.BlockStarts(ctx, true, kinds, noAuthority, blockBatch)
		if err != nil && ctx.Err() == nil {
			l.Logger.WarnContext(ctx, "the outbox loop could not mark blocked rows; it tries again", "error", err)
		}
		if blocked > 0 {
			l.Logger.WarnContext(ctx, "live notes wait in the outbox",
				"notes", blocked, "environment", nfse.Environment(true), "reason", noAuthority)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
