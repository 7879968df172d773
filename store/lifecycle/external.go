package lifecycle

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/notes"
	"emissor/store/postgres"
)

// externalPending holds for a note of which something is stored that happened outside
// and was not applied yet.
const externalPending = `EXISTS (SELECT FROM external_events o
	WHERE o.note_id = notes.id AND o.applied_at IS NULL AND o.problem IS NULL AND NOT (` + untilReplaced + `))`

// untilReplaced holds for an event o that waits for the end of its note's replacement, by which
// it is known whose it is: it says that the note was replaced, and a note of ours may have done so.
const untilReplaced = `o.effect = 'replaces' AND notes.replaced_by IS NOT NULL AND notes.status = 'issued'`

// pendingEvent is what applying an event needs of it.
type pendingEvent struct {
	ID          int64          `db:"id"`
	Effect      fiscal.Effect  `db:"effect"`
	ReasonCode  *string        `db:"reason_code"`
	ReasonText  *string        `db:"reason_text"`
	HappenedAt  nfse.Timestamp `db:"happened_at"`
	Replacement *string        `db:"replacement"`
	Digest      string         `db:"digest"`
	Content     []byte         `db:"content"`
}

// ApplyExternalEvent applies the next thing that happened to a note outside, in the
// authority's order, each once: its effect and that it was applied are one
// transaction. applied is false when nothing is left.
func (s *Store) ApplyExternalEvent(ctx context.Context, noteID string) (settled Settled, applied bool, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		settled, applied = Settled{}, false
		if settled.Note, err = lockedNote(ctx, tx, noteID); err != nil {
			return err
		}
		var event pendingEvent
		err := tx.GetContext(ctx, &event, `
			SELECT o.id, o.effect, o.reason_code, o.reason_text, o.happened_at, o.replacement, o.digest, o.content
			FROM external_events o JOIN notes ON notes.id = o.note_id
			WHERE o.note_id = $1 AND o.applied_at IS NULL AND o.problem IS NULL AND NOT (`+untilReplaced+`)
			ORDER BY o.id LIMIT 1 FOR NO KEY UPDATE OF o`, noteID)
		if err != nil {
			return postgres.NoRow(err, nil)
		}
		var outcome fact.Fact
		if settled, outcome, err = s.applyExternal(ctx, tx, settled, event); err != nil {
			return err
		}
		applied = true
		_, err = tx.ExecContext(ctx, `UPDATE external_events SET applied_at = now(), outcome = $2 WHERE id = $1`,
			event.ID, outcome)
		return err
	})
	return settled, applied && err == nil, err
}

func lockedNote(ctx context.Context, tx *sqlx.Tx, id string) (nfse.Note, error) {
	var row notes.Row
	err := tx.GetContext(ctx, &row, `SELECT `+notes.Columns+` FROM notes WHERE id = $1 FOR NO KEY UPDATE`, id)
	if err != nil {
		return nfse.Note{}, err
	}
	return row.Note()
}

// applyExternal applies an event to a locked note, and returns what it did.
func (s *Store) applyExternal(ctx context.Context, tx *sqlx.Tx, before Settled,
	event pendingEvent) (settled Settled, outcome fact.Fact, err error) {
	note := before.Note
	switch {
	case event.Effect == fiscal.EffectBlocksCancellation:
		return before, fact.EffectBlocksCancellation.Fact(), nil
	case event.Effect == fiscal.EffectUnblocksCancellation:
		return before, fact.EffectUnblocksCancellation.Fact(), nil
	case event.Effect == fiscal.EffectDeniesCancellation && note.Status == nfse.StatusIssued:
		settled, err = s.moveNote(ctx, tx, note.ID, deniedExternally(note, event))
		return settled, fact.EffectDeniesCancellation.Fact(), err
	case event.Effect != fiscal.EffectCancels && event.Effect != fiscal.EffectReplaces:
		return before, fact.EffectNone.Fact(), nil
	case note.Status != nfse.StatusIssued:
		outcome, err = s.confirms(ctx, tx, note, event)
		return before, outcome, err
	}
	ours := note.CancellationPending() && !note.BeingReplaced()
	if !ours && note.Cancellation != nil { // the cancellation was refused, and made all the same
		if ours, err = askedHere(ctx, tx, note.ID, event.Digest); err != nil {
			return before, fact.Fact{}, err
		}
	}
	outcome = fact.EffectCancels.Fact()
	if ours {
		outcome = fact.EffectCancelsAsAsked.Fact()
	}
	settled, err = s.moveNote(ctx, tx, note.ID, cancelledExternally(event, ours))
	return settled, outcome, err
}

