package postgres

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// Rows says how loops treat rows that they cannot handle.
type Rows struct {
	// Timeout is the most that one row may take where rows are handled one by one; 2 s when zero.
	Timeout time.Duration
	// Failed is called each time a row is set aside; it may be nil.
	Failed func(context.Context, RowFailure)
}

// RowFailure is a row that a loop could not handle. The loop continues without it, and
// tries it again later.
type RowFailure struct {
	Loop       string
	RowID      string
	Failures   int       `db:"failures"` // in a row, with this one
	RetryAfter time.Time `db:"retry_after"`
	Err        error     // for the log: it may be a panic with its stack
}

// SetAside takes a row that failed out of its loop for a pause, which doubles each time.
func (s *DB) SetAside(ctx context.Context, loop, id string, cause error) error {
	failure := RowFailure{Loop: loop, RowID: id, Err: cause}
	err := s.pool.GetContext(ctx, &failure, `
		INSERT INTO row_failures (loop, row_id, failures, retry_after) VALUES ($1, $2, 1, now() + interval '1 minute')
		ON CONFLICT (loop, row_id) DO UPDATE SET failures = row_failures.failures + 1,
			retry_after = now() + least(interval '1 minute' * power(2, least(row_failures.failures, 10)),
				interval '6 hours')
		RETURNING failures, retry_after`, loop, id)
	if err == nil && s.Rows.Failed != nil {
		s.Rows.Failed(ctx, failure)
	}
	return err
}

// neededPause is when a row is looked at again that something still needs.
const neededPause = `now() + interval '1 hour'`

// SetAsideNeeded sets aside rows that something still needs, which is no failure.
func SetAsideNeeded(ctx context.Context, tx *sqlx.Tx, loop string, ids ...string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO row_failures (loop, row_id, failures, retry_after)
		SELECT $1, unnest($2::text[]), 0, `+neededPause+`
		ON CONFLICT (loop, row_id) DO UPDATE SET failures = 0, retry_after = excluded.retry_after`,
		loop, pq.Array(ids))
	return err
}

// takeAside takes rows whose pause is over, those that failed least first. Nobody else
// takes them for a minute.
func (s *DB) takeAside(ctx context.Context, loop string) (ids []string, err error) {
	err = s.pool.SelectContext(ctx, &ids, `
		WITH taken AS (
			UPDATE row_failures SET retry_after = now() + interval '1 minute'
			WHERE loop = $1 AND row_id = ANY(ARRAY(
				SELECT row_id FROM row_failures WHERE loop = $1 AND retry_after <= now()
				ORDER BY failures, retry_after LIMIT $2 FOR UPDATE SKIP LOCKED))
			RETURNING row_id, failures
		)
		SELECT row_id FROM taken ORDER BY failures, row_id`, loop, mostAside)
	return ids, err
}

// DoAside tries again the rows of a loop whose pause is over. Rows that are done now, or
// not due any more, are not set aside any longer. Where do returns again, something still
// needs the row.
func (s *DB) DoAside(ctx context.Context, loop string,
	do func(ctx context.Context, tx *sqlx.Tx, id string) (again bool, err error)) error {
	ids, err := s.takeAside(ctx, loop)
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = s.Apart(ctx, loop, ids, againTimes*s.RowTimeout(),
		func(ctx context.Context, tx *sqlx.Tx, id string) error {
			again, err := do(ctx, tx, id)
			switch {
			case err != nil:
				return err
			case again:
				return SetAsideNeeded(ctx, tx, loop, id)
			}
			_, err = tx.ExecContext(ctx, `DELETE FROM row_failures WHERE loop = $1 AND row_id = $2`, loop, id)
			return err
		})
	return err
}
