package main

import (
	"context"
	"time"
)

// connections are the most that were open, and at work, at once.
type connections struct{ Open, Busy int }

// watchConnections looks at the connections to each database until stop is
// called.
func (b *bench) watchConnections(ctx context.Context) (stop func() (map[string]connections, error)) {
	ctx, cancel := context.WithCancel(ctx)
	most := map[string]connections{}
	ended := make(chan error, 1)
	go func() {
		ticker := time.NewTicker(100 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				ended <- nil
				return
			case <-ticker.C:
			}
			if err := b.lookAtConnections(ctx, most); err != nil && ctx.Err() == nil {
				ended <- err
				return
			}
		}
	}()
	return func() (map[string]connections, error) {
		cancel()
		err := <-ended
		return most, err
	}
}

func (b *bench) lookAtConnections(ctx context.Context, most map[string]connections) error {
	var now []struct {
		Database   string
		Open, Busy int
	}
	err := b.database.SQL.SelectContext(ctx, &now, `SELECT datname AS database, count(*) AS open,
		count(*) FILTER (WHERE state <> 'idle') AS busy
		FROM pg_stat_activity WHERE datname IS NOT NULL GROUP BY datname`)
	for _, one := range now {
		before := most[one.Database]
		most[one.Database] = connections{Open: max(before.Open, one.Open), Busy: max(before.Busy, one.Busy)}
	}
	return err
}
