package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emissor/test/harness"
	"emissor/test/simulators/sefin"
)

// What the row "doubt" is measured with.
const (
	doubtGrace = 20 * time.Second // instead of a minute; longer than the lease of a killed worker
	doubtNotes = 40
	doubtDelay = 3 * time.Second // until the authority loses what it was sent; the worker is killed before
)

// measureDoubt measures when notes end that were sent, of which the authority has
// nothing, and whose answer did not come: once with a worker that lives on, once with
// one that was killed while its calls were out. A note may not be sent again before the
// grace period is over, so the time counts from there.
func (b *bench) measureDoubt(ctx context.Context) error {
	for _, killed := range []bool{false, true} {
		if err := b.doubtRow(ctx, killed); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) doubtRow(ctx context.Context, killed bool) (err error) {
	i, err := b.install(ctx, needs{live: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	grace := "EMISSOR_AUTHORITY_GRACE_PERIOD=" + doubtGrace.String()
	lost := []sefin.Fault{{Kind: sefin.Drop, Scope: sefin.Issue}}
	if killed {
		lost = append(lost, sefin.Fault{Kind: sefin.Latency, Scope: sefin.Issue, Delay: sefin.Duration(doubtDelay)})
	}
	if err := errors.Join(i.simulator.SetFaults(ctx, sefin.FaultProfile{Faults: lost}),
		i.startWorkers(ctx, 1, grace)); err != nil {
		return err
	}
	if err := accept(ctx, 0, doubtNotes, i.caller(i.organizations[0], true)); err != nil {
		return err
	}
	const inDoubt = `SELECT count(*) FROM fiscal_exchanges WHERE state = 'in_doubt'`
	if err := i.awaitCount(ctx, inDoubt, doubtNotes); err != nil {
		return err
	}
	how := "the connection was cut"
	if killed {
		how = "the worker was killed"
		i.workers[0].Kill()
		i.workers = nil
		if err := i.startWorkers(ctx, 1, grace); err != nil {
			return err
		}
	}
	if err := errors.Join(i.simulator.SetFaults(ctx, sefin.FaultProfile{}),
		i.awaitCount(ctx, `SELECT count(*) FROM notes WHERE status = 'issued'`, doubtNotes)); err != nil {
		return err
	}
	took, err := i.afterDoubt(ctx)
	if err != nil {
		return err
	}
	b.report.add(result{
		name: fmt.Sprintf("in doubt because %s, nothing at the authority: from the end of the grace period to issued",
			how),
		time:   took.at(50),
		detail: fmt.Sprintf("longest %s of %d", milliseconds(took.at(100)), took.count()),
	})
	return nil
}

// afterDoubt is how long after the grace period of its first sending each note was issued.
func (i *installation) afterDoubt(ctx context.Context) (*durations, error) {
	var took durations
	var seconds []float64
	err := i.database.SQL.SelectContext(ctx, &seconds, `
		SELECT extract(epoch FROM n.issued_at - min(c.started_at))::float8
		FROM notes n JOIN fiscal_calls c ON c.note_id = n.id AND c.what = 'issue'
		GROUP BY n.id, n.issued_at HAVING count(*) > 1`)
	for _, each := range seconds {
		took.add(time.Duration(each*float64(time.Second)) - doubtGrace)
	}
	return &took, err
}

// awaitCount waits until a query counts so many.
func (i *installation) awaitCount(ctx context.Context, query string, expected int) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	return harness.Await(ctx, fmt.Sprint(query, " is ", expected), func(ctx context.Context) bool {
		var count int
		err := i.database.SQL.GetContext(ctx, &count, query)
		return err == nil && count == expected
	})
}
