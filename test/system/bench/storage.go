package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"emissor/store"
	"emissor/store/operate"
	"emissor/store/postgres"
)

// measureStorage measures what one note leaves in the database, by table: live ones and those of the
// test environment, each with a webhook, whose texts are from the generator of tests.
func (b *bench) measureStorage(ctx context.Context) error {
	for _, kind := range []struct {
		name string
		live bool
		most int // bytes, for ever
	}{{liveWithWebhook, true, 6000}, {"sandbox note with a webhook", false, 2000}} {
		measured, err := b.noteStorage(ctx, kind.live)
		if err != nil {
			return err
		}
		measured.name, measured.most = kind.name, kind.most
		b.report.addStorage(measured)
	}
	return nil
}

// noteStorage has two rounds of notes end, and what need not be kept of them removed. The first one tells
// what they leave at their end. For what stays for ever its rest is the base: the second round finds room
// where rows of the first were removed or replaced, as notes do in a database that has run for long.
func (b *bench) noteStorage(ctx context.Context, live bool) (s storage, err error) {
	i, err := b.install(ctx, needs{live: true})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	housekeeping, err := store.Open(ctx, postgres.Config{
		URL: i.database.URL, MaxConnections: 2, StatementTimeout: time.Minute, Application: "bench",
	})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, housekeeping.Close()) }()
	receiver, err := i.subscribe(ctx, i.organizations[0], live)
	if err != nil {
		return s, err
	}
	defer receiver.Close()
	if err := i.startWorkers(ctx, 1); err != nil {
		return s, err
	}
	takers := i.caller(i.organizations[0], live).newTakers()
	end := func(notes int) error {
		if err := takers.issue(ctx, notes); err != nil {
			return err
		}
		for _, open := range []string{openNotes, openDeliveries, openOutbox} {
			if err := i.awaitNone(ctx, open); err != nil {
				return err
			}
		}
		return rollUp(ctx, housekeeping)
	}
	if err := end(regularTakers); err != nil { // what an installation has once
		return s, err
	}
	begun, err := i.tables(ctx)
	if err != nil {
		return s, err
	}
	var ended, kept [2]map[string]stored
	for round := range ended {
		if err := end(b.options.storage); err != nil {
			return s, err
		}
		if ended[round], err = i.tables(ctx); err != nil {
			return s, err
		}
		if err := removeOld(ctx, housekeeping); err != nil {
			return s, err
		}
		if kept[round], err = i.tables(ctx); err != nil {
			return s, err
		}
	}
	s.notes = b.options.storage
	s.ended, s.kept = grown(begun, ended[0]), grown(kept[0], kept[1])
	if err := i.database.SQL.SelectContext(ctx, &s.dropped, `SELECT relname FROM pg_class WHERE relkind = 'p'
		AND relname IN ('api_requests', 'events', 'deliveries', 'delivery_attempts') ORDER BY relname`); err != nil {
		return s, err
	}
	for _, name := range s.dropped {
		delete(s.kept, name)
	}
	err = i.database.SQL.GetContext(ctx, &s.rejected, `SELECT count(*) FROM notes WHERE status <> 'issued'`)
	return s, err
}

// openOutbox counts what is still to be started.
const openOutbox = `SELECT count(*) FROM outbox`

// rollUp has what waits for a roll-up added to its figures.
func rollUp(ctx context.Context, s *store.Store) error {
	return errors.Join(s.Operate.RollUp(ctx), s.Books.RollUpClosings(ctx), s.Operate.RollUpCalls(ctx))
}

// removeOld removes what is removed after a time by the settings' defaults, at once: each age is next to
// nothing. Fiscal documents of live notes are kept for ever by default.
func removeOld(ctx context.Context, s *store.Store) error {
	const batch, now = 500, time.Millisecond
	for looked := batch; looked == batch; {
		var err error
		looked, _, err = s.Operate.RemoveOldCopies(ctx, operate.Retention{TestNotes: now, Events: now, Attempts: now,
			Answers: now},
			batch)
		if err != nil {
			return fmt.Errorf("remove old copies: %w", err)
		}
	}
	return nil
}
