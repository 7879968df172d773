package dispatch

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"go.temporal.io/api/serviceerror"

	"emissor/internal/metrics"
	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/outbox"
	"emissor/store/received"
	"emissor/worker/admission"
)

const (
	pollInterval = 100 * time.Millisecond
	// batch is how many rows a claim takes: few, so that a new row does not wait long behind them.
	batch        = 16
	claimTimeout = 5 * time.Second

	// startTimeout is longer than the engine's own time-outs. A start that is given up earlier has often happened
	// nevertheless, and its first task is lost.
	startTimeout = 35 * time.Second

	// inDoubtPause is the shortest pause after a start that timed out: after it the engine has noticed that a first
	// task was lost.
	inDoubtPause = 12 * time.Second

	// slowStart is after how long a start gives its permit back, so that others can begin.
	slowStart = 5 * time.Second

	// checkTimeout is how long the health check of the engine may take.
	checkTimeout = 2 * time.Second

	// permitPatience is how long claimed rows wait for a permit; then other processes may have them.
	permitPatience = 2 * time.Second

	// stopPatience is how long starts under way may still take when the process stops.
	stopPatience = 5 * time.Second

	pauseInterval = time.Second // between two records of which backlogs cannot be started for now

	distributionInterval = 2 * time.Second // between two looks for issuers whose distribution is not polled

	besideTimeout = 30 * time.Second // of one round of what runs beside the loop
)

var (
	// rowBackoff is the pause of a row whose start fails while the engine takes others.
	rowBackoff = retry.Backoff{Initial: 2 * time.Second, Max: 15 * time.Minute}
	// engineAway is the pause of all rows while the engine is away.
	engineAway = retry.Backoff{Initial: 100 * time.Millisecond, Max: time.Second}
)

// Loop starts workflows for the rows of the outbox. Several may run side by side,
// in one process or in many: one of them claims a row for as long as it works on it.
type Loop struct {
	Store     *store.Store
	Starter   Starter
	Admission *admission.Admission
	Metrics   *metrics.Metrics
	Logger    *slog.Logger
	Traces    *trace.Tracer
	Live      bool // whether this process can issue live notes; it always starts what follows them
	Rates     Rates
	// Places are how many more live notes may stand in line for the turn of their series, for each
	// organization of which some do; no organization's are limited when nil.
	Places func() map[string]int
	// Distributes are the environments whose distributions this process can poll.
	Distributes []received.ServedEnvironment

	once   sync.Once
	wake   chan struct{}
	claims claims
	engine engine
}

// Wake makes the loop look for rows at once, instead of at its next poll: called after
// a commit in the same process. It never blocks.
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
// and all other claims are given back.
func (l *Loop) Run(ctx context.Context) {
	var beside, starts sync.WaitGroup
	starting, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	withoutCancel, stop := context.WithCancel(context.WithoutCancel(ctx))
	l.claims.store, l.claims.logger = l.Store, l.Logger
	beside.Go(func() { l.claims.keep(withoutCancel) })
	beside.Go(func() { l.claims.finish(withoutCancel) })
	if !l.Live {
		l.Logger.WarnContext(ctx, "live notes wait in the outbox", "reason", fact.NoAuthority.Fact())
		beside.Go(func() { l.every(ctx, pauseInterval, "say that live notes are paused", l.pauseUnserved) })
	}
	if len(l.Rates) > 0 {
		beside.Go(func() { l.every(ctx, pauseInterval, "say which rows are above their rate", l.sayAboveRate) })
	}
	if l.Places != nil {
		beside.Go(func() { l.every(ctx, pauseInterval, "say which notes wait for their turn", l.sayInLine) })
	}
	if len(l.Distributes) > 0 {
		beside.Go(func() { l.every(ctx, distributionInterval, "look for distributions", l.startDistributions) })
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

// pause waits until a poll finds rows that are due, or for a wake-up.
func (l *Loop) pause(ctx context.Context) {
	poll := time.NewTicker(pollInterval)
	defer poll.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.woken():
			return
		case <-poll.C:
			if l.engine.away() || l.haveDue(ctx) {
				return
			}
		}
	}
}

// haveDue reports whether a claim may find rows: it is asked at every poll, and costs a tenth of one.
func (l *Loop) haveDue(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, claimTimeout)
	defer cancel()
	due, err := l.Store.Outbox.HasDueStarts(ctx)
	return due || err != nil // the claim says what is wrong
}

