package store

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
)

// CancellationTerm is what is known of a city's term for cancelling: so many days after the
// issue it refused, because its term was over.
type CancellationTerm struct {
	RefusedDays int            `db:"refused_days" json:"refused_days"`
	RefusedAt   nfse.Timestamp `db:"refused_at" json:"refused_at"`
}

// CancellationTerm reads what is known of the term of the city that a note was issued in;
// nil where nothing is.
func (s *Store) CancellationTerm(ctx context.Context, noteID string) (*CancellationTerm, error) {
	var term CancellationTerm
	err := s.get(ctx, &term, `SELECT t.refused_days, t.refused_at
		FROM fiscal_exchanges e JOIN city_cancellation_terms t USING (authority, production, municipality_code)
		WHERE e.note_id = $1 AND e.kind = 'issue' AND e.state = 'accepted'`, noteID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &term, err
}

// ageOfCancelled are the city of a request to cancel and how many whole days after its issue
// the note was when the request ended.
const ageOfCancelled = `SELECT e.authority, e.production, e.municipality_code,
		floor(extract(epoch FROM now() - n.authority_issued_at) / 86400)::integer AS days
	FROM fiscal_exchanges e JOIN notes n ON n.id = e.note_id WHERE e.id = $1`

// learnTerm learns of a city's term from how it answered a request to cancel: the earliest
// refusal counts, until a later note is cancelled.
func learnTerm(ctx context.Context, tx *sqlx.Tx, e *Exchange) (err error) {
	switch {
	case e.State == fiscal.Accepted:
		_, err = tx.ExecContext(ctx, `DELETE FROM city_cancellation_terms t USING (`+ageOfCancelled+`) cancelled
			WHERE (t.authority, t.production, t.municipality_code) = (cancelled.authority, cancelled.production,
				cancelled.municipality_code) AND t.refused_days <= cancelled.days`, e.ID)
	case e.State == fiscal.Rejected && e.Disposition == fiscal.TermOver:
		_, err = tx.ExecContext(ctx, `
			INSERT INTO city_cancellation_terms AS t (authority, production, municipality_code, refused_days,
				refused_at)
			SELECT authority, production, municipality_code, days, now() FROM (`+ageOfCancelled+`) refused
			ON CONFLICT (authority, production, municipality_code) DO UPDATE SET refused_days = EXCLUDED.refused_days,
				refused_at = EXCLUDED.refused_at
			WHERE EXCLUDED.refused_days <= t.refused_days`, e.ID)
	}
	return err
}
