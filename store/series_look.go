package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Where numbers are asked about before they are sent, each series is checked by the note that has its turn
// first (CheckSeries). What that finds used, and what there is under a series of which no note comes, is
// looked for beside it, so that a person has the whole list.

// SeriesToLook is a series of a database that may be a copy, at which nobody has looked yet.
type SeriesToLook struct {
	nfse.SeriesKey
	Organizations []string // that may use the issuer
}

// ClaimSeriesToLook gives a series of one of the authorities to one process for the lease; nil where there is
// none.
func (s *Store) ClaimSeriesToLook(ctx context.Context, authorities []string, lease time.Duration) (*SeriesToLook,
	error) {
	var claimed SeriesToLook
	err := s.get(ctx, &claimed.SeriesKey, `
		UPDATE fiscal_series SET looking_until = clock_timestamp() + make_interval(secs => $2)
		WHERE (`+seriesColumns+`) = (SELECT `+seriesColumns+` FROM fiscal_series
			WHERE authority = ANY ($1) AND looked_in IS DISTINCT FROM (SELECT `+thisDatabase+`)
				AND (checked_in <> (SELECT `+thisDatabase+`) OR held_reason ->> 'code' = $3)
				AND (looking_until IS NULL OR looking_until <= clock_timestamp())
			LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
		RETURNING `+seriesColumns, pq.Array(authorities), lease.Seconds(), fact.NumberUsedInLostTime)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = s.all(ctx, &claimed.Organizations, organizationsOfIssuer, issuerArguments(claimed.IssuerKey)...)
	return &claimed, err
}

const organizationsOfIssuer = `SELECT organization_id FROM tax_id_claims WHERE ` + thisIssuer + `
	ORDER BY owner DESC, organization_id`

// SetLookAside ends a look that came to no end, which is tried again after a while.
func (s *Store) SetLookAside(ctx context.Context, series nfse.SeriesKey, wait time.Duration) error {
	_, err := s.exec(ctx, `UPDATE fiscal_series
		SET looking_until = clock_timestamp() + make_interval(secs => $7) WHERE `+thisSeries,
		seriesArguments(series, wait.Seconds())...)
	return err
}

// EndLook stores what a look at a series found: the numbers that are used although nothing was sent under them,
// as far as this database knows. They wait for a person, and the series is held until then.
func (s *Store) EndLook(ctx context.Context, series nfse.SeriesKey, found fiscal.Numbers) error {
	return s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		if _, err := tx.ExecContext(ctx, `UPDATE fiscal_series SET looked_in = `+thisDatabase+`, looking_until = NULL
			WHERE `+thisSeries, seriesArguments(series)...); err != nil || len(found.Used) == 0 {
			return err
		}
		for _, number := range found.Used {
			if err := insertUsed(ctx, tx, series, number, found.Documents[number]); err != nil {
				return err
			}
		}
		reason := fact.NumberUsedInLostTime.With("number", slices.Min(found.Used), "series", series.Series)
		return holdSeries(ctx, tx, series, reason)
	})
}

// insertUsed stores a number that is used. Where a note of ours has taken it, it is probably that note's.
func insertUsed(ctx context.Context, tx *sqlx.Tx, series nfse.SeriesKey, number int64, document string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO recovered_documents (`+seriesColumns+`, number, state, note_id, correlation_id, access_key,
			authority_number, taker)
		SELECT $1, $2, $3, $4, $5, $6, $7, CASE WHEN e.note_id IS NULL THEN 'missing' ELSE 'unclear' END, e.note_id, '', '',
			$8, ''
		FROM (SELECT) one LEFT JOIN fiscal_exchanges e ON e.kind = 'issue'
			AND (`+qualified(`e`, sequenceColumns)+`) = ($1, $2, $3, $4, $5) AND e.number = $7
		ON CONFLICT DO NOTHING`, seriesArguments(series, number, document)...)
	return err
}
