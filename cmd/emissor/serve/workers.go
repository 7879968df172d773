package serve

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"emissor/internal/retry"
	"emissor/worker"
)

// workers are the worker of a process. After each change of the authorities another one takes its
// place, which takes work while the one before finishes what it has begun: as two processes do, they
// keep out of each other's way by leases and claims in the database.
type workers struct {
	process   *Process
	newWorker func() (*worker.Worker, error) // by the authorities of the moment
	ready     *atomic.Bool

	current atomic.Pointer[worker.Worker]
	changed chan struct{}
}

// newWorkers makes workers, of which none runs yet.
func newWorkers(p *Process, ready *atomic.Bool, newWorker func() (*worker.Worker, error)) (*workers, error) {
	k := &workers{process: p, ready: ready, newWorker: newWorker, changed: make(chan struct{}, 1)}
	return k, k.make()
}

// make makes the worker that takes work from now on.
func (k *workers) make() error {
	next, err := k.newWorker()
	if err == nil {
		k.current.Store(next)
	}
	return err
}

// wake makes the worker look for notes at once, after a commit in this process.
func (k *workers) wake() { k.current.Load().Wake() }

// renew has another worker take the place of the one that runs. It never blocks.
func (k *workers) renew() {
	select {
	case k.changed <- struct{}{}:
	default: // one that is made after this has the same authorities
	}
}

// run works until ctx ends, and waits for what is under way then.
func (k *workers) run(ctx context.Context) {
	var running sync.WaitGroup
	defer running.Wait()
	for {
		working, stop := context.WithCancel(ctx)
		w := k.current.Load()
		running.Go(func() {
			k.keepWorking(working, w)
			if ctx.Err() == nil {
				k.resumeHeld(ctx)
			}
		})
		renewed := k.next(ctx)
		stop()
		if !renewed {
			return
		}
	}
}

// resumeHeld wakes up the notes that wait, once a worker that another one has replaced has stopped: it may have made
// one of them wait, by the previous authorities, after the other had woken them up.
func (k *workers) resumeHeld(ctx context.Context) {
	if err := k.process.store.Lifecycle.ResumeHeld(ctx); err != nil {
		k.process.Logger.Warn("notes that wait were not woken up after a change of the authorities", "error", err)
	}
}

// next waits until another worker was made; false: ctx ends. Where none can be made the one that runs
// goes on.
func (k *workers) next(ctx context.Context) bool {
	for {
		select {
		case <-ctx.Done():
			return false
		case <-k.changed:
		}
		err := k.make()
		if err == nil {
			k.process.Logger.Info("the authorities have changed: another worker takes the place of the one that runs")
			return true
		}
		k.process.Logger.Error("the worker goes on with the authorities that it has: another could not be made",
			"error", err)
	}
}

// keepWorking runs a worker, and waits while the engine cannot be reached: the API of
// the same process goes on accepting.
func (k *workers) keepWorking(ctx context.Context, w *worker.Worker) {
	logger := k.process.Logger
	for {
		err := w.Run(ctx, func() { k.ready.Store(true); logger.Info("the worker takes work") })
		if k.current.Load() == w {
			k.ready.Store(false)
		}
		if err == nil || ctx.Err() != nil {
			return
		}
		pause := retry.WithJitter(500 * time.Millisecond)
		logger.Warn("the worker does not work; it tries again", "error", err, "wait", pause.String())
		if retry.Sleep(ctx, pause) != nil {
			return
		}
	}
}
