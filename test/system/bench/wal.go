package main

import (
	"context"
	"errors"
)

// written is what the transactions of a database wrote.
type written struct {
	Database string
	Commits  int   // of transactions that wrote; those that only read leave nothing
	Bytes    int64 // in the log of changes
}

// watchWAL counts what is written from now on until stop is called. It reads the
// log of changes itself (pg_walinspect, PostgreSQL 15): there a commit has its
// place, and what it changed names the database. Nothing else distinguishes the
// commits of two databases of one server from transactions that only read.
func (b *bench) watchWAL(ctx context.Context) (stop func() (map[string]written, error), err error) {
	if _, err := b.database.SQL.ExecContext(ctx, `CREATE EXTENSION IF NOT EXISTS pg_walinspect`); err != nil {
		return nil, err
	}
	session, err := b.database.SQL.Connx(ctx)
	if err != nil {
		return nil, err
	}
	// The slot keeps what was written from being removed; it is gone with the session.
	var begin string
	_, err = session.ExecContext(ctx, `SELECT pg_create_physical_replication_slot('bench', true, true)`)
	if err == nil {
		err = session.GetContext(ctx, &begin, `SELECT pg_current_wal_insert_lsn()`)
	}
	if err != nil {
		return nil, errors.Join(err, session.Close())
	}
	return func() (map[string]written, error) {
		var all []written
		err := session.SelectContext(ctx, &all, `
			WITH records AS (
				SELECT xid::text AS xid, record_length,
				       resource_manager = 'Transaction' AND record_type = 'COMMIT' AS committed,
				       substring(block_ref FROM 'rel [0-9]+/([0-9]+)/')::oid AS database
				FROM pg_get_wal_records_info($1, pg_current_wal_flush_lsn())
				WHERE xid::text <> '0'
			), transactions AS (
				SELECT max(database) AS database, bool_or(committed) AS committed, sum(record_length) AS bytes
				FROM records GROUP BY xid
			)
			SELECT datname AS database, count(*) FILTER (WHERE committed) AS commits, sum(bytes)::bigint AS bytes
			FROM transactions JOIN pg_database ON oid = transactions.database GROUP BY datname`, begin)
		_, dropped := session.ExecContext(ctx, `SELECT pg_drop_replication_slot('bench')`)
		by := map[string]written{}
		for _, one := range all {
			by[one.Database] = one
		}
		return by, errors.Join(err, dropped, session.Close())
	}, nil
}
