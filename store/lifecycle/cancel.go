package lifecycle

import (
	"context"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/companies"
	"emissor/store/exchanges"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// learnTerm learns of a city's term from how it answered a request to cancel: the earliest
// refusal counts, until a later note is cancelled.
func learnTerm(ctx context.Context, tx *sqlx.Tx, e *exchanges.Exchange) (err error) {
	switch {
	case e.State == fiscal.Accepted:
		_, err = tx.ExecContext(ctx, `DELETE FROM city_cancellation_terms t USING (`+companies.AgeOfCancelled+`) cancelled
			WHERE (t.authority, t.production, t.municipality_code) = (cancelled.authority, cancelled.production,
				cancelled.municipality_code) AND t.refused_days <= cancelled.days`, e.ID)
	case e.State == fiscal.Rejected && e.Handling == fiscal.TermOver:
		_, err = tx.ExecContext(ctx, `
			INSERT INTO city_cancellation_terms AS t (authority, production, municipality_code, refused_days,
				refused_at)
			SELECT authority, production, municipality_code, days, now() FROM (`+companies.AgeOfCancelled+`) refused
			ON CONFLICT (authority, production, municipality_code) DO UPDATE SET refused_days = EXCLUDED.refused_days,
				refused_at = EXCLUDED.refused_at
			WHERE EXCLUDED.refused_days <= t.refused_days`, e.ID)
	}
	return err
}

// NewCancellation is a request to cancel a note.
type NewCancellation struct {
	Key        nfse.APIKey // without an id where a person asks: then only its scope counts
	RequestID  string
	ReasonCode string
	ReasonText string
}

// RequestCancellation records that a note is to be cancelled, with the outbox row that
// wakes up its workflow. started is false when an earlier, equal request is being handled
// or was accepted; note shows its outcome.
func (c *Changes) RequestCancellation(ctx context.Context, id string,
	request NewCancellation) (note nfse.Note, started bool, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		var row notes.Row
		err := tx.GetContext(ctx, &row, `SELECT `+notes.Columns+` FROM notes
			WHERE organization_id = $1 AND livemode = $2 AND id = $3 FOR NO KEY UPDATE`,
			request.Key.OrganizationID, request.Key.Livemode, id)
		if err != nil {
			return nil, postgres.NoRow(err, nfse.NotFound(nfse.CodeNoteNotFound, ""))
		}
		if note, err = row.Note(); err != nil {
			return nil, err
		}
		if started, err = note.Cancellable(request.ReasonCode, request.ReasonText); err != nil || !started {
			return nil, err
		}
		before := auditCancellation(note)
		note, err = requestCancellation(ctx, tx, id, request, c.UserID())
		return []audit.Record{audit.Record{Action: audit.NoteCancel, SubjectID: id,
			Before: before, After: auditCancellation(note)}.Of(request.Key.Scope)}, err
	})
	return note, started, err
}

// auditCancellation leaves out the reason's text, which may name somebody.
func auditCancellation(note nfse.Note) any {
	audited := map[string]any{"status": note.Status}
	if note.Cancellation != nil {
		audited["cancellation"] = note.Cancellation.Status
		audited["reason_code"] = note.Cancellation.ReasonCode
	}
	return audited
}

// The clock is read after the note was locked: the request may have waited for a
// settlement, and comes after it.
func requestCancellation(ctx context.Context, tx *sqlx.Tx, id string, request NewCancellation,
	userID *string) (nfse.Note, error) {
	var row notes.Row
	err := tx.GetContext(ctx, &row, `
		WITH requested AS (
			UPDATE notes SET cancellation_status = 'pending', cancellation_reason_code = $2,
				cancellation_reason_text = $3, cancellation_requested_at = clock_timestamp(),
				cancellation_resolved_at = NULL, cancellation_refusal = NULL, cancellation_request_id = $4,
				cancellation_api_key_id = nullif($5, ''), updated_at = clock_timestamp(), `+outbox.RequeueLater+`
			WHERE id = $1
			RETURNING *
		), wake_up AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, traceparent)
			SELECT 'cancellation', id, organization_id, livemode, reference, $8 FROM requested
			`+outbox.AskAgain+`
		), step AS (
			INSERT INTO note_steps (note_id, fact, api_key_id, request_id, user_id)
			SELECT id, $7::jsonb, nullif($5, ''), $4, $6 FROM requested
		)
		SELECT `+notes.Columns+` FROM requested`, id, request.ReasonCode, request.ReasonText, request.RequestID,
		request.Key.ID, userID, fact.CancellationRequested.With("reason", request.ReasonCode), trace.Parent(ctx))
	if err != nil {
		return nfse.Note{}, err
	}
	return row.Note()
}

