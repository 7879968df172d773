package main

import (
	"context"
	"fmt"
	"time"

	"emissor/internal/panics"
	"emissor/store"
)

// stalledInterval is how often a process looks whether anything moves.
const stalledInterval = 30 * time.Second

// warnWhenStalled says in the log that nothing moves, for as long as that is so. What is
// accepted may be waiting for an engine that is away, or for a worker that nobody runs:
// so every process looks.
func (p *process) warnWhenStalled(ctx context.Context) {
	ticker := time.NewTicker(stalledInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		err := panics.Caught(func() error {
			why, err := p.stalled(ctx)
			if why != "" {
				p.logger.ErrorContext(ctx, why)
			}
			return err
		})
		if err != nil && ctx.Err() == nil {
			p.logger.WarnContext(ctx, "it could not be seen whether anything moves; it is looked again", "error", err)
		}
	}
}

// stalled says that nothing moves in the installation; empty when it does.
func (p *process) stalled(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	waited, err := p.store.LongestWait(ctx)
	if err != nil || waited <= store.Stalled {
		return "", err
	}
	return fmt.Sprintf("nothing moves: the oldest row that is due in the outbox has waited for %s; "+
		"`emissor outbox` says why", waited.Round(time.Second)), nil
}
