package dispatch

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"emissor/internal/retry"
	"emissor/store"
	"emissor/store/outbox"
)

const (
	// lease is how long a claim lasts without being kept: what a killed process had claimed is due again after it.
	lease        = 6 * time.Second
	keepInterval = 2 * time.Second

	finishInterval = 100 * time.Millisecond // so that one statement deletes many rows
	updateTimeout  = 5 * time.Second        // of a claim's end
)

// claims are the rows that a loop works on. Their claims are prolonged as long as it does,
// however late the engine is; rows that the engine has taken are deleted.
type claims struct {
	store  *store.Store
	logger *slog.Logger

	mu      sync.Mutex
	open    map[int64]outbox.Start
	started []outbox.Start // of open, to be deleted
}

func (c *claims) add(starts []outbox.Start) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open == nil {
		c.open = map[int64]outbox.Start{}
	}
	for _, start := range starts {
		c.open[start.ID] = start
	}
}

func (c *claims) forget(starts []outbox.Start) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, start := range starts {
		if c.open[start.ID].Token == start.Token {
			delete(c.open, start.ID)
		}
	}
}

// done marks a row as taken by the engine, to be deleted.
func (c *claims) done(start outbox.Start) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.started = append(c.started, start)
}

// giveBack frees rows that were not tried.
func (c *claims) giveBack(starts []outbox.Start) {
	c.forget(starts)
	ctx, cancel := context.WithTimeout(context.Background(), updateTimeout)
	defer cancel()
	if err := c.store.Outbox.KeepStarts(ctx, starts, 0); err != nil {
		c.fail(ctx, "free claimed rows", err)
	}
}

// postpone makes rows due again after a while, and records why for operators.
func (c *claims) postpone(starts []outbox.Start, wait time.Duration, failure outbox.StartFailure, said string) {
	c.forget(starts)
	ctx, cancel := context.WithTimeout(context.Background(), updateTimeout)
	defer cancel()
	if err := c.store.Outbox.PostponeStarts(ctx, starts, wait, failure, said); err != nil {
		c.fail(ctx, "postpone rows", err)
	}
}

// keep prolongs the open claims, until ctx ends.
func (c *claims) keep(ctx context.Context) {
	retry.Every(ctx, keepInterval, func() {
		c.mu.Lock()
		open := slices.Collect(maps.Values(c.open))
		c.mu.Unlock()
		if len(open) == 0 {
			return
		}
		bounded, cancel := context.WithTimeout(ctx, updateTimeout)
		defer cancel()
		if err := c.store.Outbox.KeepStarts(bounded, open, lease); err != nil {
			c.fail(ctx, "keep its claims", err)
		}
	})
}

// finish deletes the rows that the engine has taken, until ctx ends and none is left. A row
// that stays although it was started is started again, which changes nothing.
func (c *claims) finish(ctx context.Context) {
	retry.Every(ctx, finishInterval, func() { c.deleteStarted(ctx) })
	c.deleteStarted(ctx)
}

func (c *claims) deleteStarted(ctx context.Context) {
	c.mu.Lock()
	started := c.started
	c.started = nil
	c.mu.Unlock()
	if len(started) == 0 {
		return
	}
	bounded, cancel := context.WithTimeout(context.WithoutCancel(ctx), updateTimeout)
	defer cancel()
	if err := c.store.Outbox.FinishStarts(bounded, started); err != nil {
		c.fail(ctx, "delete started rows", err)
	}
	c.forget(started)
}

func (c *claims) fail(ctx context.Context, what string, err error) {
	c.logger.WarnContext(ctx, "the outbox loop could not "+what+"; the rows are due again soon", "error", err)
}