// dispatch claims a batch once a run may be begun, and begins its starts one after the
// other; they may last as long as the context starting. It reports whether there was
// something to claim.
func (l *Loop) dispatch(ctx, starting context.Context, under *sync.WaitGroup) (found bool) {
	if l.engine.away() {
		l.probe(ctx, starting, under)
		return false
	}
	permit, err := l.Admission.Acquire(ctx)
	if err != nil {
		return false
	}
	batch := l.claim(ctx)
	for i, start := range batch {
		if permit == nil {
			permit, err = l.acquireSoon(ctx)
		}
		if err != nil || l.engine.away() {
			l.claims.giveBack(batch[i:])
			break
		}
		mine := permit
		under.Go(func() { l.start(starting, start, mine) })
		permit = nil
	}
	if permit != nil {
		permit.Drop()
	}
	return len(batch) > 0
}

// probe tries with one row, when it is time, whether an engine that was away is back; the
// other rows of the batch are postponed.
func (l *Loop) probe(ctx, starting context.Context, under *sync.WaitGroup) {
	if !l.engine.beginProbe() {
		return
	}
	batch := l.claim(ctx)
	if len(batch) == 0 {
		l.engine.endProbe()
		return
	}
	chosen, others := l.engine.chooseProbe(batch)
	permit := l.Admission.Probe()
	under.Go(func() {
		defer l.engine.endProbe()
		l.start(starting, chosen, permit)
		if !l.engine.away() {
			l.Wake()
		}
	})
	if len(others) > 0 {
		l.claims.postpone(others, engineAway.Max, outbox.EngineAway, l.engine.why())
	}
}

// acquireSoon is Acquire for a row that is claimed already.
func (l *Loop) acquireSoon(ctx context.Context) (*admission.Permit, error) {
	ctx, cancel := context.WithTimeout(ctx, permitPatience)
	defer cancel()
	return l.Admission.Acquire(ctx)
}

func (l *Loop) claim(ctx context.Context) []outbox.Start {
	// An interrupted claim could be committed without being known here.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), claimTimeout)
	defer cancel()
	all := []string{outbox.StartNote, outbox.StartResume, outbox.StartCancellation, outbox.StartDelivery,
		outbox.StartEmail,
		outbox.StartExport, outbox.StartBatch, outbox.StartRecurrence}
	live := all
	if !l.Live {
		live = []string{outbox.StartCancellation, outbox.StartDelivery, outbox.StartEmail, outbox.StartExport,
			outbox.StartBatch,
			outbox.StartRecurrence}
	}
	if len(l.Distributes) > 0 {
		live = append(slices.Clone(live), outbox.StartDistribution)
	}
	now := time.Now()
	starts, err := l.Store.Outbox.ClaimStarts(ctx, all, live, batch, lease, append(l.Rates.rooms(now), l.places()...)...)
	if err != nil {
		l.Logger.WarnContext(ctx, "the outbox loop could not claim; it tries again", "error", err)
	}
	l.claims.add(starts)
	starts, above := l.Rates.take(starts, now)
	if len(above) > 0 {
		l.claims.giveBack(above)
	}
	return starts
}

// start starts the workflow of one row, or records in the row why the engine did not take it.
func (l *Loop) start(ctx context.Context, start outbox.Start, permit *admission.Permit) {
	began := time.Now()
	bounded, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	bounded, span := l.trace(bounded, start)
	defer l.letOthersGo(permit, began)()
	outcome := outcomeFailed
	err := panics.Caught(func() (err error) {
		outcome, err = l.Starter.Start(permit.Context(bounded), start)
		return err
	})
	l.Metrics.Started(start.Kind, outcome)
	span.Outcome(outcome)
	if err != nil {
		span.Failed(outcomeFailed)
	}
	span.End(nil)
	if err == nil {
		permit.Started()
		l.engine.answered(began)
		l.claims.done(start)
		return
	}
	permit.Drop()
	if ctx.Err() != nil { // the process stops
		l.claims.giveBack([]outbox.Start{start})
		return
	}
	l.explain(ctx, start, permit, began, err)
}

// trace goes on with the trace of what asked for a start, or begins one: the run goes on with it.
func (l *Loop) trace(ctx context.Context, start outbox.Start) (context.Context, *trace.Span) {
	ctx, span := l.Traces.Continue(ctx, start.Traceparent, "dispatch "+start.Kind)
	span.Subject(start.Kind, start.SubjectID)
	span.Scope(start.Scope)
	span.Attempt(start.Attempts)
	return ctx, span
}

