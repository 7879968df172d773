package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// closedClients is how many clients issue a note, wait for its end and issue the
// next.
const closedClients = 16

// measureSteady measures what a backlog's drain is compared with: notes that are
// accepted as fast as they are done.
func (b *bench) measureSteady(ctx context.Context) error {
	for _, workers := range []int{1, 2, 4} {
		result, err := b.steady(ctx, workers)
		if err != nil {
			return err
		}
		b.report.add(result)
	}
	return nil
}

func (b *bench) steady(ctx context.Context, workers int) (r result, err error) {
	i, err := b.install(ctx, needs{})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	if err := i.startWorkers(ctx, workers); err != nil {
		return r, err
	}
	warmup, window := b.options.window(5*time.Second), b.options.window(20*time.Second)
	begin := time.Now().Add(warmup)
	if _, err := i.closedLoop(ctx, closedClients, sandbox(i)[0], 0, begin.Add(window)); err != nil {
		return r, err
	}
	var settled struct {
		Count int
		P50   float64
		P99   float64
	}
	err = i.database.SQL.GetContext(ctx, &settled, `SELECT count(*),
		coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM issued_at - created_at)), 0) AS p50,
		coalesce(percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM issued_at - created_at)), 0) AS p99
		FROM notes WHERE issued_at BETWEEN $1 AND $2`, begin, begin.Add(window))
	return result{
		name: fmt.Sprintf("steady: sandbox notes of %d clients that wait for each, %s", closedClients,
			plural(workers, "worker")),
		rate:   float64(settled.Count) / window.Seconds(),
		detail: "from accepted to settled: " + percentiles(seconds(settled.P50), seconds(settled.P99)),
	}, err
}

// closedLoop keeps clients at it until a moment. It returns how many notes ended;
// their references are numbered from first.
func (i *installation) closedLoop(
	ctx context.Context, clients int, caller caller, first int, until time.Time,
) (int, error) {
	ends := newEnds(i.database)
	watching, stop := context.WithCancel(ctx)
	defer stop()
	go ends.watch(watching)
	var count atomic.Int64
	group, ctx := errgroup.WithContext(ctx)
	for client := range clients {
		group.Go(func() error {
			for n := first + client; time.Now().Before(until); n += clients {
				id, err := caller.issue(ctx, n)
				if err != nil {
					return err
				}
				if err := ends.await(ctx, id); err != nil {
					return err
				}
				count.Add(1)
			}
			return nil
		})
	}
	err := group.Wait()
	return int(count.Load()), err
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
