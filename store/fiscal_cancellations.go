package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
)

// FiscalCancellation is a request to cancel as it goes to the authority.
type FiscalCancellation struct {
	ID            int64         `db:"id"`
	NoteID        string        `db:"note_id"`
	RequestID     string        `db:"request_id"` // of the API's request
	State         string        `db:"state"`      // ready, asking, cancelled, refused
	EventID       string        `db:"event_id"`
	Layout        string        `db:"layout"`
	Digest        string        `db:"digest"`
	XML           []byte        `db:"xml"`
	CertificateID string        `db:"certificate_id"`
	Doubtful      bool          `db:"doubtful"`
	SinceSent     time.Duration `db:"since_sent"` // by the database's clock
	Treatment     string        `db:"refusal_treatment"`

	Refusal *nfse.Refusal
}

const fiscalCancellationColumns = `id, note_id, request_id, state, event_id, layout, digest, xml, certificate_id, doubtful,
	coalesce(extract(epoch FROM clock_timestamp() - last_sent_at) * 1000000000, 0)::bigint AS since_sent,
	coalesce(refusal_treatment, '') AS refusal_treatment, refusal`

// SaveCancellationRendering keeps a signed request to cancel before it is sent.
// One that is kept already stays, unless it is to be made anew.
func (s *Store) SaveCancellationRendering(ctx context.Context, c FiscalCancellation) error {
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO fiscal_cancellations (note_id, request_id, event_id, layout, digest, xml, certificate_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (note_id, request_id) DO UPDATE SET state = 'ready', event_id = EXCLUDED.event_id, layout = EXCLUDED.layout,
			digest = EXCLUDED.digest, xml = EXCLUDED.xml, certificate_id = EXCLUDED.certificate_id,
			refusal = NULL, refusal_treatment = NULL, updated_at = now()
			WHERE fiscal_cancellations.state = 'numbered'`,
		c.NoteID, c.RequestID, c.EventID, c.Layout, c.Digest, c.XML, c.CertificateID)
	return err
}

// LeaseCancellation gives the lease of a request to one sender. found is false
// while none is rendered; ok while another holds the lease or it is settled.
func (s *Store) LeaseCancellation(ctx context.Context, noteID, requestID string, lease Lease) (c FiscalCancellation, found, ok bool, err error) {
	var row struct {
		FiscalCancellation
		Refusal []byte `db:"refusal"`
		Leased  bool   `db:"leased"`
	}
	err = s.db.GetContext(ctx, &row, `
		WITH leased AS (
			UPDATE fiscal_cancellations SET lease_token = $3, lease_until = clock_timestamp() + make_interval(secs => $4)
			WHERE note_id = $1 AND request_id = $2 AND state IN ('ready', 'asking')
				AND (lease_token IS NULL OR lease_token = $3 OR lease_until <= clock_timestamp())
			RETURNING id
		)
		SELECT `+fiscalCancellationColumns+`, EXISTS (SELECT FROM leased) AS leased
		FROM fiscal_cancellations WHERE note_id = $1 AND request_id = $2`, noteID, requestID, lease.Token, lease.For.Seconds())
	if errors.Is(err, sql.ErrNoRows) {
		return FiscalCancellation{}, false, false, nil
	}
	if err != nil {
		return FiscalCancellation{}, false, false, err
	}
	c = row.FiscalCancellation
	if row.Refusal != nil {
		err = json.Unmarshal(row.Refusal, &c.Refusal)
	}
	return c, true, row.Leased, err
}

// StartCancelling records, before the first byte leaves, that the cancellation
// may exist from now on.
func (s *Store) StartCancelling(ctx context.Context, c FiscalCancellation, lease Lease) (callID int64, ok bool, err error) {
	err = s.db.GetContext(ctx, &callID, `
		WITH cancellation AS (
			UPDATE fiscal_cancellations SET state = 'asking', doubtful = true, doubtful_since = coalesce(doubtful_since, clock_timestamp()), refusal = NULL, refusal_treatment = NULL,
				last_sent_at = clock_timestamp(), updated_at = now()
			WHERE id = $1 AND state = 'ready' AND lease_token = $2 AND lease_until > clock_timestamp()
			RETURNING note_id
		)
		INSERT INTO fiscal_calls (note_id, what) SELECT note_id, 'cancel' FROM cancellation
		RETURNING id`, c.ID, lease.Token)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return callID, err == nil, err
}

// CancellationProgress is what an answer made of a request to cancel.
type CancellationProgress struct {
	State     string
	Doubtful  bool
	Refusal   *nfse.Refusal
	Treatment string
	EventXML  []byte
	Alarm     string
}

// SaveCancellationProgress ends a call and stores what it made of the request, if
// the lease is still held.
func (s *Store) SaveCancellationProgress(ctx context.Context, c FiscalCancellation, lease Lease, call Call, progress CancellationProgress) (ok bool, err error) {
	var refusal *string
	if progress.Refusal != nil {
		words, err := nfse.Marshal(progress.Refusal)
		if err != nil {
			return false, err
		}
		text := string(words)
		refusal = &text
	}
	err = s.inTransaction(ctx, func(tx *sqlx.Tx) error {
		if err := endCall(ctx, tx, call); err != nil {
			return err
		}
		saved, err := affected(tx.ExecContext(ctx, `
			UPDATE fiscal_cancellations SET state = $3, doubtful = $4, doubtful_since = CASE WHEN $4 THEN doubtful_since END, refusal = $5, refusal_treatment = nullif($6, ''), event_xml = $7, updated_at = now()
			WHERE id = $1 AND lease_token = $2 AND lease_until > clock_timestamp() AND state IN ('ready', 'asking')`,
			c.ID, lease.Token, progress.State, progress.Doubtful, refusal, progress.Treatment, progress.EventXML))
		if ok = saved > 0; err != nil || !ok {
			return err
		}
		return alarm(ctx, tx, c.NoteID, progress.Alarm)
	})
	return ok && err == nil, err
}

// ReleaseCancellation gives the lease back.
func (s *Store) ReleaseCancellation(ctx context.Context, noteID, requestID string, lease Lease) error {
	_, err := s.db.ExecContext(ctx, `UPDATE fiscal_cancellations SET lease_token = NULL, lease_until = NULL
		WHERE note_id = $1 AND request_id = $2 AND lease_token = $3`, noteID, requestID, lease.Token)
	return err
}
