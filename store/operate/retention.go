package operate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// Retention is for how long copies are kept that nothing needs any more. What remains of a
// note without them is its row, with reference and hash, because idempotency does not end.
// Zero keeps them without end.
type Retention struct {
	TestNotes       time.Duration // of test notes: documents, payloads of events, attempts
	Events          time.Duration // bodies of live events; afterwards they are made again while their note is unchanged
	Attempts        time.Duration // log of attempts at deliveries of live events
	Answers         time.Duration // of the authority, where they were not understood or not expected
	FiscalDocuments time.Duration // of live notes: what was sent, and what the authority made of it
}

// The law requires fiscal documents to be kept for five years, counted from the first day
// of the year after (CTN, art. 173, I), in Brazil's time zone.
const (
	// fiscalPeriodOver is the moment before which documents are old that are kept for $1 seconds from the year after.
	fiscalPeriodOver = `date_trunc('year', now() - make_interval(secs => $1), 'America/Sao_Paulo')`
)

// LeastFiscalRetention is for how long fiscal documents are kept at least:
// five years, with two days of leap years.
const LeastFiscalRetention = (postgres.FiscalYears*365 + 2) * 24 * time.Hour

// copies are rows of one kind, and how their content is removed.
type copies struct {
	what string // names the kind in retention_progress
	kept time.Duration

	from     string // the rows
	key      string // orders them by time; keyType is its type
	keyType  string
	at       string // the moment that their age counts from
	before   string // the moment before which they are old, where $1 is for how many seconds they are kept
	chosen   string // which of those that are old
	needed   string // which of them something still needs: they are set aside, and looked at again later
	removing string // the statement, for the keys $1
}

const aged = `now() - make_interval(secs => $1)`

// Subqueries for each row, as with a join the planner might read the other table from its start.
const (
	ofLiveNote     = `(SELECT n.livemode FROM notes n WHERE n.id = x.note_id)`
	ofLiveDelivery = `(SELECT d.livemode FROM deliveries d WHERE d.id = a.delivery_id)`
)

// kinds are all copies that are removed. Those of one table are several kinds where they
// are kept for different times, since each kind has its own progress.
func (r Retention) kinds() []copies {
	events := copies{
		from: `events e`, key: `e.id`, keyType: `text`, at: `e.created_at`, before: aged,
		needed:   `EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.status = 'pending')`,
		removing: `UPDATE events SET payload = '' WHERE id = ANY($1)`,
	}
	testEvents := events // whose bodies cannot be made again, as their digests are removed too
	testEvents.removing = `UPDATE events SET payload = '', payload_digest = NULL WHERE id = ANY($1)`
	attempts := copies{
		from: `delivery_attempts a`, key: `a.id`, keyType: `bigint`, at: `a.started_at`, before: aged, needed: `false`,
		removing: `DELETE FROM delivery_attempts WHERE id = ANY($1)`,
	}
	documents := copies{
		from: `note_documents x`, key: `x.note_id`, keyType: `text`, at: `x.created_at`, before: aged, needed: `false`,
		removing: `DELETE FROM note_documents WHERE note_id = ANY($1)`,
	}
	answers := copies{
		from: `fiscal_calls c`, key: `c.id`, keyType: `bigint`, at: `c.started_at`, before: aged, needed: `false`,
		removing: `UPDATE fiscal_calls SET body = NULL WHERE id = ANY($1)`,
	}
	// Numbers, access keys and what else is needed later have columns of their own.
	exchanges := copies{
		from: `fiscal_exchanges f`, key: `f.id`, keyType: `bigint`, at: `f.updated_at`, before: fiscalPeriodOver,
		needed:   `f.state IN ('unsigned', 'signed', 'in_doubt')`,
		removing: `UPDATE fiscal_exchanges SET xml = '' WHERE id = ANY($1)`,
	}
	messages := copies{
		from: `fiscal_messages m`, key: `m.id`, keyType: `bigint`, at: `m.created_at`, before: fiscalPeriodOver,
		needed: `EXISTS (SELECT FROM fiscal_exchanges f
			WHERE f.id = m.exchange_id AND f.state IN ('unsigned', 'signed', 'in_doubt'))`,
		removing: `UPDATE fiscal_messages SET xml = '' WHERE id = ANY($1)`,
	}
	external := copies{
		from: `external_events o`, key: `o.id`, keyType: `bigint`, at: `o.received_at`, before: fiscalPeriodOver,
		needed:   `o.note_id IS NOT NULL AND o.applied_at IS NULL AND o.problem IS NULL`,
		removing: `UPDATE external_events SET content = '' WHERE id = ANY($1)`,
	}
	unknown := copies{
		from: `external_documents o`, key: `o.id`, keyType: `bigint`, at: `o.received_at`, before: fiscalPeriodOver,
		needed: `false`, removing: `UPDATE external_documents SET xml = '' WHERE id = ANY($1)`,
	}
	received := copies{
		from: `received_notes o`, key: `o.id`, keyType: `bigint`, at: `o.received_at`, before: fiscalPeriodOver,
		needed: `false`,
		removing: `UPDATE received_notes SET xml = '', issuer_name = '', issuer_tax_id = '', description = ''
			WHERE id = ANY($1)`,
	}
	receivedEvents := copies{
		from: `received_events o`, key: `o.id`, keyType: `bigint`, at: `o.received_at`, before: fiscalPeriodOver,
		needed: `false`, removing: `UPDATE received_events SET content = '', reason_text = NULL WHERE id = ANY($1)`,
	}
	fiscal := documents.of("live documents", ofLiveNote, r.FiscalDocuments)
	fiscal.before = fiscalPeriodOver
	return []copies{
		documents.of("test documents", `NOT `+ofLiveNote, r.TestNotes),
		testEvents.of("test events", `NOT e.livemode AND `+webhooks.BodyKept, r.TestNotes),
		attempts.of("test attempts", `NOT `+ofLiveDelivery, r.TestNotes),
		events.of("live events", `e.livemode AND octet_length(e.payload) > 0`, r.Events),
		attempts.of("live attempts", ofLiveDelivery, r.Attempts),
		answers.of("answers", `c.body IS NOT NULL`, r.Answers),
		fiscal,
		exchanges.of("exchanges", `octet_length(f.xml) > 0`, r.FiscalDocuments),
		messages.of("messages", `octet_length(m.xml) > 0`, r.FiscalDocuments),
		external.of("external events", `octet_length(o.content) > 0`, r.FiscalDocuments),
		unknown.of("external documents", `octet_length(o.xml) > 0`, r.FiscalDocuments),
		received.of("received notes", `octet_length(o.xml) > 0`, r.FiscalDocuments),
		receivedEvents.of("events of received notes", `octet_length(o.content) > 0`, r.FiscalDocuments),
	}
}

