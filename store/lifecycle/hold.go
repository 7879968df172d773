package lifecycle

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// HoldNote records what a live note waits for that only a person can give, and
// reports whether that is new. A queued one is in processing from then on. One that is not
// refused any more holds no siblings: what it waits for now, they need not.
func (s *Store) HoldNote(ctx context.Context, id string, reason fact.Fact) (fresh bool, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		if reason.Is(fact.HeldBySibling) {
			if err := waitForRelease(ctx, tx, id); err != nil {
				return err
			}
		}
		var lets []bool // others go on; none where the note is held for this already
		err := tx.SelectContext(ctx, &lets, `
			WITH held AS (
				UPDATE notes SET held_reason = $2, held_since = now(), `+SetBegun+`, `+outbox.RequeueLater+`
				WHERE id = $1 AND held_reason IS DISTINCT FROM $2
					AND (status IN ('queued', 'processing') OR `+notes.CancellationToDo+`)
				RETURNING id, refused_at
			), step AS (
				INSERT INTO note_steps (note_id, fact) SELECT id, $3::jsonb FROM held
			)
			SELECT n.refused_at IS NOT NULL AND e.id IS NULL FROM held n LEFT JOIN `+refusedExchange, id, reason,
			fact.Waits.With("why", reason))
		fresh = len(lets) > 0
		if err == nil && fresh && lets[0] {
			err = s.releaseSiblings(ctx, tx, id)
		}
		return err
	})
	return fresh && err == nil, err
}

// ReleaseNote ends the wait of a held note. That it was held is known until it ends.
func (s *Store) ReleaseNote(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `
		WITH released AS (
			UPDATE notes SET held_reason = NULL, `+outbox.RequeueLater+` WHERE id = $1
			AND held_reason IS NOT NULL
			RETURNING id
		)
		INSERT INTO note_steps (note_id, fact) SELECT id, $2::jsonb FROM released`, id, fact.WaitsNoMore.Fact())
	return err
}

// HeldNote is a live note that waits for an operator.
type HeldNote struct {
	ID             string         `db:"id" json:"id"`
	OrganizationID string         `db:"organization_id" json:"organization_id"`
	Reference      string         `db:"reference" json:"reference"`
	Status         nfse.Status    `db:"status" json:"status"`
	Since          nfse.Timestamp `db:"held_since" json:"since"`
	Reason         fact.Fact      `db:"held_reason" json:"reason"`
}

// HeldNotes lists what waits for an operator, oldest first, at most limit of
// them; with an empty organization that of all.
func (s *Store) HeldNotes(ctx context.Context, organizationID string, limit int) ([]HeldNote, error) {
	held := []HeldNote{}
	err := s.db.SelectContext(ctx, &held, `
		SELECT id, organization_id, reference, status, held_since, held_reason FROM notes
		WHERE held_reason IS NOT NULL AND ($1 = '' OR organization_id = $1)
		ORDER BY held_since, id LIMIT $2`, organizationID, limit)
	return held, err
}

// ResumeHeld wakes up every note that waits for a person. A worker calls it when it
// starts, as the notes may wait for its settings or its version.
func (s *Store) ResumeHeld(ctx context.Context) error {
	return postgres.RetriedDeadlock(ctx, func() error { return outbox.ResumeAllHeld(ctx, s.db) })
}
