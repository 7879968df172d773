package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"
)

// probeTimeout is when a note that still has not ended is taken for held up.
const probeTimeout = time.Minute

// measureFairness measures how long notes of other organizations take while many
// notes of one, and their deliveries, are worked off. Each live note is another's.
func (b *bench) measureFairness(ctx context.Context) (err error) {
	i, err := b.install(ctx, needs{organizations: 2, live: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	if err := i.copyCompany(ctx, b.options.companies-2); err != nil {
		return err
	}
	receiver, err := i.subscribe(ctx, i.organizations[0], false)
	if err != nil {
		return err
	}
	defer receiver.Close()
	if err := accept(ctx, 0, b.options.crowd, i.caller(i.organizations[0], false)); err != nil {
		return err
	}
	if err := i.startWorkers(ctx, 2); err != nil {
		return err
	}

	ends := newEnds(i.database)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go ends.watch(watching)
	test, others := i.caller(i.organizations[1], false), live(i)[1:]
	until := time.Now().Add(b.options.window(40 * time.Second))
	probes := []*probe{
		{name: "a live note", do: func(ctx context.Context, n int) (time.Duration, error) {
			return others[n%len(others)].issueTimed(ctx, ends, n)
		}},
		{name: "a sandbox note", do: func(ctx context.Context, n int) (time.Duration, error) {
			return test.issueTimed(ctx, ends, 2*n)
		}},
		{name: "the cancellation of an issued note", do: func(ctx context.Context, n int) (time.Duration, error) {
			return test.cancelTimed(ctx, ends, 2*n+1)
		}},
	}
	var group errgroup.Group
	for _, probe := range probes {
		group.Go(func() error { return probe.repeat(ctx, until) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	var notes, deliveries int
	if err := errors.Join(i.database.SQL.GetContext(ctx, &notes, openNotes),
		i.database.SQL.GetContext(ctx, &deliveries, openDeliveries)); err != nil {
		return err
	}
	for _, probe := range probes {
		b.report.add(result{
			name: fmt.Sprintf("from request to end: %s, while %d notes with deliveries of another organization drain, "+
				"%d organizations, 2 workers", probe.name, b.options.crowd, len(i.organizations)),
			time: probe.took.at(50),
			detail: fmt.Sprintf("p99 %s, longest %s of %d; afterwards %d notes and %d deliveries still wait",
				milliseconds(probe.took.at(99)), milliseconds(probe.took.at(100)), probe.took.count(), notes, deliveries),
		})
	}
	return nil
}

// probe does one thing again and again and says how long it took.
type probe struct {
	name string
	do   func(ctx context.Context, n int) (time.Duration, error)
	took durations
}

// repeat probes until a moment, with pauses, so that what is measured is no load
// of its own. What does not end counts with the time it was waited for.
func (p *probe) repeat(ctx context.Context, until time.Time) error {
	for n := 0; time.Now().Before(until); n++ {
		bounded, cancel := context.WithTimeout(ctx, probeTimeout)
		took, err := p.do(bounded, n)
		cancel()
		if err != nil && (ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded)) {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		p.took.add(took)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(500 * time.Millisecond):
		}
	}
	return nil
}

// issueTimed issues a note and says how long it took from the request to its end.
func (c caller) issueTimed(ctx context.Context, ends *ends, n int) (took time.Duration, err error) {
	began := time.Now()
	id, err := c.issue(ctx, n)
	if err == nil {
		err = ends.await(ctx, id)
	}
	return time.Since(began), err
}

// cancelTimed issues a note, waits for its end, and says how long its
// cancellation takes.
func (c caller) cancelTimed(ctx context.Context, ends *ends, n int) (took time.Duration, err error) {
	began := time.Now()
	id, err := c.issue(ctx, n)
	if err == nil {
		err = ends.await(ctx, id)
	}
	if err != nil {
		return time.Since(began), err
	}
	began = time.Now()
	if err = c.cancel(ctx, id); err == nil {
		err = ends.await(ctx, id)
	}
	return time.Since(began), err
}
