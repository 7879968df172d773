package store

import (
	"context"
	"database/sql"
	"errors"

	"emissor/nfse"
)

// LiveNote is a note on its way to an authority, and where it stands there.
type LiveNote struct {
	nfse.Note
	Scope                     nfse.Scope
	RequestID                 string // of the request that created the note
	ConfirmMunicipalOperation bool
	HeldReason                *string
	CancellationRequestID     string          // of the pending cancellation
	Document                  *FiscalDocument // nil while no number is taken
}

// LiveNote reads a live note and its current document.
func (s *Store) LiveNote(ctx context.Context, id string) (LiveNote, error) {
	var row struct {
		noteRow
		Confirm               bool    `db:"confirm_municipal_operation"`
		HeldReason            *string `db:"held_reason"`
		CancellationRequestID string  `db:"cancellation_request_id"`
	}
	err := s.db.GetContext(ctx, &row, `SELECT `+noteColumns+`, confirm_municipal_operation, held_reason,
			coalesce(cancellation_request_id, '') AS cancellation_request_id
		FROM notes WHERE id = $1 AND livemode`, id)
	if err != nil {
		return LiveNote{}, err
	}
	live := LiveNote{
		Scope: nfse.Scope{OrganizationID: row.OrganizationID, Livemode: true}, RequestID: row.RequestID,
		ConfirmMunicipalOperation: row.Confirm, HeldReason: row.HeldReason, CancellationRequestID: row.CancellationRequestID,
	}
	if live.Note, err = row.note(); err != nil {
		return live, err
	}
	document, err := s.currentDocument(ctx, id)
	if err == nil {
		live.Document = &document
	} else if !errors.Is(err, sql.ErrNoRows) {
		return live, err
	}
	return live, nil
}

// HoldNote records what a live note waits for that only a person can give, and
// reports whether it was not held for that already.
func (s *Store) HoldNote(ctx context.Context, id, reason string) (fresh bool, err error) {
	held, err := affected(s.db.ExecContext(ctx, `
		WITH held AS (
			UPDATE notes SET held_reason = $2, held_since = now(), `+requeueLater+`
			WHERE id = $1 AND held_reason IS DISTINCT FROM $2
				AND (status IN ('queued', 'processing') OR cancellation_status = 'pending')
			RETURNING id
		)
		INSERT INTO note_steps (note_id, what) SELECT id, 'waits: ' || $2 FROM held`, id, reason))
	return held > 0, err
}

// ReleaseNote ends the wait of a held note.
func (s *Store) ReleaseNote(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `
		WITH released AS (
			UPDATE notes SET held_reason = NULL, held_since = NULL, `+requeueLater+` WHERE id = $1 AND held_reason IS NOT NULL
			RETURNING id
		)
		INSERT INTO note_steps (note_id, what) SELECT id, 'waits no longer' FROM released`, id)
	return err
}

// HeldNote is a live note that waits for an operator.
type HeldNote struct {
	ID             string         `db:"id" json:"id"`
	OrganizationID string         `db:"organization_id" json:"organization_id"`
	Reference      string         `db:"reference" json:"reference"`
	Status         nfse.Status    `db:"status" json:"status"`
	Since          nfse.Timestamp `db:"held_since" json:"since"`
	Reason         string         `db:"held_reason" json:"reason"`
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
