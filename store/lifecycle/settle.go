package lifecycle

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/notes"
	"emissor/store/postgres"
	"emissor/store/webhooks"
)

// NoteToSettle reads a note, and its sandbox scenario, for the step that ends
// it.
func (s *Store) NoteToSettle(ctx context.Context, id string) (nfse.Note, nfse.Scenario, error) {
	var row struct {
		notes.Row
		Scenario nfse.Scenario `db:"scenario"`
	}
	err := s.db.Get(ctx, &row, `SELECT `+notes.Columns+`, coalesce(scenario, '') AS scenario
		FROM notes WHERE id = $1`, id)
	if err != nil {
		return nfse.Note{}, "", err
	}
	note, err := row.Note()
	return note, row.Scenario, err
}

// Settled is how a note ended.
type Settled struct {
	Note           nfse.Note
	OrganizationID string
	RequestID      string // of the request that created the note
	Changed        bool   // this call changed its state; false when an earlier one had
	Ended          bool   // and the note reached a final state by that
	// Deliveries of its event, and of Replaced; the caller makes their first attempts.
	Deliveries []string
	Replaced   *nfse.Note // that it has replaced, and which is cancelled by that; nil for none
}

// notCancelledFirst is the fence of settling: a note that is to be cancelled, and of which
// nothing was sent, ends only as cancelled.
const notCancelledFirst = `(cancellation_status IS DISTINCT FROM 'pending' OR ` + mayExist + `)`

// mayExist holds for a note whose document may exist: it was sent, or was refused and then found.
const mayExist = `(sent_at IS NOT NULL OR EXISTS (SELECT FROM fiscal_exchanges
	WHERE note_id = notes.id AND kind = 'issue' AND state IN ('in_doubt', 'accepted')))`

// setSettled is what changes in every note that ends; its processing may begin only with that.
// The hash of the request stays with its reference alone.
const setSettled = `updated_at = now(), processing_at = coalesce(processing_at, now()),
	payload_hash = '', ` + setReleased

// SettleIssued ends a note on its way as issued, with its document and its
// event, in one transaction.
func (s *Store) SettleIssued(ctx context.Context, id string, authority nfse.Authorization,
	xml []byte) (Settled, error) {
	document, err := s.toStore(ctx, xml)
	if err != nil {
		return Settled{}, err
	}
	return s.settle(ctx, id, issued(authority, document))
}

// SettleRejected ends a note on its way as rejected, with its event, in one
// transaction: before a number was taken for it, or after the authority has rejected
// it. A cancellation that was waiting for the outcome is not needed.
func (s *Store) SettleRejected(ctx context.Context, id string, rejection nfse.Rejection) (Settled, error) {
	return s.settle(ctx, id, rejected(rejection))
}

// transition is a change of a note's state, by a statement that expects the state before. Its
// first parameter is the note.
type transition struct {
	event     nfse.EventType // of the note as the statement left it; empty for none
	statement string
	args      []any
}

// documentToStore is the document of a note as it is stored.
type documentToStore struct {
	stored   []byte // packed
	digest   []byte // SHA-256 of the plain bytes
	exchange int64  // of the message that it embeds; 0 for none
	embedded string // the digest of that message; empty where it embeds none, or all messages are kept
}

// toStore makes what is stored of a document. It may read the database, so it comes before a transaction.
func (s *Store) toStore(ctx context.Context, xml []byte) (documentToStore, error) {
	stored, err := s.db.Pack(ctx, xml)
	digest := sha256.Sum256(xml)
	return documentToStore{stored: stored, digest: digest[:]}, err
}

func issued(authority nfse.Authorization, document documentToStore) transition {
	return transition{nfse.EventIssued, `
		WITH settled AS (
			UPDATE notes SET status = 'issued', issued_at = now(), ` + setSettled + `,
				authority_number = $2, verification_code = $3, access_key = $4, authority_issued_at = $5,
				authority_totals = $7
			WHERE id = $1 AND (status = 'processing' OR status = 'queued' AND NOT livemode)
				AND ` + notCancelledFirst + `
			RETURNING *
		), document AS (
			INSERT INTO note_documents (note_id, xml, digest) SELECT id, $6, $8 FROM settled
		), message AS (
			UPDATE fiscal_messages SET xml = '', embedded = true
			WHERE exchange_id = $9 AND digest = $10 AND $10 <> '' AND EXISTS (SELECT FROM settled)
		)
		SELECT ` + notes.Columns + ` FROM settled`,
		[]any{authority.Number, authority.VerificationCode, authority.AccessKey, authority.IssuedAt,
			document.stored, authority.Totals, document.digest, document.exchange, document.embedded}}
}

