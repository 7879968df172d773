package serve

import (
	"context"
	"fmt"
	"time"

	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/store/outbox"
)

// stalledInterval is how often a process checks whether anything moves.
const stalledInterval = 30 * time.Second

// warnWhenStalled logs that nothing moves, as long as that is so. Every process checks it,
// because the engine may be unreachable, or no worker may run.
func (p *Process) warnWhenStalled(ctx context.Context) {
	retry.Every(ctx, stalledInterval, func() {
		err := panics.Caught(func() error {
			why, err := p.stalled(ctx)
			if why != "" {
				p.Logger.ErrorContext(ctx, why)
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			p.Logger.WarnContext(ctx, "it could not be seen whether anything moves; it is looked again", "error", err)
		}
	})
}

// stalled describes that nothing moves in the installation; empty when something does.
func (p *Process) stalled(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	waited, err := p.store.Outbox.LongestWait(ctx)
	if err != nil || waited <= outbox.Stalled {
		return "", err
	}
	return fmt.Sprintf("nothing moves: the oldest row that is due in the outbox has waited for %s; "+
		"`emissor outbox` says why", waited.Round(time.Second)), nil
}