func (c copies) of(what, chosen string, kept time.Duration) copies {
	c.what, c.chosen, c.kept = what, `coalesce(`+chosen+`, false)`, kept
	return c
}

// loop names the walk in row_failures, the log and the metric.
func (c copies) loop() string { return "retention: " + c.what }

// RemoveOldCopies removes copies that are older than they are kept: of each kind it looks
// at limit rows at most, in a short transaction of its own. looked is the most rows that it
// looked at of any kind: fewer than limit means that nothing more is old. An error of one
// kind stops no other.
func (s *Store) RemoveOldCopies(ctx context.Context, r Retention, limit int) (looked, removed int, err error) {
	var failures []error
	for _, kind := range r.kinds() {
		if kind.kept == 0 {
			continue
		}
		seen, gone, err := s.removeOld(ctx, kind, limit)
		looked, removed = max(looked, seen), removed+gone
		if err != nil {
			failures = append(failures, fmt.Errorf("store: old copies, %s: %w", kind.what, err))
		}
		if ctx.Err() != nil || err != nil && postgres.IsOutage(err) {
			break
		}
	}
	return looked, removed, errors.Join(failures...)
}

func (s *Store) removeOld(ctx context.Context, c copies, limit int) (looked, removed int, err error) {
	err = s.db.InTime(ctx, postgres.BatchTimes*s.db.RowTimeout(), func(ctx context.Context) (err error) {
		looked, removed, err = s.removeNext(ctx, c, limit)
		return err
	})
	if err != nil && ctx.Err() == nil && !postgres.IsOutage(err) {
		looked, removed, err = s.removeEach(ctx, c, limit, err)
	}
	if err != nil {
		return looked, removed, err
	}
	return looked, removed, s.db.DoAside(ctx, c.loop(),
		func(ctx context.Context, tx *sqlx.Tx, key string) (again bool, err error) {
			gone, again, err := removeOne(ctx, tx, c, key)
			removed += gone
			return again, err
		})
}

