package activities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"emissor/internal/retry"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// RetryLater is the error of an attempt that is to be made again after a pause.
type RetryLater struct {
	Code   string        // one word for histories: not_delivered, unknown, leased, ...
	Reason string        // for histories of the engine, without personal data
	After  time.Duration // the shortest pause that makes sense; the growing one may be longer
	// NotFailed says that nothing failed: it is not its turn yet, or too early to know, or
	// there is more to do. The attempt does not make this pause or later ones longer.
	NotFailed bool
}

// Error implements error.
func (e RetryLater) Error() string { return e.Reason }

// ActionRequired is the error of what cannot go on until a person has done
// something.
type ActionRequired struct {
	Reason fact.Fact // what is missing, without personal data
	// Answered says that an authority's answer asks for it: what the person has done
	// meanwhile is seen at the next attempt, not at once.
	Answered bool
	// RetryAfter is the first pause before it is tried again by itself, where that is soon: the next ones grow.
	RetryAfter time.Duration
}

// Error implements error.
func (e *ActionRequired) Error() string { return e.Reason.English() }

// The pauses between attempts. The engine would cut what is longer than the
// maximum of the activity's options in package workflows.
var (
	// AuthorityBackoff stays below a quarter of an hour with its jitter.
	AuthorityBackoff = retry.Backoff{Initial: time.Second, Max: 13*time.Minute + 30*time.Second}
	// busyTarget spreads what waits for a slot of one endpoint, organization or key.
	busyTarget = retry.Backoff{Initial: 2 * time.Second, Max: 2 * time.Minute, Jitter: 0.5}
	// missingSetting is for what an operator must configure.
	missingSetting = retry.Backoff{Initial: 2 * time.Second, Max: 13*time.Minute + 30*time.Second}
	// databaseOut is short, so that nothing waits for long once the database is back.
	databaseOut = retry.Backoff{Initial: 200 * time.Millisecond, Max: 30 * time.Second}
	// outForMany is the same for attempts that go on for days: short however many there were.
	outForMany = retry.Backoff{Initial: 15 * time.Second, Max: 15 * time.Second, Jitter: 0.3}
)

// AtAuthority turns RetryLater into what the engine sees: it waits that long
// before the next attempt, longer the more attempts have failed.
func (e RetryLater) AtAuthority(failed int) error {
	if e.NotFailed {
		return RetryAfter(e.Code, e.Reason, retry.NotBefore(e.After))
	}
	return RetryAfter(e.Code, e.Reason, AuthorityBackoff.AtLeast(e.After, failed))
}

// attempt counts the attempts of the activity under way, from 1.
func attempt(ctx context.Context) int { return int(activity.GetInfo(ctx).Attempt) }

// RetryAfter makes the error that says when the next attempt is due. It is benign, so that
// the failure of a receiver or an authority is no error in the worker's log.
func RetryAfter(code, reason string, pause time.Duration) error {
	return temporal.NewApplicationErrorWithOptions(reason, code, temporal.ApplicationErrorOptions{
		NextRetryDelay: pause,
		Category:       temporal.ApplicationErrorCategoryBenign,
	})
}

// givenUp makes the error that fails the run, so that an operator sees it.
func givenUp(code string, reason fact.Fact) error {
	return temporal.NewApplicationErrorWithOptions(reason.English(), code, temporal.ApplicationErrorOptions{
		NonRetryable: true,
		Category:     temporal.ApplicationErrorCategoryBenign,
	})
}

// RetrySoon is failure for activities whose attempts go on for days: while the database is out
// they are made again soon, however many there were before.
func RetrySoon(ctx context.Context, logger *slog.Logger, err error) error {
	err = Failure(ctx, logger, err)
	var known *temporal.ApplicationError
	if errors.As(err, &known) && known.Type() == string(nfse.CodeServiceUnavailable) && known.NextRetryDelay() > 0 {
		return RetryAfter(known.Type(), known.Message(), outForMany.After(1))
	}
	return err
}
