package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// backlog is what has been accepted while no worker ran.
type backlog struct {
	count   int
	callers func(*installation) []caller
	needs   needs
	webhook bool
}

// drained is how a backlog went away.
type drained struct {
	rate         float64 // of all, a second
	first, last  float64 // of the first and the last quarter
	failedStarts float64 // share of starts
}

func (d drained) String() string {
	return fmt.Sprintf("first quarter %s, last %s; failed starts %.2f %%", significant(d.first),
		significant(d.last), 100*d.failedStarts)
}

// drain accepts a backlog, starts so many workers, and waits for the end of the
// last note, or of the last delivery where there are webhooks.
func (b *bench) drain(ctx context.Context, backlog backlog, workers int) (d drained, err error) {
	i, err := b.install(ctx, backlog.needs)
	if err != nil {
		return d, err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	if err := accept(ctx, 0, backlog.count, backlog.callers(i)...); err != nil {
		return d, err
	}
	return i.drain(ctx, backlog, func() error { return i.startWorkers(ctx, workers) })
}

// drain starts workers and waits until what was accepted has ended.
func (i *installation) drain(ctx context.Context, backlog backlog, start func() error) (d drained, err error) {
	open, ends := openNotes, `SELECT issued_at FROM notes ORDER BY issued_at`
	if backlog.webhook {
		receiver, err := i.subscribe(ctx, i.organizations[0], false)
		if err != nil {
			return d, err
		}
		defer receiver.Close()
		open = `SELECT (` + openNotes + `) + (` + openDeliveries + `)`
		ends = `SELECT resolved_at FROM deliveries WHERE status = 'delivered' ORDER BY resolved_at`
	}
	if err := start(); err != nil {
		return d, err
	}
	began := time.Now()
	if err := i.awaitNone(ctx, open); err != nil {
		return d, err
	}
	var moments []time.Time
	if err := i.database.SQL.SelectContext(ctx, &moments, ends); err != nil {
		return d, err
	}
	if len(moments) != backlog.count {
		return d, fmt.Errorf("%d of %d ended well", len(moments), backlog.count)
	}
	d = speeds(began, moments)
	d.failedStarts, err = i.failedStarts(ctx)
	return d, err
}

// speeds are how fast things ended that began together, from the moments of their
// ends, in order.
func speeds(began time.Time, ends []time.Time) drained {
	quarter := max(1, len(ends)/4)
	rate := func(count int, from, until time.Time) float64 {
		return float64(count) / max(time.Millisecond, until.Sub(from)).Seconds()
	}
	last := ends[len(ends)-1]
	return drained{
		rate:  rate(len(ends), began, last),
		first: rate(quarter, began, ends[quarter-1]),
		last:  rate(quarter, ends[len(ends)-1-quarter], last),
	}
}
