package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"
)

// Retention is for how long copies are kept that nothing needs any more: what
// remains of a note without them is its row, with reference and hash, because
// idempotency is for ever. Zero keeps for ever.
type Retention struct {
	TestNotes       time.Duration // of test notes: documents, payloads of events, attempts
	Events          time.Duration // payloads of live events
	Attempts        time.Duration // log of attempts at deliveries of live events
	Answers         time.Duration // of the authority, where they were not understood or not expected
	FiscalDocuments time.Duration // of live notes: what was sent, and what the authority made of it
}

// The law asks for fiscal documents for five years, counted from the first day of
// the year after (CTN, art. 173, I). Brazil's year begins when it begins there.
const (
	fiscalYears = 5

	// fiscalPeriodOver holds for a moment of which documents, kept for $1 seconds from the year after, may go.
	fiscalPeriodOver = `date_trunc('year', now() - make_interval(secs => $1), 'America/Sao_Paulo')`
)

// LeastFiscalRetention is for how long fiscal documents are kept at least:
// five years, with two days of leap years.
const LeastFiscalRetention = (fiscalYears*365 + 2) * 24 * time.Hour

// copies are rows of one kind, and how what they hold is removed.
type copies struct {
	what string // names the kind in retention_progress
	kept time.Duration

	from     string // the rows
	key      string // by which they are in the order of time, with its type
	keyType  string
	at       string // the moment that their age counts from
	before   string // the moment before which they are old, where $1 is for how many seconds they are kept
	chosen   string // which of those that are old
	needed   string // which of them something still needs: the walk waits for it
	removing string // the statement, for the keys $1
}

const aged = `now() - make_interval(secs => $1)`

// Asked for each row: a join might begin its walk of the other table at its start.
const (
	ofLiveNote     = `(SELECT n.livemode FROM notes n WHERE n.id = x.note_id)`
	ofLiveDelivery = `(SELECT d.livemode FROM deliveries d WHERE d.id = a.delivery_id)`
)

// kinds are all copies that go. Those of one table are apart where they are kept
// for different times, since each kind has its own progress.
func (r Retention) kinds() []copies {
	events := copies{
		from: `events e`, key: `e.id`, keyType: `text`, at: `e.created_at`, before: aged,
		needed:   `EXISTS (SELECT FROM deliveries d WHERE d.event_id = e.id AND d.status = 'pending')`,
		removing: `UPDATE events SET payload = '' WHERE id = ANY($1)`,
	}
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
	// What was decided by them, as numbers and access keys, has columns of its own.
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
	outside := copies{
		from: `outside_events o`, key: `o.id`, keyType: `bigint`, at: `o.received_at`, before: fiscalPeriodOver,
		needed:   `o.note_id IS NOT NULL AND o.applied_at IS NULL AND o.problem IS NULL`,
		removing: `UPDATE outside_events SET content = '' WHERE id = ANY($1)`,
	}
	unknown := copies{
		from: `outside_documents o`, key: `o.id`, keyType: `bigint`, at: `o.received_at`, before: fiscalPeriodOver,
		needed: `false`, removing: `UPDATE outside_documents SET xml = '' WHERE id = ANY($1)`,
	}
	fiscal := documents.of("live documents", ofLiveNote, r.FiscalDocuments)
	fiscal.before = fiscalPeriodOver
	return []copies{
		documents.of("test documents", `NOT `+ofLiveNote, r.TestNotes),
		events.of("test events", `NOT e.livemode AND octet_length(e.payload) > 0`, r.TestNotes),
		attempts.of("test attempts", `NOT `+ofLiveDelivery, r.TestNotes),
		events.of("live events", `e.livemode AND octet_length(e.payload) > 0`, r.Events),
		attempts.of("live attempts", ofLiveDelivery, r.Attempts),
		answers.of("answers", `c.body IS NOT NULL`, r.Answers),
		fiscal,
		exchanges.of("exchanges", `octet_length(f.xml) > 0`, r.FiscalDocuments),
		messages.of("messages", `octet_length(m.xml) > 0`, r.FiscalDocuments),
		outside.of("outside events", `octet_length(o.content) > 0`, r.FiscalDocuments),
		unknown.of("outside documents", `octet_length(o.xml) > 0`, r.FiscalDocuments),
	}
}

func (c copies) of(what, chosen string, kept time.Duration) copies {
	c.what, c.chosen, c.kept = what, `coalesce(`+chosen+`, false)`, kept
	return c
}

// RemoveOldCopies removes copies that are older than they are kept: of each kind
// it looks at limit rows at most, each kind in a short transaction of its own. looked
// is how many rows of a kind it saw, where that were most: fewer than limit means
// that nothing more is old.
func (s *Store) RemoveOldCopies(ctx context.Context, r Retention, limit int) (looked, removed int, err error) {
	for _, kind := range r.kinds() {
		if kind.kept == 0 {
			continue
		}
		seen, gone, err := s.removeOld(ctx, kind, limit)
		if err != nil {
			return looked, removed, fmt.Errorf("store: old copies, %s: %w", kind.what, err)
		}
		looked, removed = max(looked, seen), removed+gone
	}
	return looked, removed, nil
}

func (s *Store) removeOld(ctx context.Context, c copies, limit int) (looked, removed int, err error) {
	err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		var upTo string
		err := tx.GetContext(ctx, &upTo, `
			INSERT INTO retention_progress (what, up_to) VALUES ($1, CASE WHEN $2 = 'bigint' THEN '0' ELSE '' END)
			ON CONFLICT (what) DO UPDATE SET what = excluded.what
			RETURNING up_to`, c.what, c.keyType)
		if err != nil {
			return err
		}
		var next []struct {
			Key    string `db:"key"`
			Old    bool   `db:"old"`
			Chosen bool   `db:"chosen"`
		}
		err = tx.SelectContext(ctx, &next, fmt.Sprintf(`
			SELECT %[1]s AS key, %[2]s < %[3]s AND NOT (%[5]s AND %[4]s) AS old, %[5]s AS chosen
			FROM %[6]s WHERE %[1]s > $2::%[7]s ORDER BY %[1]s LIMIT $3`,
			c.key, c.at, c.before, c.needed, c.chosen, c.from, c.keyType), c.kept.Seconds(), upTo, limit)
		if err != nil {
			return err
		}
		var keys []string
		for _, row := range next {
			if !row.Old {
				break
			}
			looked, upTo = looked+1, row.Key
			if row.Chosen {
				keys = append(keys, row.Key)
			}
		}
		if looked == 0 {
			return nil
		}
		if removed, err = affected(tx.ExecContext(ctx, c.removing, pq.Array(keys))); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE retention_progress SET up_to = $2 WHERE what = $1`, c.what, upTo)
		return err
	})
	return looked, removed, err
}
