package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/internal/panics"
)

// rowLoop is a loop over rows that are due. One statement does many of them. When it
// fails because of a row, each is done by itself, and those that cannot be are set aside:
// see row_failures.go. So a row that fails, or takes too long, does not stop the others.
//
// The parameters of its SQL are its arguments, and after them the most rows that are
// chosen.
type rowLoop struct {
	name string // in row_failures, the log and the metric
	id   string // of a row, where it is chosen
	due  string // chooses rows, their id as the column key; %s says which of those that are due
	lock string // how these rows are locked; empty: not at all. Locked ones are waited for only one by one
	do   string // does what is due with the rows of %s
	args []any

	// every lists the ids of all rows that may be due, %s as in due, for a loop whose due can
	// itself fail because of a row; empty where it cannot.
	every string
	// reads says that do returns more than counts: it is committed only after that was read.
	reads bool
}

// doing carries out a statement of a loop and returns how many rows were due.
type doing func(ctx context.Context, db sqlx.QueryerContext, statement string, args ...any) (looked int, err error)

const (
	defaultRowTimeout = 2 * time.Second

	smallBatch  = 500 // rows of a batch that are done by themselves when it fails
	mostAside   = 99  // rows set aside that are tried again at once: fewer than mostFailing
	mostHanging = 4   // rows that may use up their time; those after them get less
	mostFailing = 100 // after so many failures without a success the rows are not the cause
)

// How long the parts of a loop may take, as multiples of the time for a row (Rows.Timeout).
const (
	batchTimes = 4
	againTimes = 2  // for a row that was set aside: it may only be slow
	passTimes  = 10 // for all rows that are done by themselves; what is left waits for the next pass
	leastPart  = 16 // the least part of the time for a row, however many used up theirs
)

func (l rowLoop) waiting() string {
	return `NOT EXISTS (SELECT FROM row_failures WHERE loop = '` + l.name + `' AND row_id = ` + l.id + `::text)`
}

// batch is the statement for all rows that are due and not set aside.
func (l rowLoop) batch() string { return fmt.Sprintf(l.do, l.next()) }

// next chooses these rows, without those that somebody else has locked.
func (l rowLoop) next() string {
	chosen := fmt.Sprintf(l.due, l.waiting())
	if l.lock != "" {
		chosen += ` ` + l.lock + ` SKIP LOCKED`
	}
	return chosen
}

// list is the statement for the ids of these rows.
func (l rowLoop) list() string {
	if l.every != "" {
		return fmt.Sprintf(l.every, l.waiting())
	}
	return `SELECT key::text FROM (` + l.next() + `) due`
}

// one is the statement for one row, if it is due. Its id is the last parameter.
func (l rowLoop) one() string {
	return fmt.Sprintf(l.do, fmt.Sprintf(l.due, l.id+` = $`+strconv.Itoa(len(l.args)+2))+` `+l.lock)
}

func (l rowLoop) with(args ...any) []any { return append(append([]any{}, l.args...), args...) }

// doRows does the rows that are due, at most limit of them, and tries again those that
// were set aside. looked is how many were due; fewer than limit means that no more are.
func (s *Store) doRows(ctx context.Context, l rowLoop, limit int, do doing) (looked int, err error) {
	if looked, err = s.doDue(ctx, l, limit, do); err != nil {
		return looked, err
	}
	return looked, s.doAside(ctx, l.name, func(ctx context.Context, tx *sqlx.Tx, id string) (again bool, err error) {
		_, err = do(ctx, tx, l.one(), l.with(1, id)...)
		return false, err
	})
}

func (s *Store) doDue(ctx context.Context, l rowLoop, limit int, do doing) (looked int, err error) {
	err = s.inTime(ctx, batchTimes*s.rowTimeout(), func(within context.Context) error {
		// The transaction has the outer context: with the inner one its rollback would not be
		// waited for, and doEach would find its rows still locked.
		return s.doBatch(ctx, l, func(db sqlx.QueryerContext) (err error) {
			looked, err = do(within, db, l.batch(), l.with(limit)...)
			return err
		})
	})
	switch {
	case err == nil, ctx.Err() != nil, isOutage(err):
		return looked, err
	case limit <= smallBatch:
		return limit, s.doEach(ctx, l, limit, do, err)
	}
	for looked = 0; looked < limit; {
		some, err := s.doDue(ctx, l, smallBatch, do)
		looked += some
		if err != nil || some < smallBatch {
			return looked, err
		}
	}
	return looked, nil
}

