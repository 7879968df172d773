package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// measureAccepts measures POST /v1/nfse alone, first while nothing else happens,
// and then while what was accepted is worked off.
func (b *bench) measureAccepts(ctx context.Context) (err error) {
	i, err := b.install(ctx, needs{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	var next atomic.Int64 // the reference of the next note
	for _, phase := range []struct {
		name    string
		workers int
	}{{"nothing else happens", 0}, {"a backlog drains", 1}} {
		if phase.workers > 0 {
			if err := i.startWorkers(ctx, phase.workers); err != nil {
				return err
			}
		}
		for _, clients := range []int{1, 8, 32} {
			rate, took, err := sandbox(i)[0].hammer(ctx, clients, &next, b.options.window(10*time.Second))
			if err != nil {
				return err
			}
			detail := percentiles(took.at(50), took.at(99))
			if phase.workers > 0 {
				var open int
				if err := i.database.SQL.GetContext(ctx, &open, openNotes); err != nil {
					return err
				}
				detail += fmt.Sprintf("; %d notes wait", open)
			}
			b.report.add(result{
				name: fmt.Sprintf("accepts of %s while %s", plural(clients, "client"), phase.name),
				rate: rate, detail: detail,
			})
		}
	}
	return nil
}

// hammer has notes accepted by so many clients, each as fast as it can, for a
// while.
func (c caller) hammer(
	ctx context.Context, clients int, next *atomic.Int64, window time.Duration,
) (rate float64, took *durations, err error) {
	took = &durations{}
	end := time.Now().Add(window)
	group, ctx := errgroup.WithContext(ctx)
	for range clients {
		group.Go(func() error {
			for time.Now().Before(end) {
				began := time.Now()
				if _, err := c.issue(ctx, int(next.Add(1))); err != nil {
					return err
				}
				took.add(time.Since(began))
			}
			return nil
		})
	}
	err = group.Wait()
	return float64(took.count()) / window.Seconds(), took, err
}