// letOthersGo gives back the permit of a start that takes long, unless the returned function
// is called before: so a few rows that hang do not block others.
func (l *Loop) letOthersGo(permit *admission.Permit, began time.Time) (stop func() bool) {
	return time.AfterFunc(slowStart, func() {
		if l.engine.answeredSince(began) {
			permit.Drop() // it is this row that takes long
		} else {
			permit.Late()
		}
	}).Stop
}

// explain records why a row was not started, and when it is tried again. Only an engine
// that is away delays other rows; every other failure is the row's own.
func (l *Loop) explain(ctx context.Context, start outbox.Start, permit *admission.Permit, began time.Time, err error) {
	failure := l.failureOf(ctx, start, permit, began, err)
	wait := engineAway.Max
	if failure.Own() {
		wait = rowBackoff.After(start.Failures + 1)
	}
	if isDeadline(err) {
		wait = max(wait, inDoubtPause)
	}
	log, level := l.Logger.With("kind", start.Kind, "subject_id", start.SubjectID, "organization_id",
		start.OrganizationID, "attempt", start.Attempts, "failure", failure, "wait", wait.String(), "error", err),
		slog.LevelWarn
	if failure.Own() {
		l.Metrics.RowFailed("outbox")
		level = slog.LevelError
	}
	log.Log(ctx, level, "a workflow could not be started; it is tried again")
	l.claims.postpone([]outbox.Start{start}, wait, failure, said(err))
}

// failureOf decides whether the engine failed, or the row, and records what that says of
// the engine.
func (l *Loop) failureOf(ctx context.Context, start outbox.Start, permit *admission.Permit, began time.Time,
	err error) outbox.StartFailure {
	var refused *serviceerror.InvalidArgument
	var panicked *panics.Error
	switch {
	case errors.As(err, &panicked):
		return outbox.StartInternal
	case errors.As(err, &refused):
		l.engine.answered(began)
		return outbox.StartRefused
	case permit.EngineAway() || !l.wellEngine(ctx):
		l.engine.failed(said(err))
		return outbox.EngineAway
	case !isDeadline(err):
		l.engine.answered(began)
		return outbox.StartRefused
	case l.engine.timesOut(start.ID):
		l.engine.failed(said(err))
		return outbox.EngineAway
	}
	return outbox.StartTimedOut
}

// wellEngine checks the engine's health, when it did not take a row for an unknown reason.
func (l *Loop) wellEngine(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	return l.Starter.Check(ctx) == nil
}

func isDeadline(err error) bool {
	var late *serviceerror.DeadlineExceeded
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &late)
}

// mostSaid is how many bytes of an error are stored in a row.
const mostSaid = 500

// said is what is stored of an error: without the stack of a panic, which is in the log.
func said(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	if len(text) > mostSaid {
		text = text[:mostSaid]
	}
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
}

// every does something beside the loop, again and again until ctx ends. Neither an error nor
// a panic of it ends it or the loop.
func (l *Loop) every(ctx context.Context, interval time.Duration, what string, do func(context.Context) error) {
	once := func() {
		bounded, cancel := context.WithTimeout(ctx, besideTimeout)
		err := panics.Caught(func() error { return do(bounded) })
		cancel()
		if err != nil && ctx.Err() == nil {
			l.Logger.WarnContext(ctx, "the outbox loop could not "+what+"; it tries again", "error", err)
		}
	}
	once()
	retry.Every(ctx, interval, once)
}

// startDistributions makes outbox rows for the distributions of issuers that are not polled.
func (l *Loop) startDistributions(ctx context.Context) error {
	started, err := l.Store.Received.StartDistributions(ctx, l.Distributes)
	if started > 0 {
		l.Wake()
	}
	return err
}

// pauseUnserved records, for operators, that no process can start live notes yet.
func (l *Loop) pauseUnserved(ctx context.Context) error {
	live := nfse.Scope{Livemode: true}
	return l.Store.Outbox.PauseBacklogs(ctx, fact.NoAuthority.Fact(), outbox.Backlog{Kind: outbox.StartNote, Scope: live},
		outbox.Backlog{Kind: outbox.StartResume, Scope: live})
}
