package dashboard

import (
	"context"
	"time"

	"emissor/dashboard/frame"
	"emissor/internal/panics"
	"emissor/internal/retry"
)

const (
	// tidyInterval is how often what has expired is deleted and days of the ledger closed.
	tidyInterval = 10 * time.Minute
	// tidyLongest is how long each of these may take; the next round continues.
	tidyLongest = 2 * time.Minute

	forgottenAtOnce = 1000
)

// tidying is one of the jobs of KeepTidy.
type tidying struct {
	loop string // as docs/architecture/loops.md names it
	do   func(context.Context) error
}

// KeepTidy deletes expired sessions and links, and sums up the past days of the ledger, until ctx
// ends.
func KeepTidy(ctx context.Context, d *frame.Dashboard) {
	for {
		tidy(ctx, d, tidyLongest, []tidying{
			{"ledger days", func(ctx context.Context) error { return closeLedgerDays(ctx, d) }},
			{"sessions", func(ctx context.Context) error { return forgetSessions(ctx, d) }},
			{"classification links", func(ctx context.Context) error { return forgetClassificationLinks(ctx, d) }},
		})
		if retry.Sleep(ctx, tidyInterval) != nil {
			return
		}
	}
}

// tidy runs every part, even where one before it fails.
func tidy(ctx context.Context, d *frame.Dashboard, longest time.Duration, parts []tidying) {
	for _, part := range parts {
		if err := panics.Within(ctx, longest, part.do); err != nil && ctx.Err() == nil {
			d.Metrics.RowFailed(part.loop)
			d.Logger.ErrorContext(ctx, "a part of keeping tidy failed; it is tried again", "loop", part.loop,
				"wait", tidyInterval.String(), "error", err)
		}
	}
}

// closeLedgerDays sums up every past day, so that a period of years is shown as quickly as
// one of a day.
func closeLedgerDays(ctx context.Context, d *frame.Dashboard) error {
	for {
		if closed, err := d.Store.Books.CloseLedgerDays(ctx); err != nil || closed == 0 {
			return err
		}
	}
}

func forgetSessions(ctx context.Context, d *frame.Dashboard) error {
	_, err := d.Store.Access.ForgetSessions(ctx, forgottenAtOnce)
	return err
}

func forgetClassificationLinks(ctx context.Context, d *frame.Dashboard) error {
	_, err := d.Store.Catalogues.ForgetClassificationLinks(ctx, forgottenAtOnce)
	return err
}
