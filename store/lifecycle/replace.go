package lifecycle

import (
	"context"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/exchanges"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// Replaceable is an issued live note as it was declared, from which one is made that replaces
// it.
type Replaceable struct {
	LiveNote
	Defaults nfse.Defaults      // by which it was issued
	IssuedBy nfse.FiscalProfile // by which it was issued
	Events   []string           // types of the authority's events about it that are on record
}

// Replaceable reads a live note of the scope for its replacement. One that has no document is
// nfse_not_cancellable.
func (s *Store) Replaceable(ctx context.Context, scope nfse.Scope, noteID string) (note Replaceable, err error) {
	if _, err := notes.New(s.db).Note(ctx, scope, noteID); err != nil {
		return note, err
	}
	if !scope.Livemode {
		return note, errNotReplaceable
	}
	e, err := exchanges.New(s.db).Exchange(ctx, noteID, fiscal.Issue)
	if err != nil {
		return note, err
	}
	if e == nil || e.State != fiscal.Accepted {
		return note, errNotReplaceable
	}
	if note.LiveNote, err = s.LiveNote(ctx, noteID, fiscal.Issue); err != nil {
		return note, err
	}
	note.Exchange, note.IssuedBy = e, e.Profile
	var row struct {
		nfse.Defaults
		Events pq.StringArray `db:"events"`
	}
	err = s.db.Get(ctx, &row, `SELECT email_customer, register_ledger, confirm_municipal_operation,
			ARRAY(SELECT DISTINCT o.type FROM external_events o
				WHERE o.note_id = $1 AND o.type IS NOT NULL AND o.problem IS NULL) AS events
		FROM notes WHERE id = $1`, noteID)
	note.Defaults, note.Events = row.Defaults, row.Events
	return note, err
}

var (
	errNotReplaceable = nfse.NewError(nfse.CodeNoteNotCancellable, "note",
		"only a live note that was issued is replaced")
	errBeingReplaced = nfse.Unavailable(nfse.CodeCancellationInProgress, "",
		"another note is on its way to replace this one; its end decides")
)

// MayBeReplaced is an error for a note that may not be replaced now.
func MayBeReplaced(note nfse.Note) error {
	switch {
	case note.Status == nfse.StatusCancelled:
		return nfse.NewError(nfse.CodeNoteAlreadyCancelled, "note", "the note is cancelled already")
	case note.Status != nfse.StatusIssued || !note.Livemode || note.Authority == nil || note.Authority.AccessKey == nil:
		return errNotReplaceable
	case note.BeingReplaced():
		return errBeingReplaced
	case note.CancellationPending():
		return nfse.Unavailable(nfse.CodeCancellationInProgress, "",
			"a cancellation of this note is on its way; its outcome decides")
	}
	return nil
}

// Replace accepts a note that replaces another (Details.Replaces), and in the same transaction
// records on that one that it is being replaced: until the new note has ended nothing else is
// taken that would cancel it. Where the reference names this very replacement already, created
// is false.
func (c *Changes) Replace(ctx context.Context, note NewNote) (accepted Acceptance, created bool, err error) {
	note.userID = c.UserID()
	replaces, scope := *note.Details.Replaces, note.Key.Scope
	if _, err := notes.New(c.store.db).Note(ctx, scope, replaces.NoteID); err != nil {
		return accepted, false, err
	}
	err = postgres.RetriedDeadlock(ctx, func() error {
		accepted, created, err = c.store.accept(ctx, note, func(tx *sqlx.Tx, accepted Acceptance) error {
			if err := markReplaced(ctx, tx, note, replaces, accepted.ID); err != nil {
				return err
			}
			return c.Record(ctx, tx, []audit.Record{
				audit.Record{Action: audit.NoteIssue, SubjectID: accepted.ID, After: map[string]any{
					"status": accepted.Status, "amount_cents": note.AmountCents, "service_id": note.Service.ID,
				}}.Of(scope),
				audit.Record{Action: audit.NoteReplace, SubjectID: replaces.NoteID, After: map[string]any{
					"replaced_by": accepted.ID, "reason_code": replaces.ReasonCode,
				}}.Of(scope),
			})
		})
		return err
	})
	if err != nil || created {
		return accepted, created, err
	}
	return accepted, false, c.store.SameReplacement(ctx, scope, accepted, replaces)
}

// SameReplacement is idempotency_conflict where a note that a reference names does not replace
// the note that is to be replaced.
func (s *Store) SameReplacement(ctx context.Context, scope nfse.Scope, known Acceptance, replaces nfse.Replaced) error {
	note, err := notes.New(s.db).Note(ctx, scope, known.ID)
	if err == nil && note.Replaces != replaces.NoteID {
		err = nfse.NewError(nfse.CodeIdempotencyConflict, "reference",
			"this reference already names the note %s, which does not replace this one", known.ID)
	}
	return err
}

// markReplaced records on a note that another is to replace it, if it may be.
func markReplaced(ctx context.Context, tx *sqlx.Tx, note NewNote, replaces nfse.Replaced, by string) error {
	var row notes.Row
	err := tx.GetContext(ctx, &row, `SELECT `+notes.Columns+` FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND id = $3 FOR NO KEY UPDATE`,
		note.Key.OrganizationID, note.Key.Livemode, replaces.NoteID)
	if err != nil {
		return postgres.NoRow(err, nfse.NotFound(nfse.CodeNoteNotFound, ""))
	}
	original, err := row.Note()
	if err != nil {
		return err
	}
	if err := MayBeReplaced(original); err != nil {
		return err
	}
	var text *string
	if replaces.ReasonText != "" {
		text = &replaces.ReasonText
	}
	_, err = tx.ExecContext(ctx, `
		WITH replaced AS (
			UPDATE notes SET replaced_by = $2, replacement_text = $3, replacement_at = clock_timestamp(),
				updated_at = clock_timestamp()
			WHERE id = $1
			RETURNING id
		)
		INSERT INTO note_steps (note_id, fact, request_id, user_id)
		SELECT id, $4::jsonb, $6, $7 FROM replaced
		UNION ALL SELECT $2, $5::jsonb, NULL, NULL`, original.ID, by, text,
		fact.ReplacementRequested.With("note", note.Reference, "reason", replaces.ReasonCode),
		fact.Replaces.With("note", original.Reference, "reason", replaces.ReasonCode), note.RequestID, note.userID)
	return err
}

// afterReplacement is what the end of a note means to the one that it was to replace, in the
// same transaction: issued, it has replaced it; ended otherwise, the other stays as it is. Where
// the other was cancelled outside meanwhile it stays cancelled.
func (s *Store) afterReplacement(ctx context.Context, tx *sqlx.Tx, settled Settled) (Settled, error) {
	note := settled.Note
	if note.Status != nfse.StatusIssued {
		if note.IssuedAt != nil { // it had replaced the other, which does not come back
			return settled, nil
		}
		return settled, keepUnreplaced(ctx, tx, note)
	}
	original, err := s.moveNote(ctx, tx, note.Replaces, replacedBy(note))
	if err == nil && original.Changed {
		settled.Replaced = &original.Note
		settled.Deliveries = slices.Concat(settled.Deliveries, original.Deliveries)
	}
	return settled, err
}

// replacedBy ends a note that another has replaced as cancelled, as the caller asked for.
func replacedBy(by nfse.Note) transition {
	return transition{nfse.EventCancelled, `
		WITH cancelled AS (
			UPDATE notes SET status = 'cancelled', cancelled_at = now(), updated_at = now(), ` + setReleased + `,
				cancellation_status = 'accepted', cancellation_origin = 'caller', cancellation_reason_code = NULL,
				cancellation_reason_text = replacement_text, cancellation_requested_at = replacement_at,
				cancellation_resolved_at = now(), cancellation_refusal = NULL, cancellation_request_id = NULL,
				cancellation_api_key_id = NULL, analysis = NULL, analysis_since = NULL
			WHERE id = $1 AND status = 'issued' AND replaced_by = $2
			RETURNING *
		), step AS (
			INSERT INTO note_steps (note_id, fact) SELECT id, $3::jsonb FROM cancelled
		), confirmed AS ( -- by its event, which is asked for where it is not distributed
			UPDATE fiscal_exchanges SET poll_standing_at = now() + ` + AwaitedEvery + `
			WHERE note_id = (SELECT replaced_by FROM cancelled) AND kind = 'issue' AND state = 'accepted'
		), wake_up AS (` + wakeUpToApply(`cancelled`) + `)
		SELECT ` + notes.Columns + ` FROM cancelled`, []any{by.ID, fact.Replaced.With("note", by.Reference)}}
}

// keepUnreplaced ends the wait of a note that is not replaced.
func keepUnreplaced(ctx context.Context, tx *sqlx.Tx, by nfse.Note) error {
	_, err := tx.ExecContext(ctx, `
		WITH kept AS (
			UPDATE notes SET replaced_by = NULL, replacement_text = NULL, replacement_at = NULL, updated_at = now()
			WHERE id = $1 AND replaced_by = $2
			RETURNING *
		), wake_up AS (`+wakeUpToApply(`kept`)+`)
		INSERT INTO note_steps (note_id, fact) SELECT id, $3::jsonb FROM kept`, by.Replaces, by.ID,
		fact.NotReplaced.With("note", by.Reference, "status", by.Status))
	return err
}

// wakeUpToApply wakes up the run of each of some notes of which something is to be applied that
// has waited for the end of a replacement.
func wakeUpToApply(notes string) string {
	return `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'resume', n.id, n.organization_id, n.livemode, n.reference FROM ` + notes + ` n
		WHERE EXISTS (SELECT FROM external_events o
			WHERE o.note_id = n.id AND o.applied_at IS NULL AND o.problem IS NULL) ` + outbox.AskAgain
}

// LinkedNote is a note as one that it belongs to names it.
type LinkedNote struct {
	ID        string      `db:"id" json:"id"`
	Reference string      `db:"reference" json:"reference"`
	Status    nfse.Status `db:"status" json:"status"`
}

// LinkedNotes reads the notes of the scope that some notes replace, or are replaced by, by id.
func (s *Store) LinkedNotes(ctx context.Context, scope nfse.Scope, notes ...nfse.Note) (map[string]LinkedNote,
	error) {
	var ids []string
	for _, note := range notes {
		for _, id := range []string{note.Replaces, note.ReplacedBy} {
			if id != "" {
				ids = append(ids, id)
			}
		}
	}
	linked := map[string]LinkedNote{}
	if ids == nil {
		return linked, nil
	}
	var rows []LinkedNote
	err := s.db.All(ctx, &rows, `SELECT id, reference, status FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND id = ANY($3)`, scope.OrganizationID, scope.Livemode,
		pq.Array(ids))
	for _, row := range rows {
		linked[row.ID] = row
	}
	return linked, err
}
