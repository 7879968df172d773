package companies

import (
	"context"
	"database/sql"
	"errors"

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
	err := s.db.Get(ctx, &term, `SELECT t.refused_days, t.refused_at
		FROM fiscal_exchanges e JOIN city_cancellation_terms t USING (authority, production, municipality_code)
		WHERE e.note_id = $1 AND e.kind = 'issue' AND e.state = 'accepted'`, noteID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return &term, err
}

// AgeOfCancelled are the city of a request to cancel and how many whole days after its issue
// the note was when the request ended.
const AgeOfCancelled = `SELECT e.authority, e.production, e.municipality_code,
		floor(extract(epoch FROM now() - n.authority_issued_at) / 86400)::integer AS days
	FROM fiscal_exchanges e JOIN notes n ON n.id = e.note_id WHERE e.id = $1`
