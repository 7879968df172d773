package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/nfse"
)

// What follows is the way of a note that is queued and whose authority answers at once:
// three commits from queued to its end. Each leaves what the longer way, one step after
// the other, goes on from.

// QueuedNote reads a live note of which nothing was done yet, and the fiscal profile of
// its organization. ok is false when the note has moved on, or there is no profile.
func (s *Store) QueuedNote(ctx context.Context, id string) (live LiveNote, profile nfse.FiscalProfile, ok bool,
	err error) {
	var row struct {
		noteRow
		Confirm bool   `db:"confirm_municipal_operation"`
		Profile []byte `db:"profile"`
		Classes []byte `db:"classification"`
	}
	err = s.get(ctx, &row, `SELECT `+noteColumns+`, confirm_municipal_operation, classification,
			(SELECT profile FROM fiscal_profiles p WHERE p.organization_id = notes.organization_id) AS profile
		FROM notes WHERE id = $1 AND livemode AND status = 'queued'`, id)
	if errors.Is(err, sql.ErrNoRows) || err == nil && row.Profile == nil {
		return live, profile, false, nil
	}
	if err != nil {
		return live, profile, false, err
	}
	live.Scope = nfse.Scope{OrganizationID: row.OrganizationID, Livemode: true}
	live.ConfirmMunicipalOperation = row.Confirm
	if live.Classification, err = decodeClassification(row.Classes); err != nil {
		return live, profile, false, err
	}
	if live.Note, err = row.note(); err != nil {
		return live, profile, false, err
	}
	return live, profile, true, json.Unmarshal(row.Profile, &profile)
}

// TakeFirstNumber is TakeNumber for a note that is queued, and leases the exchange. It
// returns nil when the note has moved on.
func (s *Store) TakeFirstNumber(ctx context.Context, noteID string, profile nfse.FiscalProfile, greatest int64,
	lease Lease) (*Exchange, error) {
	id, number, err := s.takeNumber(ctx, noteID, profile, greatest, nfse.StatusQueued, &lease)
	if err != nil || id == 0 {
		return nil, err
	}
	return &Exchange{ID: id, NoteID: noteID, Profile: profile, Exchange: fiscal.Exchange{
		Kind: fiscal.Issue, State: fiscal.Unsigned, Series: profile.Series, Number: number,
	}}, nil
}

// SendFirst keeps the message of an exchange that TakeFirstNumber has made, and does what
// StartSending does: the note is in processing, and fenced. ok is false when the
// lease is lost or a cancellation came first; then nothing may be sent.
func (s *Store) SendFirst(ctx context.Context, e *Exchange, lease Lease,
	message fiscal.Message) (callID int64, ok bool, err error) {
	err = s.get(ctx, &callID, `
		WITH note AS (
			SELECT id FROM notes WHERE id = $2 AND status = 'queued' AND `+notCancelledFirst+`
			FOR NO KEY UPDATE
		), mine AS (
			SELECT id FROM fiscal_exchanges
			WHERE id = $1 AND state = 'unsigned' AND lease_token = $3 AND lease_until > clock_timestamp()
			AND EXISTS (SELECT FROM note)
			FOR NO KEY UPDATE
		), fenced AS (
			UPDATE notes SET status = 'processing', processing_at = now(), updated_at = now(), sent_at = now(),
				`+requeueLater+`
			WHERE id IN (SELECT id FROM note) AND EXISTS (SELECT FROM mine)
		), message AS (
			INSERT INTO fiscal_messages (exchange_id, message_id, layout, digest, xml, certificate_id)
			SELECT id, $4, $5, $6, $7, $8 FROM mine
		), sending AS (
			UPDATE fiscal_exchanges SET state = 'in_doubt', message_id = $4, ambiguous = true,
				ambiguous_since = clock_timestamp(), last_sent_at = clock_timestamp(), updated_at = now()
			WHERE id IN (SELECT id FROM mine)
			RETURNING note_id
		)
		INSERT INTO fiscal_calls (note_id, what) SELECT note_id, 'issue' FROM sending
		RETURNING id`, e.ID, e.NoteID, lease.Token,
		message.ID, message.Layout, message.Digest, message.XML, message.CertificateID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return callID, err == nil, err
}

// SettleDecision is SaveDecision for an issuance that the answer has ended, and settles
// its note in the same transaction. saved is false when another has taken the lease.
func (s *Store) SettleDecision(ctx context.Context, e *Exchange, lease Lease, callID int64, answer fiscal.Answer,
	decision fiscal.Decision) (settled Settled, saved bool, err error) {
	to := decidedMove(decision.Exchange)
	err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		saved, err = s.saveAnswer(ctx, tx, e, lease, callID, answer, decision)
		if err != nil || !saved {
			return err
		}
		if err := saveAlarm(ctx, tx, e.NoteID, decision.Alarm); err != nil {
			return err
		}
		settled, err = s.moveNote(ctx, tx, e.NoteID, to)
		return err
	})
	return settled, saved && err == nil, err
}

// decidedMove is how an ended issuance ends its note.
func decidedMove(e fiscal.Exchange) move {
	if e.State == fiscal.Rejected {
		return rejected(*e.Rejection)
	}
	return issued(e.Document.Authorization, e.Document.XML)
}
