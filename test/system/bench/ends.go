package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"emissor/test/harness"
)

// watchPause is how often the ends look.
const watchPause = 10 * time.Millisecond

// ends tells many clients when their notes have ended. It asks the database for
// all of them in one statement: polls of each client would be load of their own.
type ends struct {
	database *harness.Database

	mu      sync.Mutex
	waiting map[string]chan struct{} // by note id
	failed  error
}

func newEnds(database *harness.Database) *ends {
	return &ends{database: database, waiting: map[string]chan struct{}{}}
}

// await waits until a note has ended and none of its cancellations is pending.
func (e *ends) await(ctx context.Context, id string) error {
	ended := make(chan struct{})
	e.mu.Lock()
	e.waiting[id] = ended
	e.mu.Unlock()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-ended:
		e.mu.Lock()
		defer e.mu.Unlock()
		return e.failed
	}
}

// watch looks until ctx ends.
func (e *ends) watch(ctx context.Context) {
	ticker := time.NewTicker(watchPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := e.look(ctx); err != nil && ctx.Err() == nil {
			e.fail(err)
			return
		}
	}
}

func (e *ends) look(ctx context.Context) error {
	ids := e.ids()
	if len(ids) == 0 {
		return nil
	}
	var ended []string
	err := e.database.SQL.SelectContext(ctx, &ended, `SELECT id FROM notes
		WHERE id = ANY (string_to_array($1, ',')) AND status NOT IN ('queued', 'processing')
		AND cancellation_status IS DISTINCT FROM 'pending'`, ids)
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, id := range ended {
		close(e.waiting[id])
		delete(e.waiting, id)
	}
	return err
}

// ids returns the ids of the notes that are waited for, with commas between them.
func (e *ends) ids() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(slices.Collect(maps.Keys(e.waiting)), ",")
}

// fail ends every wait.
func (e *ends) fail(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed = err
	for _, ended := range e.waiting {
		close(ended)
	}
	clear(e.waiting)
}
