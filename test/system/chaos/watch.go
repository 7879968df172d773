package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"emissor/test/harness"
)

// backlog is what is open, at one moment.
type backlog struct {
	At            time.Time
	Notes         int `db:"notes"`         // accepted, and not ended
	Cancellations int `db:"cancellations"` // of notes that have ended otherwise
	Deliveries    int `db:"deliveries"`
	Exchanges     int `db:"exchanges"` // with the authority
	Outbox        int `db:"outbox"`
	Ended         int `db:"ended"` // notes
	Doubt         int `db:"doubt"` // of the exchanges: those of which something may exist
	Delivered     int `db:"delivered"`
}

func (b backlog) empty() bool {
	return b.Notes == 0 && b.Cancellations == 0 && b.Deliveries == 0 && b.Exchanges == 0 && b.Outbox == 0
}

// String says what is open.
func (b backlog) String() string {
	return fmt.Sprintf("%d notes, %d cancellations, %d deliveries, %d exchanges (%d in doubt), %d outbox rows",
		b.Notes, b.Cancellations, b.Deliveries, b.Exchanges, b.Doubt, b.Outbox)
}

func (s *system) backlog(ctx context.Context) (b backlog, err error) {
	err = s.database.SQL.GetContext(ctx, &b, `SELECT
		(SELECT count(*) FROM notes WHERE status IN ('queued', 'processing')) AS notes,
		(SELECT count(*) FROM notes WHERE cancellation_status = 'pending' AND status NOT IN ('queued', 'processing'))
			AS cancellations,
		(SELECT count(*) FROM deliveries WHERE status = 'pending') AS deliveries,
		(SELECT count(*) FROM deliveries WHERE status = 'delivered') AS delivered,
		(SELECT count(*) FROM fiscal_exchanges WHERE state IN ('unsigned', 'signed', 'in_doubt')) AS exchanges,
		(SELECT count(*) FROM fiscal_exchanges WHERE state = 'in_doubt') AS doubt,
		(SELECT count(*) FROM outbox WHERE `+notPoison+`) AS outbox,
		(SELECT count(*) FROM notes WHERE status NOT IN ('queued', 'processing')) AS ended`)
	b.At = time.Now()
	return b, err
}

// moved says whether something began or ended between two moments.
func (b backlog) moved(since backlog) bool {
	b.At, since.At = time.Time{}, time.Time{}
	return b != since
}

// drain watches the backlog until the callers are done and nothing is open, or the
// bound or the patience is over.
func (s *system) drain(ctx context.Context, called <-chan struct{}) (samples []backlog, err error) {
	o := s.options
	const interval = 500 * time.Millisecond
	deadline := time.Now().Add(o.bound)
	told := time.Now()
	changed := backlog{At: time.Now()} // the last one that differed from the one before
	for {
		b, err := s.backlog(ctx)
		if err != nil {
			o.log("the backlog could not be read: %v", err)
		} else {
			samples = append(samples, b)
			if time.Since(told) >= drainStep {
				told = time.Now()
				o.log("open: %s", b)
			}
			if b.empty() && isClosed(called) {
				return samples, nil
			}
			if b.moved(changed) {
				changed = b
			}
		}
		if time.Now().After(deadline) || o.patience > 0 && time.Since(changed.At) > o.patience {
			o.log("it is not waited for longer; open: %s", b)
			return samples, nil
		}
		if err := sleep(ctx, interval); err != nil {
			return samples, err
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// starts count the outbox rows that workers handed to the engine, by outcome.
type starts struct{ Started, Open, Failed float64 }

func (s starts) minus(other starts) starts {
	return starts{s.Started - other.Started, s.Open - other.Open, s.Failed - other.Failed}
}

func (s starts) plus(other starts) starts {
	return starts{s.Started + other.Started, s.Open + other.Open, s.Failed + other.Failed}
}

func (s starts) total() float64 { return s.Started + s.Open + s.Failed }

// failedShare is in percent.
func (s starts) failedShare() float64 {
	if s.total() == 0 {
		return 0
	}
	return 100 * s.Failed / s.total()
}

// startsWatcher adds up the counters of workers that are killed in between: what a
// process counted since it was last read is lost with it.
type startsWatcher struct {
	system *system
	mu     sync.Mutex
	ended  starts   // of processes that are gone
	last   []starts // of each worker
}

func watchStarts(ctx context.Context, s *system) *startsWatcher {
	w := &startsWatcher{system: s, last: make([]starts, len(s.workers))}
	ctx, cancel := context.WithCancel(ctx)
	var reading sync.WaitGroup
	reading.Go(func() {
		for sleep(ctx, time.Second) == nil {
			w.read()
		}
	})
	s.atClose(func() { cancel(); reading.Wait() })
	return w
}

// read returns what was counted so far.
func (w *startsWatcher) read() starts {
	w.mu.Lock()
	defer w.mu.Unlock()
	total := w.ended
	for i, worker := range w.system.workers {
		if now, err := readStarts(worker.Part); err == nil {
			if now.total() < w.last[i].total() { // it is another process
				w.ended = w.ended.plus(w.last[i])
				total = total.plus(w.last[i])
			}
			w.last[i] = now
		}
		total = total.plus(w.last[i])
	}
	return total
}

func readStarts(worker *harness.Part) (starts, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	metrics, err := worker.Metrics(ctx)
	const name = "emissor_dispatch_starts_total"
	return starts{
		metrics.Sum(name, `outcome="started"`), metrics.Sum(name, `outcome="open"`),
		metrics.Sum(name, `outcome="failed"`),
	}, err
}
