package dispatch

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"emissor/metrics"
	"emissor/nfse"
	"emissor/retry"
	"emissor/store"
)

const (
	pollInterval  = 100 * time.Millisecond
	batch         = 64               // rows a claim
	concurrency   = 32               // starts under way at once
	startTimeout  = 5 * time.Second  // of one start
	lease         = 30 * time.Second // of a claimed row: longer than a batch of starts can take
	claimTimeout  = 5 * time.Second
	finishTimeout = 5 * time.Second
	blockBatch    = 1000
	blockInterval = time.Second // between two looks for rows that cannot be started
)

// backoff is the wait of a row that could not be started.
var backoff = retry.Backoff{Initial: 250 * time.Millisecond, Max: 15 * time.Second}

// noAuthority is why live notes wait while the process knows no authority.
const noAuthority = "no tax authority is configured for live notes"

// Loop hands the rows of the outbox to the workflow engine until it is told to
// stop. Several may run side by side, in one process or in many: a row is claimed
// by one of them for the length of its lease.
type Loop struct {
	Store   *store.Store
	Starter Starter
	Metrics *metrics.Metrics
	Logger  *slog.Logger
	Live    bool // whether this process can issue live notes; what follows them it always can

	wake chan struct{}
	once sync.Once
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

// Run dispatches until ctx ends, and returns when the starts under way are
// done. Test and live rows are claimed apart, so neither holds the other up.
func (l *Loop) Run(ctx context.Context) {
	var running sync.WaitGroup
	all := []string{store.StartNote, store.StartResume, store.StartCancellation, store.StartDelivery, store.StartEmail}
	running.Go(func() { l.repeat(ctx, pollInterval, l.woken(), func() int { return l.dispatch(ctx, false, all) }) })
	live := all
	if !l.Live {
		live = []string{store.StartCancellation, store.StartDelivery, store.StartEmail}
		running.Go(func() { l.repeat(ctx, blockInterval, nil, func() int { l.block(ctx); return 0 }) })
	}
	running.Go(func() { l.repeat(ctx, pollInterval, nil, func() int { return l.dispatch(ctx, true, live) }) })
	running.Wait()
}

// repeat runs work until ctx ends: again at once while it finds full batches,
// else when woken or after the interval.
func (l *Loop) repeat(ctx context.Context, interval time.Duration, woken <-chan struct{}, work func() int) {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if work() == batch {
			continue
		}
		select {
		case <-ctx.Done():
		case <-woken:
		case <-ticker.C:
		}
	}
}

// dispatch claims a batch, starts what it names and returns its size.
func (l *Loop) dispatch(ctx context.Context, livemode bool, kinds []string) int {
	// A shutdown lets what is claimed be finished: it takes seconds. Interrupted, a claim could be committed and
	// not known of, and its notes would wait out the lease.
	ctx = context.WithoutCancel(ctx)
	starts, err := l.claim(ctx, livemode, kinds)
	if err != nil {
		l.logFailure(ctx, "claim from the outbox", err)
		return 0
	}
	if len(starts) == 0 {
		return 0
	}
	started := make([]bool, len(starts))
	var group errgroup.Group
	group.SetLimit(concurrency)
	for i, start := range starts {
		group.Go(func() error {
			started[i] = l.start(ctx, start)
			return nil
		})
	}
	_ = group.Wait()

	var done []int64
	for i, start := range starts {
		if started[i] {
			done = append(done, start.ID)
		}
	}
	l.finish(ctx, done, starts[0])
	return len(starts)
}

func (l *Loop) claim(ctx context.Context, livemode bool, kinds []string) ([]store.Start, error) {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	return l.Store.ClaimStarts(ctx, livemode, kinds, batch, lease)
}

// start hands one row to the engine. A failure pushes the row's next try back,
// so that it blocks no other.
func (l *Loop) start(ctx context.Context, start store.Start) bool {
	bounded, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	outcome, err := l.Starter.Start(bounded, start)
	l.Metrics.Started(start.Kind, outcome)
	if err == nil {
		return true
	}
	wait := backoff.After(start.Attempts)
	l.Logger.WarnContext(ctx, "a workflow could not be started; it is tried again", "kind", start.Kind,
		"subject_id", start.SubjectID, "organization_id", start.OrganizationID, "attempt", start.Attempts,
		"wait", wait.String(), "error", err)
	bounded, cancel = context.WithTimeout(ctx, finishTimeout)
	defer cancel()
	if err := l.Store.PostponeStart(bounded, start, wait, err.Error()); err != nil {
		l.logFailure(ctx, "postpone an outbox row", err)
	}
	return false
}

// finish deletes the rows that the engine has started. One that stays although it
// was started is started again after its lease, which changes nothing.
func (l *Loop) finish(ctx context.Context, ids []int64, claim store.Start) {
	if len(ids) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, finishTimeout)
	defer cancel()
	if err := l.Store.FinishStarts(ctx, ids, claim.Token); err != nil {
		l.logFailure(ctx, "delete started outbox rows", err)
	}
}

// block marks live rows that nobody can start yet, for the operator to see.
func (l *Loop) block(ctx context.Context) {
	kinds := []string{store.StartNote, store.StartResume}
	blocked, err := l.Store.BlockStarts(ctx, true, kinds, noAuthority, blockBatch)
	if err != nil {
		l.logFailure(ctx, "mark blocked outbox rows", err)
	}
	if blocked > 0 {
		l.Logger.WarnContext(ctx, "live notes wait in the outbox",
			"notes", blocked, "environment", nfse.Environment(true), "reason", noAuthority)
	}
}

// logFailure logs what the loop could not do, unless the process is stopping.
func (l *Loop) logFailure(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		l.Logger.WarnContext(ctx, "the outbox loop could not "+what+"; it tries again", "error", err)
	}
}