// confirms is what an event does that comes after its note's end: it may confirm that another note
// has replaced it, as is known here.
func (s *Store) confirms(ctx context.Context, tx *sqlx.Tx, note nfse.Note, event pendingEvent) (fact.Fact, error) {
	tooLate := fact.EffectTooLate.With("status", note.Status)
	if event.Effect != fiscal.EffectReplaces || event.Replacement == nil || note.ReplacedBy == "" {
		return tooLate, nil
	}
	var reference string
	err := tx.GetContext(ctx, &reference, `SELECT reference FROM notes WHERE id = $1 AND access_key = $2`,
		note.ReplacedBy, *event.Replacement)
	if errors.Is(err, sql.ErrNoRows) {
		return tooLate, nil
	}
	return fact.EffectConfirmsReplacement.With("note", reference), err
}

// askedHere reports whether a message with the digest was signed for the note here.
func askedHere(ctx context.Context, tx *sqlx.Tx, noteID, digest string) (ours bool, err error) {
	err = tx.GetContext(ctx, &ours, `
		SELECT EXISTS (SELECT FROM fiscal_messages m JOIN fiscal_exchanges e ON e.id = m.exchange_id
			WHERE e.note_id = $1 AND e.kind = 'cancel' AND m.digest = $2 AND $2 <> '')`, noteID, digest)
	return ours, err
}

// cancelledExternally ends an issued note as cancelled, and an open exchange that asks for
// its cancellation as accepted. A cancellation that was asked for here stays the caller's,
// with its reason.
func cancelledExternally(event pendingEvent, ours bool) transition {
	const of = `CASE WHEN $2 THEN `
	if event.ReasonCode == nil {
		event.ReasonText = nil // without a code the text is no reason of a caller
	}
	return transition{nfse.EventCancelled, `
		WITH cancelled AS (
			UPDATE notes SET status = 'cancelled', cancelled_at = now(), updated_at = now(), ` + setReleased + `,
				cancellation_status = 'accepted', cancellation_resolved_at = now(), cancellation_refusal = NULL,
				analysis = NULL, analysis_since = NULL,
				cancellation_origin = ` + of + `cancellation_origin ELSE 'authority' END,
				cancellation_requested_at = ` + of + `cancellation_requested_at ELSE $3 END,
				cancellation_reason_code = ` + of + `cancellation_reason_code ELSE $4 END,
				cancellation_reason_text = ` + of + `cancellation_reason_text ELSE $5 END,
				cancellation_request_id = ` + of + `cancellation_request_id END,
				cancellation_api_key_id = ` + of + `cancellation_api_key_id END
			WHERE id = $1 AND status = 'issued'
			RETURNING *
		), ended AS (
			UPDATE fiscal_exchanges SET state = 'accepted', xml = $6, rejection = NULL, disposition = NULL,
				lease_token = NULL, lease_until = NULL, updated_at = now()
			WHERE note_id IN (SELECT id FROM cancelled) AND kind = 'cancel'
				AND state IN ('unsigned', 'signed', 'in_doubt')
		), answered AS (` + analysisAnswered(`cancelled`) + `)
		SELECT ` + notes.Columns + ` FROM cancelled`,
		[]any{ours, event.HappenedAt, event.ReasonCode, event.ReasonText, event.Content}}
}

// CancellationBlocked returns the reason of the authority's block by which a note cannot be
// cancelled. blocked is false where there is none, or it was lifted.
func (s *Store) CancellationBlocked(ctx context.Context, noteID string) (reason string, blocked bool, err error) {
	err = s.db.Get(ctx, &reason, `
		SELECT coalesce(o.reason_text, '') FROM external_events o
		WHERE o.note_id = $1 AND o.effect = 'blocks' AND o.applied_at IS NOT NULL
			AND NOT EXISTS (SELECT FROM external_events l
				WHERE l.note_id = $1 AND l.effect = 'unblocks' AND l.applied_at IS NOT NULL AND l.id > o.id)
		ORDER BY o.id DESC LIMIT 1`, noteID)
	return reason, err == nil, postgres.NoRow(err, nil)
}

// RefuseBlocked is RefuseCancellation for a cancellation of a blocked note of which
// nothing was sent: a message that is signed for it is not used. Once something was sent
// it changes nothing.
func (s *Store) RefuseBlocked(ctx context.Context, id, requestID string, refusal nfse.Refusal) (Settled, error) {
	return s.refuseCancellation(ctx, id, requestID, refusal, nothingSent)
}

// nothingSent holds for a note of which no request to cancel was sent for the last request.
const nothingSent = `NOT EXISTS (SELECT FROM fiscal_exchanges e
	WHERE e.note_id = $1 AND e.kind = 'cancel' AND e.request_id = $2
		AND (e.ambiguous OR e.state NOT IN ('unsigned', 'signed')))`
