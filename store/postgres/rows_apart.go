package postgres

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

// InSavepoint does something within a transaction, or undoes it and returns why it failed. After
// err the transaction cannot go on.
func InSavepoint(ctx context.Context, tx *sqlx.Tx, do func() error) (failed, err error) {
	if _, err := tx.ExecContext(ctx, `SAVEPOINT part`); err != nil {
		return nil, err
	}
	if failed = panics.Caught(do); failed == nil {
		_, err := tx.ExecContext(ctx, `RELEASE SAVEPOINT part`)
		return nil, err
	}
	if _, undone := tx.ExecContext(ctx, `ROLLBACK TO SAVEPOINT part`); undone != nil {
		return nil, failed
	}
	return failed, nil
}

const RollUpBatch = 20_000

// RowLoop is a loop over rows that are due. One statement does many of them. When it
// fails because of a row, each is done by itself, and those that cannot be are set aside:
// see row_failures.go. So a row that fails, or takes too long, does not stop the others.
//
// The parameters of its SQL are its arguments, and after them the most rows that are
// chosen.
type RowLoop struct {
	Name string // in row_failures, the log and the metric
	ID   string // of a row, where it is chosen
	Due  string // chooses rows, their id as the column key; %s says which of those that are due
	Lock string // how these rows are locked; empty: not at all. Locked ones are waited for only one by one
	Do   string // does what is due with the rows of %s
	Args []any

	// every lists the ids of all rows that may be due, %s as in due, for a loop whose due can
	// itself fail because of a row; empty where it cannot.
	Every string
	// reads says that do returns more than counts: it is committed only after that was read.
	Reads bool
}

// doing carries out a statement of a loop and returns how many rows were due.
type doing func(ctx context.Context, db sqlx.QueryerContext, statement string, args ...any) (looked int, err error)

const (
	defaultRowTimeout = 2 * time.Second

	SmallBatch  = 500 // rows of a batch that are done by themselves when it fails
	mostAside   = 99  // rows set aside that are tried again at once: fewer than mostFailing
	mostHanging = 4   // rows that may use up their time; those after them get less
	mostFailing = 100 // after so many failures without a success the rows are not the cause
)

// How long the parts of a loop may take, as multiples of the time for a row (Rows.Timeout).
const (
	BatchTimes = 4
	againTimes = 2  // for a row that was set aside: it may only be slow
	passTimes  = 10 // for all rows that are done by themselves; what is left waits for the next pass
	leastPart  = 16 // the least part of the time for a row, however many used up theirs
)

func (l RowLoop) waiting() string {
	return `NOT EXISTS (SELECT FROM row_failures WHERE loop = '` + l.Name + `' AND row_id = ` + l.ID + `::text)`
}

// batch is the statement for all rows that are due and not set aside.
func (l RowLoop) batch() string { return fmt.Sprintf(l.Do, l.next()) }

// next chooses these rows, without those that somebody else has locked.
func (l RowLoop) next() string {
	chosen := fmt.Sprintf(l.Due, l.waiting())
	if l.Lock != "" {
		chosen += ` ` + l.Lock + ` SKIP LOCKED`
	}
	return chosen
}

// list is the statement for the ids of these rows.
func (l RowLoop) list() string {
	if l.Every != "" {
		return fmt.Sprintf(l.Every, l.waiting())
	}
	return `SELECT key::text FROM (` + l.next() + `) due`
}

// one is the statement for one row, if it is due. Its id is the last parameter.
func (l RowLoop) one() string {
	return fmt.Sprintf(l.Do, fmt.Sprintf(l.Due, l.ID+` = $`+strconv.Itoa(len(l.Args)+2))+` `+l.Lock)
}

func (l RowLoop) with(args ...any) []any { return append(append([]any{}, l.Args...), args...) }

// DoRows does the rows that are due, at most limit of them, and tries again those that
// were set aside. looked is how many were due; fewer than limit means that no more are.
func (s *DB) DoRows(ctx context.Context, l RowLoop, limit int, do doing) (looked int, err error) {
	if looked, err = s.doDue(ctx, l, limit, do); err != nil {
		return looked, err
	}
	return looked, s.DoAside(ctx, l.Name, func(ctx context.Context, tx *sqlx.Tx, id string) (again bool, err error) {
		_, err = do(ctx, tx, l.one(), l.with(1, id)...)
		return false, err
	})
}

func (s *DB) doDue(ctx context.Context, l RowLoop, limit int, do doing) (looked int, err error) {
	err = s.InTime(ctx, BatchTimes*s.RowTimeout(), func(within context.Context) error {
		// The transaction has the outer context: with the inner one its rollback would not be
		// waited for, and doEach would find its rows still locked.
		return s.doBatch(ctx, l, func(db sqlx.QueryerContext) (err error) {
			looked, err = do(within, db, l.batch(), l.with(limit)...)
			return err
		})
	})
	switch {
	case err == nil, ctx.Err() != nil, IsOutage(err):
		return looked, err
	case limit <= SmallBatch:
		return limit, s.doEach(ctx, l, limit, do, err)
	}
	for looked = 0; looked < limit; {
		some, err := s.doDue(ctx, l, SmallBatch, do)
		looked += some
		if err != nil || some < SmallBatch {
			return looked, err
		}
	}
	return looked, nil
}

