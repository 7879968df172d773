package store

import (
	"context"

	"github.com/jmoiron/sqlx"
)

// resumeHeld nudges every note of an organization that waits for a person: what
// it waits for may be there now. Whether it is, the note finds out itself.
func resumeHeld(ctx context.Context, tx *sqlx.Tx, organizationID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE organization_id = $1 AND held_reason IS NOT NULL
		ORDER BY id `+askAgain, organizationID)
	return err
}
