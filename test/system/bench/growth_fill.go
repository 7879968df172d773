package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jmoiron/sqlx"
	"golang.org/x/sync/errgroup"
)

const (
	growthBatchSize = 50_000 // notes of one transaction
	growthWriters   = 2      // connections that fill side by side
)

// lateIndexes are made after the rows: theirs lie anywhere, so that adding them one by one takes long.
var lateIndexes = []string{"notes_by_customer", "customers_by_words"}

// fillGrowth adds notes, with all that belongs to them, until there are so many: from is how many there were.
func (i *installation) fillGrowth(ctx context.Context, from, to int) (err error) {
	restore, err := i.hurry(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, restore(context.WithoutCancel(ctx))) }()
	remake, err := i.dropLate(ctx)
	if err != nil {
		return err
	}
	if err := i.alone(ctx, growthCustomers, from, to); err != nil {
		return err
	}
	began, done := time.Now(), atomic.Int64{}
	group, inGroup := errgroup.WithContext(ctx)
	group.SetLimit(growthWriters)
	for first := from + 1; first <= to && inGroup.Err() == nil; first += growthBatchSize {
		last := min(to, first+growthBatchSize-1)
		group.Go(func() error {
			if err := i.fillBatch(inGroup, first, last, from, to); err != nil {
				return fmt.Errorf("fill notes %d to %d: %w", first, last, err)
			}
			if all := done.Add(1); all%20 == 0 {
				fmt.Fprintf(os.Stderr, "  %s of %s notes filled after %.0f s\n", thousands(int(all)*growthBatchSize),
					thousands(to-from), time.Since(began).Seconds())
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, definition := range remake {
		if err := i.alone(ctx, definition); err != nil {
			return err
		}
	}
	return i.passNumbers(ctx, to)
}

// fillBatch adds notes first to last in one transaction. References to other rows are right, and not checked
// again; nothing is rolled up twice.
func (i *installation) fillBatch(ctx context.Context, first, last, from, to int) error {
	return i.replica(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, growthBatch, first, last, from, to); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `ANALYZE batch`); err != nil {
			return err
		}
		for _, statement := range slices.Concat(growthFill, growthFigures) {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%w\n%s", err, statement)
			}
		}
		return nil
	})
}

// alone runs one statement in a transaction of its own, without checks of references.
func (i *installation) alone(ctx context.Context, statement string, arguments ...any) error {
	return i.replica(ctx, func(tx *sqlx.Tx) error {
		_, err := tx.ExecContext(ctx, statement, arguments...)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, statement)
		}
		return nil
	})
}

func (i *installation) replica(ctx context.Context, do func(*sqlx.Tx) error) error {
	tx, err := i.database.SQL.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // fails once it is committed
	if _, err := tx.ExecContext(ctx, `SET LOCAL session_replication_role = replica; SET LOCAL synchronous_commit = off;
		SET LOCAL maintenance_work_mem = '1GB'; SET LOCAL work_mem = '256MB'; SET LOCAL jit = off`); err != nil {
		return err
	}
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// hurry has the server write as little as it can while tables are filled; restore takes that back.
func (i *installation) hurry(ctx context.Context) (restore func(context.Context) error, err error) {
	settings := []string{"full_page_writes = off", "max_wal_size = '8GB'", "checkpoint_timeout = '30min'",
		"autovacuum = off"}
	for _, setting := range settings {
		if _, err := i.database.SQL.ExecContext(ctx, `ALTER SYSTEM SET `+setting); err != nil {
			return nil, err
		}
	}
	restore = func(ctx context.Context) (err error) {
		for _, setting := range settings {
			name, _, _ := strings.Cut(setting, " ")
			_, reset := i.database.SQL.ExecContext(ctx, `ALTER SYSTEM RESET `+name)
			err = errors.Join(err, reset)
		}
		_, reloaded := i.database.SQL.ExecContext(ctx, `SELECT pg_reload_conf()`)
		return errors.Join(err, reloaded)
	}
	_, err = i.database.SQL.ExecContext(ctx, `SELECT pg_reload_conf()`)
	return restore, err
}

// dropLate drops the indexes that are made after the rows, and returns the statements that make them.
func (i *installation) dropLate(ctx context.Context) (remake []string, err error) {
	for _, name := range lateIndexes {
		var definitions []string
		if err := i.database.SQL.SelectContext(ctx, &definitions,
			`SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND indexname = $1`, name); err != nil {
			return nil, err
		}
		if len(definitions) == 1 {
			// That of a table in parts is "ON ONLY", which would leave its parts without.
			remake = append(remake, strings.Replace(definitions[0], " ON ONLY ", " ON ", 1))
			if _, err := i.database.SQL.ExecContext(ctx, `DROP INDEX `+name); err != nil {
				return nil, err
			}
		}
	}
	return remake, nil
}

// passNumbers has rows that are added later numbered after those that were filled.
func (i *installation) passNumbers(ctx context.Context, to int) error {
	var numbered []string
	if err := i.database.SQL.SelectContext(ctx, &numbered, `
		SELECT pg_get_serial_sequence(table_name, column_name) FROM information_schema.columns
		WHERE table_schema = 'public' AND is_identity = 'YES' AND table_name IN
			('note_steps', 'fiscal_exchanges', 'fiscal_messages', 'fiscal_calls', 'delivery_attempts')`); err != nil {
		return err
	}
	for _, sequence := range numbered {
		if _, err := i.database.SQL.ExecContext(ctx, `SELECT setval($1, $2)`, sequence, to+1_000_000); err != nil {
			return err
		}
	}
	return nil
}

// makeScopes makes the organizations that share the tables with the one that is looked at.
func (i *installation) makeScopes(ctx context.Context, organizationID string) error {
	return i.replica(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `SELECT set_config('fill.organization', $1, true)`, organizationID); err != nil {
			return err
		}
		for _, statement := range growthScopes {
			if _, err := tx.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%w\n%s", err, statement)
			}
		}
		return nil
	})
}

// checkRoom refuses to fill more than there is room for: a full disk would end everything that is on it.
func (i *installation) checkRoom(ctx context.Context, perNote int64, notes int) error {
	var directory string
	if err := i.database.SQL.GetContext(ctx, &directory, `SELECT current_setting('data_directory')`); err != nil {
		return err
	}
	var files syscall.Statfs_t
	if err := syscall.Statfs(directory, &files); err != nil {
		return fmt.Errorf("how much room there is in %s: %w", directory, err)
	}
	const others = 12 << 30 // the server's log of changes, sorting, and what else is on the disk
	room := max(0, int64(files.Bavail)*files.Bsize-others)
	if needed := perNote * int64(notes); needed > room {
		return fmt.Errorf("-fill %d needs some %d GB in %s, and there is room for %d GB: -fill %d fits", notes,
			needed>>30, directory, room>>30, room/perNote)
	}
	return nil
}