// removeNext removes the copies of the next rows in one transaction.
func (s *Store) removeNext(ctx context.Context, c copies, limit int) (looked, removed int, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		upTo, err := retentionProgress(ctx, tx, c)
		if err != nil {
			return err
		}
		var next []struct {
			Key    string `db:"key"`
			Old    bool   `db:"old"`
			Chosen bool   `db:"chosen"`
			Needed bool   `db:"needed"`
		}
		err = tx.SelectContext(ctx, &next, fmt.Sprintf(`
			SELECT %[1]s AS key, %[2]s < %[3]s AS old, %[5]s AS chosen, %[2]s < %[3]s AND %[5]s AND %[4]s AS needed
			FROM %[6]s WHERE %[1]s > $2::%[7]s ORDER BY %[1]s LIMIT $3`,
			c.key, c.at, c.before, c.needed, c.chosen, c.from, c.keyType), c.kept.Seconds(), upTo, limit)
		if err != nil {
			return err
		}
		var keys, needed []string
		for _, row := range next {
			if !row.Old {
				break
			}
			looked, upTo = looked+1, row.Key
			switch {
			case row.Needed:
				needed = append(needed, row.Key)
			case row.Chosen:
				keys = append(keys, row.Key)
			}
		}
		if looked == 0 {
			return nil
		}
		if removed, err = postgres.Affected(tx.ExecContext(ctx, c.removing, pq.Array(keys))); err != nil {
			return err
		}
		if len(needed) > 0 {
			if err := postgres.SetAsideNeeded(ctx, tx, c.loop(), needed...); err != nil {
				return err
			}
		}
		_, err = tx.ExecContext(ctx, advanceRetention, c.what, upTo)
		return err
	})
	if err != nil {
		looked, removed = 0, 0
	}
	return looked, removed, err
}

// removeEach removes the copies of the next rows one by one after removeNext failed, and
// sets aside those that cannot be removed. With no old rows it returns failed, as no row is
// the cause.
func (s *Store) removeEach(ctx context.Context, c copies, limit int, failed error) (looked, removed int, err error) {
	var keys []string
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		upTo, err := retentionProgress(ctx, tx, c)
		if err != nil {
			return err
		}
		var next []struct {
			Key string `db:"key"`
			Old bool   `db:"old"`
		}
		err = tx.SelectContext(ctx, &next, fmt.Sprintf(`SELECT %[1]s AS key, %[2]s < %[3]s AS old
			FROM %[4]s WHERE %[1]s > $2::%[5]s ORDER BY %[1]s LIMIT $3`,
			c.key, c.at, c.before, c.from, c.keyType), c.kept.Seconds(), upTo, limit)
		for _, row := range next {
			if !row.Old {
				break
			}
			keys = append(keys, row.Key)
		}
		return err
	})
	switch {
	case err != nil:
		return 0, 0, errors.Join(err, failed)
	case len(keys) == 0:
		return 0, 0, failed
	}
	looked, err = s.db.Apart(ctx, c.loop(), keys, s.db.RowTimeout(),
		func(ctx context.Context, tx *sqlx.Tx, key string) error {
			gone, again, err := removeOne(ctx, tx, c, key)
			if err == nil && again {
				err = postgres.SetAsideNeeded(ctx, tx, c.loop(), key)
			}
			removed += gone
			return err
		})
	if looked > 0 {
		_, advanced := s.db.ExecContext(ctx, advanceRetention, c.what, keys[looked-1])
		err = errors.Join(err, advanced)
	}
	return limit, removed, err // as if full: there may be more behind these rows
}

// removeOne removes a row's copy, unless something still needs it: then again is true.
func removeOne(ctx context.Context, tx *sqlx.Tx, c copies, key string) (removed int, again bool, err error) {
	var is struct {
		Old    bool `db:"old"`
		Chosen bool `db:"chosen"`
		Needed bool `db:"needed"`
	}
	err = tx.GetContext(ctx, &is, fmt.Sprintf(`
		SELECT %[2]s < %[3]s AS old, %[5]s AS chosen, %[4]s AS needed FROM %[6]s WHERE %[1]s = $2::%[7]s`,
		c.key, c.at, c.before, c.needed, c.chosen, c.from, c.keyType), c.kept.Seconds(), key)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil || !is.Chosen:
		return 0, false, err
	case is.Needed || !is.Old:
		return 0, true, nil
	}
	removed, err = postgres.Affected(tx.ExecContext(ctx, c.removing, pq.Array([]string{key})))
	return removed, false, err
}

// retentionProgress is the last row that was looked at, of which it locks the record.
func retentionProgress(ctx context.Context, tx *sqlx.Tx, c copies) (upTo string, err error) {
	err = tx.GetContext(ctx, &upTo, `
		INSERT INTO retention_progress (what, up_to) VALUES ($1, CASE WHEN $2 = 'bigint' THEN '0' ELSE '' END)
		ON CONFLICT (what) DO UPDATE SET what = excluded.what
		RETURNING up_to`, c.what, c.keyType)
	return upTo, err
}

const advanceRetention = `UPDATE retention_progress SET up_to = $2 WHERE what = $1`