func (s *Store) doBatch(ctx context.Context, l rowLoop, do func(sqlx.QueryerContext) error) error {
	return retriedDeadlock(ctx, func() error {
		if l.reads {
			return s.inTransaction(ctx, func(tx *sqlx.Tx) error { return do(tx) })
		}
		return do(planned{s}) // many of its tables lie in parts, and it is done again and again
	})
}

// doEach does the next rows one by one after a batch failed. With no rows due it returns
// failed, as no row is the cause.
func (s *Store) doEach(ctx context.Context, l rowLoop, limit int, do doing, failed error) error {
	var ids []string
	if err := s.db.SelectContext(ctx, &ids, l.list(), l.with(limit)...); err != nil {
		return errors.Join(err, failed)
	}
	if len(ids) == 0 {
		return failed
	}
	_, err := s.apart(ctx, l.name, ids, s.rowTimeout(), func(ctx context.Context, tx *sqlx.Tx, id string) error {
		_, err := do(ctx, tx, l.one(), l.with(1, id)...)
		return err
	})
	return err
}

// counted does the rows of a loop whose statement returns two counts: of the rows that
// were due, and of those that something had to be done about.
func (s *Store) counted(ctx context.Context, l rowLoop, limit int) (looked, done int, err error) {
	looked, err = s.doRows(ctx, l, limit, func(ctx context.Context, db sqlx.QueryerContext, statement string,
		args ...any) (looked int, err error) {
		var now int
		err = db.QueryRowxContext(ctx, statement, args...).Scan(&looked, &now)
		done += now
		return looked, err
	})
	return looked, done, err
}

// apart does rows one after the other, each in a transaction of its own that takes no
// longer than longest, and sets aside those that cannot be done. It returns how many it
// tried: where rows take too long the last ones are left for another time. Where the first
// mostFailing all fail, it stops with the error of the last.
func (s *Store) apart(ctx context.Context, loop string, ids []string, longest time.Duration,
	do func(ctx context.Context, tx *sqlx.Tx, id string) error) (passed int, err error) {
	done, hanging, end := 0, 0, time.Now().Add(passTimes*s.rowTimeout())
	for _, id := range ids {
		if passed > 0 && time.Now().After(end) {
			return passed, nil
		}
		err := s.alone(ctx, longest, func(ctx context.Context, tx *sqlx.Tx) error { return do(ctx, tx, id) })
		switch {
		case ctx.Err() != nil:
			return passed, ctx.Err()
		case err != nil && isOutage(err):
			return passed, err
		case err != nil:
			if err := s.setAside(ctx, loop, id, err); err != nil {
				return passed, err
			}
		}
		passed++
		switch {
		case err == nil:
			done++
		case done == 0 && passed == mostFailing:
			return passed, err
		case isOutOfTime(err):
			if hanging++; hanging >= mostHanging {
				longest = max(longest/2, s.rowTimeout()/leastPart)
			}
		}
	}
	return passed, nil
}

// alone does something about one row.
func (s *Store) alone(ctx context.Context, longest time.Duration, do func(context.Context, *sqlx.Tx) error) error {
	// The server ends a long statement; somewhat later the context ends whatever else takes long.
	return s.inTime(ctx, longest+longest/4, func(ctx context.Context) error {
		return s.inTransaction(ctx, func(tx *sqlx.Tx) error {
			if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = `+milliseconds(longest)); err != nil {
				return err
			}
			return do(ctx, tx)
		})
	})
}

// inTime does something within a time of its own. An error after that time also is
// context.DeadlineExceeded.
func (s *Store) inTime(ctx context.Context, longest time.Duration, do func(context.Context) error) error {
	return panics.Within(ctx, longest, func(within context.Context) error {
		err := do(within)
		if err != nil && ctx.Err() == nil && within.Err() != nil {
			return fmt.Errorf("%w: %w", within.Err(), err)
		}
		return err
	})
}

func (s *Store) rowTimeout() time.Duration {
	if s.rows.Timeout == 0 {
		return defaultRowTimeout
	}
	return s.rows.Timeout
}

// isOutOfTime reports whether err says that something took too long, or waited too long
// for a lock.
func isOutOfTime(err error) bool {
	var server *pq.Error
	return errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &server) && (server.Code == "57014" || server.Code == "55P03")
}

// isOutage reports whether err is the database's fault and no row's. Taking too long counts
// as a row's fault, and so do a deadlock that repeats itself and a row that needs more
// memory than there is.
func isOutage(err error) bool {
	var server *pq.Error
	switch {
	case isOutOfTime(err):
		return false
	case errors.As(err, &server) && (server.Code.Class() == "40" || server.Code == "53200"):
		return false
	}
	return IsUnavailable(err)
}