func (s *DB) doBatch(ctx context.Context, l RowLoop, do func(sqlx.QueryerContext) error) error {
	return RetriedDeadlock(ctx, func() error {
		if l.Reads {
			return s.InTransaction(ctx, func(tx *sqlx.Tx) error { return do(tx) })
		}
		return do(planned{s}) // many of its tables lie in parts, and it is done again and again
	})
}

// doEach does the next rows one by one after a batch failed. With no rows due it returns
// failed, as no row is the cause.
func (s *DB) doEach(ctx context.Context, l RowLoop, limit int, do doing, failed error) error {
	var ids []string
	if err := s.pool.SelectContext(ctx, &ids, l.list(), l.with(limit)...); err != nil {
		return errors.Join(err, failed)
	}
	if len(ids) == 0 {
		return failed
	}
	_, err := s.Apart(ctx, l.Name, ids, s.RowTimeout(), func(ctx context.Context, tx *sqlx.Tx, id string) error {
		_, err := do(ctx, tx, l.one(), l.with(1, id)...)
		return err
	})
	return err
}

// Counted does the rows of a loop whose statement returns two counts: of the rows that
// were due, and of those that something had to be done about.
func (s *DB) Counted(ctx context.Context, l RowLoop, limit int) (looked, done int, err error) {
	looked, err = s.DoRows(ctx, l, limit, func(ctx context.Context, db sqlx.QueryerContext, statement string,
		args ...any) (looked int, err error) {
		var now int
		err = db.QueryRowxContext(ctx, statement, args...).Scan(&looked, &now)
		done += now
		return looked, err
	})
	return looked, done, err
}

// Apart does rows one after the other, each in a transaction of its own that takes no
// longer than longest, and sets aside those that cannot be done. It returns how many it
// tried: where rows take too long the last ones are left for another time. Where the first
// mostFailing all fail, it stops with the error of the last.
func (s *DB) Apart(ctx context.Context, loop string, ids []string, longest time.Duration,
	do func(ctx context.Context, tx *sqlx.Tx, id string) error) (passed int, err error) {
	done, hanging, end := 0, 0, time.Now().Add(passTimes*s.RowTimeout())
	for _, id := range ids {
		if passed > 0 && time.Now().After(end) {
			return passed, nil
		}
		err := s.Alone(ctx, longest, func(ctx context.Context, tx *sqlx.Tx) error { return do(ctx, tx, id) })
		switch {
		case ctx.Err() != nil:
			return passed, ctx.Err()
		case err != nil && IsOutage(err):
			return passed, err
		case err != nil:
			if err := s.SetAside(ctx, loop, id, err); err != nil {
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
				longest = max(longest/2, s.RowTimeout()/leastPart)
			}
		}
	}
	return passed, nil
}

// Alone does something about one row.
func (s *DB) Alone(ctx context.Context, longest time.Duration, do func(context.Context, *sqlx.Tx) error) error {
	// The server ends a long statement; somewhat later the context ends anything else that takes long.
	return s.InTime(ctx, longest+longest/4, func(ctx context.Context) error {
		return s.InTransaction(ctx, func(tx *sqlx.Tx) error {
			if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = `+milliseconds(longest)); err != nil {
				return err
			}
			return do(ctx, tx)
		})
	})
}

// InTime does something within a time of its own. An error after that time also is
// context.DeadlineExceeded.
func (s *DB) InTime(ctx context.Context, longest time.Duration, do func(context.Context) error) error {
	return panics.Within(ctx, longest, func(within context.Context) error {
		err := do(within)
		if err != nil && ctx.Err() == nil && within.Err() != nil {
			return fmt.Errorf("%w: %w", within.Err(), err)
		}
		return err
	})
}

func (s *DB) RowTimeout() time.Duration {
	if s.Rows.Timeout == 0 {
		return defaultRowTimeout
	}
	return s.Rows.Timeout
}

// isOutOfTime reports whether err says that something took too long, or waited too long
// for a lock.
func isOutOfTime(err error) bool {
	var server *pq.Error
	return errors.Is(err, context.DeadlineExceeded) ||
		errors.As(err, &server) && (server.Code == "57014" || server.Code == "55P03")
}

// IsOutage reports whether err is the database's fault and no row's. Taking too long counts
// as a row's fault, and so do a deadlock that repeats itself and a row that needs more
// memory than there is.
func IsOutage(err error) bool {
	var server *pq.Error
	switch {
	case isOutOfTime(err):
		return false
	case errors.As(err, &server) && (server.Code.Class() == "40" || server.Code == "53200"):
		return false
	}
	return IsUnavailable(err)
}
