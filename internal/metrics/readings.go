package metrics

import (
	"context"
	"sync"
	"time"

	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/store/operate"
)

const (
	// readTimeout keeps a slow database from holding the scraper.
	readTimeout = 2 * time.Second
	// readEvery is how often the gauges are read, no matter who asks; in most cases they are as old as that at most.
	readEvery = 5 * time.Second
	// scrapePatience is how long a scrape waits for its own reading before it takes the one before it.
	scrapePatience = 10 * time.Millisecond
	// oldestServed is how old that may be: with reading every so often, it is older only when the database hangs.
	oldestServed = 15 * time.Second
)

// readings are the gauges of the database as they were read, one reading at a time. What a reading costs grows with
// what waits, so that a scrape need not wait for it.
type readings struct {
	read func(context.Context) (operate.Gauges, error)

	mu   sync.Mutex
	last *reading // that ended last; nil: none has
	next *reading // under way; nil: none is
}

// reading is one, which has ended when done is closed.
type reading struct {
	began  time.Time
	done   chan struct{}
	values operate.Gauges
	err    error
}

// keep reads again and again, until ctx ends.
func (r *readings) keep(ctx context.Context) {
	for {
		r.begin()
		if retry.Sleep(ctx, readEvery) != nil { // a reading ends before, at readTimeout
			return
		}
	}
}

// latest has the gauges read, and returns what is known of them at once or soon.
func (r *readings) latest() *reading {
	last, next := r.begin()
	if last == nil || last.err != nil || time.Since(last.began) > oldestServed {
		<-next.done
		return next
	}
	select {
	case <-next.done:
		return next
	case <-time.After(scrapePatience):
		return last
	}
}

// begin returns the last reading that has ended, and one under way, which it begins where there is none.
func (r *readings) begin() (last, next *reading) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == nil {
		r.next = &reading{began: time.Now(), done: make(chan struct{})}
		go r.do(r.next)
	}
	return r.last, r.next
}

func (r *readings) do(reading *reading) {
	reading.err = panics.Within(context.Background(), readTimeout, func(ctx context.Context) (err error) {
		reading.values, err = r.read(ctx)
		return err
	})
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last, r.next = reading, nil
	close(reading.done)
}
