package outbox

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
)

// ResumeHeld wakes up every live note of an organization that waits for a person, or for
// its next attempt at the authority, as what it waits for may have changed. The note's run
// checks that.
func ResumeHeld(ctx context.Context, tx *sqlx.Tx, organizationID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE organization_id = $1 AND (held_reason IS NOT NULL OR livemode AND status = 'processing')
		ORDER BY id `+AskAgain, organizationID)
	return err
}

func ResumeAllHeld(ctx context.Context, db sqlx.ExecerContext) error {
	_, err := db.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE held_reason IS NOT NULL
		ORDER BY id `+AskAgain)
	return err
}

// ResumeRefused wakes up the notes of a service that were refused, as it has changed: those that
// wait, and those that are about to.
func ResumeRefused(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, serviceID string) error {
	_, err := tx.ExecContext(ctx, `
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', id, organization_id, livemode, reference FROM notes
		WHERE organization_id = $1 AND livemode AND livemode = $2 AND service_id = $3 AND status = 'processing'
			AND refused_at IS NOT NULL
		ORDER BY id `+AskAgain, scope.OrganizationID, scope.Livemode, serviceID)
	return err
}
