package activities

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/temporal"

	"emissor/internal/metrics"
	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/workflows"
)

// Loop is what works through rows of a kind, with one attempt at one row at a time.
type Loop struct {
	Name string // as metrics name it
	ID   string // what logs call the id of a row
	// Record records in a row that an attempt failed on our side, and how long the row
	// waits; nil where rows have no place for that.
	Record func(ctx context.Context, id string, problem fact.Fact, wait time.Duration) error
}

// The loops of this package, as metrics name them.
const (
	LoopDeliveries    = "deliveries"
	LoopEmails        = "e-mails"
	LoopDistributions = "ADN batches"
	LoopCities        = "city parameters"
	LoopStandings     = "standings"
	LoopNotes         = "notes"
	LoopBatches       = "spreadsheets"
	LoopExports       = "exports"
	LoopRecurring     = "recurring notes"
	LoopRecovery      = "numbers after a restore"
)

// RowGuard keeps one row's failures from stopping others, and from being repeated without a pause:
// an attempt that panics, hangs, or fails without saying when the next one is due, has failed
// on our side. It is logged and counted, recorded in its row, and made again after a pause
// that grows.
type RowGuard struct {
	interceptor.WorkerInterceptorBase
	Loops   map[string]Loop // by the name of the activity that makes an attempt
	Pauses  retry.Backoff   // RowPauses when zero
	Metrics *metrics.Metrics
	Logger  *slog.Logger

	failed Streaks // attempts that failed on our side
}

// RowPauses are the pauses after attempts that failed on our side.
var RowPauses = retry.Backoff{Initial: 2 * time.Second, Max: 13*time.Minute + 30*time.Second}

// FailedHere is what is recorded in a row whose attempt failed on our side.
var FailedHere = fact.FailedHere.Fact()

// InterceptActivity implements interceptor.WorkerInterceptor.
func (r *RowGuard) InterceptActivity(_ context.Context,
	next interceptor.ActivityInboundInterceptor) interceptor.ActivityInboundInterceptor {
	return &attempts{interceptor.ActivityInboundInterceptorBase{Next: next}, r}
}

type attempts struct {
	interceptor.ActivityInboundInterceptorBase
	rows *RowGuard
}

// ExecuteActivity implements interceptor.ActivityInboundInterceptor.
func (a *attempts) ExecuteActivity(ctx context.Context, in *interceptor.ExecuteActivityInput) (result any, err error) {
	loop, goesOverRows := a.rows.Loops[activity.GetInfo(ctx).ActivityType.Name]
	if !goesOverRows {
		return a.Next.ExecuteActivity(ctx, in)
	}
	row := rowOf(in.Args)
	if span := trace.Of(ctx); span != nil {
		span.Subject(loop.Name, row)
		span.Attempt(attempt(ctx))
	}
	type end struct {
		result any
		err    error
	}
	info := activity.GetInfo(ctx)
	until := info.Deadline
	if !info.IsLocalActivity { // of a local activity the engine would not wait for the end
		until = until.Add(-answerTime)
	}
	within, cancel := context.WithDeadline(context.WithoutCancel(ctx), until)
	defer cancel()
	ended, err := Guarded(within, func(context.Context) (ended end) {
		ended.result, ended.err = a.Next.ExecuteActivity(ctx, in)
		return ended
	})
	if err = cmp.Or(err, ended.err); !isRowFailure(err) {
		a.rows.failed.End(row)
		return ended.result, err
	}
	return nil, a.rows.explain(ctx, loop, row, err)
}

// answerTime is how long before its time-out an attempt is abandoned, so that there is time
// to record that and to report it.
const answerTime = 3 * leftBehind

// isRowFailure reports whether an attempt failed without saying when the next one is due.
func isRowFailure(err error) bool {
	var failed *temporal.ApplicationError
	switch {
	case err == nil, temporal.IsCanceledError(err):
		return false
	case errors.As(err, &failed):
		return !failed.NonRetryable() && failed.NextRetryDelay() == 0
	}
	return true
}

// explain makes the error that says when the next attempt is due after one failed on our side.
func (r *RowGuard) explain(ctx context.Context, loop Loop, id string, err error) error {
	log := r.Logger.With(loop.ID, id, "activity", activity.GetInfo(ctx).ActivityType.Name, "attempt", attempt(ctx))
	code := string(nfse.CodeInternal)
	if failed := new(temporal.ApplicationError); errors.As(err, &failed) {
		code = failed.Type() // the cause was logged where it happened
	} else {
		log.ErrorContext(ctx, "an attempt failed on our side", "error", err)
	}
	r.Metrics.RowFailed(loop.Name)
	pauses := r.Pauses
	if pauses.Initial == 0 {
		pauses = RowPauses
	}
	wait := pauses.After(r.failed.Again(id))
	if loop.Record != nil {
		if err := loop.Record(context.WithoutCancel(ctx), id, FailedHere, wait); err != nil {
			log.WarnContext(ctx, "that an attempt failed could not be recorded", "error", err)
		}
	}
	return RetryAfter(code, FailedHere.English(), wait)
}

// rowOf is the id of the row that an activity is about; empty where it is about none.
func rowOf(arguments []any) string {
	if len(arguments) != 1 {
		return ""
	}
	switch argument := arguments[0].(type) {
	case string:
		return argument
	case workflows.ExchangeInput:
		return argument.NoteID
	}
	return ""
}

// leftBehind is how long a call may outlast its context before it is abandoned.
const leftBehind = time.Second

// ErrNeverEnds says that a call did not return in time and its goroutine was abandoned.
var ErrNeverEnds = errors.New("it did not end in time, and is not waited for any more")

// Guarded makes an error of a panic, and of a call that goes on after its context has ended.
// A goroutine that is abandoned must share no data with what goes on.
func Guarded[T any](ctx context.Context, do func(context.Context) T) (result T, err error) {
	type outcome struct {
		result T
		err    error
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		o.err = panics.Caught(func() error {
			o.result = do(ctx)
			return nil
		})
		done <- o
	}()
	select {
	case o := <-done:
		return o.result, o.err
	case <-ctx.Done():
	}
	select {
	case o := <-done:
		return o.result, o.err
	case <-time.After(leftBehind):
		return result, ErrNeverEnds
	}
}
