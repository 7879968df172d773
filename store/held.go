package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// resumeHeld nudges every live note of an organization that waits for a person,
// or for its next attempt at the authority: what it waits for may be there now.
// Whether it is, the note finds out itself.
func resumeHeld(ctx context.Context, tx *sqlx.Tx, organizationID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE organization_id = $1 AND (held_reason IS NOT NULL OR livemode AND status = 'processing')
		ORDER BY id `+askAgain, organizationID)
	return err
}

// ResumeHeld nudges every note that waits for a person, of one organization or,
// with an empty one, of all, and counts them: a worker with other settings or of
// another version may be what they wait for.
func (s *Store) ResumeHeld(ctx context.Context, organizationID string) (resumed int, err error) {
	return affected(s.db.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE held_reason IS NOT NULL AND ($1 = '' OR organization_id = $1)
		ORDER BY id `+askAgain, organizationID))
}