// CancelUnsent ends a note whose cancellation came before anything was sent, or when it was certain that
// nothing of it exists.
func (s *Store) CancelUnsent(ctx context.Context, id string) (Settled, error) {
	return s.settle(ctx, id, transition{nfse.EventCancelled, `
		WITH cancelled AS (
			UPDATE notes SET status = 'cancelled', cancelled_at = now(), updated_at = now(), ` + setReleased + `,
				cancellation_status = 'accepted', cancellation_resolved_at = now()
			WHERE id = $1 AND status IN ('queued', 'processing') AND cancellation_status = 'pending'
				AND NOT ` + mayExist + `
			RETURNING *
		), nothing_to_start AS (
			DELETE FROM outbox WHERE kind = 'note' AND subject_id IN (SELECT id FROM cancelled)
		), unused AS (
			UPDATE fiscal_exchanges SET state = 'unused', updated_at = now()
			WHERE note_id IN (SELECT id FROM cancelled) AND kind = 'issue' AND state IN ('unsigned', 'signed')
		)
		SELECT ` + notes.Columns + ` FROM cancelled`, nil})
}

// CancellationToSettle reads an issued note, and which request to cancel it the
// authority is to be asked about.
func (s *Store) CancellationToSettle(ctx context.Context, id string) (note nfse.Note, requestID string, err error) {
	var row struct {
		notes.Row
		CancellationRequestID string `db:"cancellation_request_id"`
	}
	if err := s.db.GetContext(ctx, &row, `SELECT `+notes.Columns+`,
		coalesce(cancellation_request_id, '') AS cancellation_request_id
		FROM notes WHERE id = $1`, id); err != nil {
		return nfse.Note{}, "", err
	}
	note, err = row.Note()
	return note, row.CancellationRequestID, err
}

// AcceptCancellation ends an issued note that the authority has cancelled at
// this request.
func (s *Store) AcceptCancellation(ctx context.Context, id, requestID string) (Settled, error) {
	return s.settle(ctx, id, cancelled(requestID))
}

func cancelled(requestID string) transition {
	return transition{nfse.EventCancelled, `
		UPDATE notes SET status = 'cancelled', cancelled_at = now(), updated_at = now(), ` + setReleased + `,
			cancellation_status = 'accepted', cancellation_resolved_at = now()
		WHERE id = $1 AND status = 'issued' AND cancellation_status = 'pending' AND cancellation_request_id = $2
		RETURNING ` + notes.Columns, []any{requestID}}
}

// RefuseCancellation records that the authority did not cancel at this request.
// The note stays issued, and no event tells of it.
func (s *Store) RefuseCancellation(ctx context.Context, id, requestID string, refusal nfse.Refusal) (Settled, error) {
	return s.refuseCancellation(ctx, id, requestID, refusal, `true`)
}

func (s *Store) refuseCancellation(ctx context.Context, id, requestID string, refusal nfse.Refusal,
	condition string) (Settled, error) {
	return s.settle(ctx, id, cancellationRefused(requestID, refusal, condition))
}

// cancellationRefused ends the request to cancel, or for an analysis, as refused where a
// condition on its note holds. An exchange of it that was never sent becomes unused.
func cancellationRefused(requestID string, refusal nfse.Refusal, condition string) transition {
	return transition{"", `
		WITH refused AS (
			UPDATE notes SET updated_at = now(), ` + setReleased + `,
				cancellation_status = 'refused', cancellation_resolved_at = now(), cancellation_refusal = $3,
				analysis = CASE analysis WHEN 'denied' THEN analysis END,
				analysis_since = CASE analysis WHEN 'denied' THEN analysis_since END
			WHERE id = $1 AND status = 'issued' AND cancellation_status = 'pending' AND cancellation_request_id = $2
				AND ` + condition + `
			RETURNING *
		), step AS (
			INSERT INTO note_steps (note_id, fact) SELECT id, $4::jsonb FROM refused
		), unused AS (
			UPDATE fiscal_exchanges SET state = 'unused', lease_token = NULL, lease_until = NULL, updated_at = now()
			WHERE note_id IN (SELECT id FROM refused) AND kind <> 'issue' AND request_id = $2
				AND NOT ambiguous AND state IN ('unsigned', 'signed')
		)
		SELECT ` + notes.Columns + ` FROM refused`, []any{requestID, refusal,
		fact.CancellationRefused.With("code", refusal.Code)}}
}
