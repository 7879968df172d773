package operate

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal/drift"
)

// maxDrifts is how many are kept of an authority: one that writes data into names would never end.
const maxDrifts = 200

// KeepDrift keeps an answer in a new form, unless it is kept already, or as many are of its authority as may be.
func (s *Store) KeepDrift(ctx context.Context, one drift.Drift) (isNew bool, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		// One at a time, by whose rows the next one counts.
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock(hashtext('authority drift'))`); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `
			INSERT INTO authority_drift (fingerprint, authority, call, production, status, media, news, copy)
			SELECT $1, $2, $3, $4, $5, $6, $7, $8
			WHERE (SELECT count(*) FROM authority_drift WHERE authority = $2) < $9
			ON CONFLICT DO NOTHING`, one.Fingerprint, one.Authority, one.Call, one.Production, one.Status, one.Media,
			one.News, one.Copy, maxDrifts)
		if err != nil {
			return err
		}
		rows, err := result.RowsAffected()
		isNew = rows == 1
		return err
	})
	return isNew && err == nil, err
}

// Drifts lists the answers in new forms without their copies, the newest first, at most limit of them.
func (s *Store) Drifts(ctx context.Context, limit int) ([]drift.Drift, error) {
	all := []drift.Drift{}
	err := s.db.SelectContext(ctx, &all, `
		SELECT fingerprint, authority, call, production, status, media, news, seen_at FROM authority_drift
		ORDER BY seen_at DESC, fingerprint LIMIT $1`, limit)
	return all, err
}

// Drift returns the one of a fingerprint; sql.ErrNoRows where there is none.
func (s *Store) Drift(ctx context.Context, fingerprint string) (one drift.Drift, err error) {
	err = s.db.GetContext(ctx, &one, `
		SELECT fingerprint, authority, call, production, status, media, news, copy, seen_at FROM authority_drift
		WHERE fingerprint = $1`, fingerprint)
	return one, err
}