func rejected(rejection nfse.Rejection) transition {
	return transition{nfse.EventRejected, `
		UPDATE notes SET status = 'rejected', rejected_at = now(), ` + setSettled + `, rejection = $2,
			cancellation_status = CASE WHEN cancellation_status = 'pending' THEN 'not_needed'
			ELSE cancellation_status END,
			cancellation_resolved_at = CASE WHEN cancellation_status = 'pending' THEN now()
			ELSE cancellation_resolved_at END
		WHERE id = $1 AND status IN ('queued', 'processing') AND ` + notCancelledFirst + `
			AND NOT EXISTS (SELECT FROM fiscal_exchanges e
				WHERE e.note_id = $1 AND e.kind = 'issue' AND e.state NOT IN ('number_conflict', 'unused', 'spent',
					'rejected'))
		RETURNING ` + notes.Columns, []any{rejection}}
}

// settle makes a move once. Repeated, it returns the note as it is.
func (s *Store) settle(ctx context.Context, id string, to transition) (settled Settled, err error) {
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		settled, err = s.moveNote(ctx, tx, id, to)
		return err
	})
	return settled, err
}

// moveNote is settle within a transaction.
func (s *Store) moveNote(ctx context.Context, tx *sqlx.Tx, id string, to transition) (settled Settled, err error) {
	var row notes.Row
	err = s.db.Within(ctx, tx, to.statement).GetContext(ctx, &row, append([]any{id}, to.args...)...)
	if errors.Is(err, sql.ErrNoRows) {
		settled.Note, err = noteThatMovedOn(ctx, tx, id)
		return settled, err
	}
	if err != nil {
		return settled, err
	}
	note, err := row.Note()
	if err != nil {
		return settled, err
	}
	settled = Settled{Note: note, OrganizationID: row.OrganizationID, RequestID: row.RequestID, Changed: true,
		Ended: to.event != ""}
	if to.event == "" {
		return settled, nil
	}
	if row.WasRefused {
		if err := s.releaseSiblings(ctx, tx, id); err != nil {
			return settled, err
		}
	}
	settled.Deliveries, err = s.emitEvent(ctx, tx, row, to.event, note)
	if err == nil && row.Livemode {
		err = s.noteEnded(ctx, tx, to.event, note)
	}
	if err == nil && note.Replaces != "" {
		return s.afterReplacement(ctx, tx, settled)
	}
	return settled, err
}

// noteThatMovedOn reads a note that was not in the state that a step expected, as the step
// was done before or the note is to be cancelled first. Anything else is a bug.
func noteThatMovedOn(ctx context.Context, tx *sqlx.Tx, id string) (nfse.Note, error) {
	var row notes.Row
	if err := tx.GetContext(ctx, &row, `SELECT `+notes.Columns+` FROM notes WHERE id = $1`, id); err != nil {
		return nfse.Note{}, err
	}
	if !row.Status.Terminal() && row.Cancellation.Status == nil {
		return nfse.Note{}, fmt.Errorf("store: note %s is %s and cannot be settled", id, row.Status)
	}
	return row.Note()
}

// insertEvent stores an event, and returns the endpoints that want it.
const insertEvent = `
	WITH event AS (
		INSERT INTO events (id, organization_id, livemode, note_id, type, payload, payload_digest, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
	)
	SELECT id, listener_key_id IS NOT NULL AS listens FROM webhook_endpoints
	WHERE organization_id = $2 AND livemode = $3 AND deleted_at IS NULL AND (events = '{}' OR $5 = ANY(events))
		AND (listens_until IS NULL OR listens_until > now())
	ORDER BY id`

// emitEvent stores the event of a note's end, makes its deliveries and returns their ids.
func (s *Store) emitEvent(ctx context.Context, tx *sqlx.Tx, row notes.Row, eventType nfse.EventType,
	note nfse.Note) (deliveries []string, err error) {
	event, err := nfse.NewEvent(eventType, note, note.UpdatedAt)
	if err != nil {
		return nil, err
	}
	stored, err := postgres.PackEvent(event.Payload)
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(event.Payload)
	var endpoints []webhooks.EventTarget
	err = s.db.Within(ctx, tx, insertEvent).SelectContext(ctx, &endpoints, event.ID, row.OrganizationID, row.Livemode,
		note.ID, event.Type, stored, digest[:], event.CreatedAt)
	if err != nil || len(endpoints) == 0 {
		return nil, err
	}
	scope := nfse.Scope{OrganizationID: row.OrganizationID, Livemode: row.Livemode}
	return webhooks.New(s.db).Enqueue(ctx, tx, scope, event.ID, endpoints)
}
