package lifecycle

import (
	"context"
	"strings"

	"github.com/jmoiron/sqlx"

	"emissor/fiscal"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// analysable holds for a note whose city has refused to cancel it and may be asked for an
// analysis: it never was, unless nothing came of the request for another reason than an event
// on record. A note has one analysis, ever.
var analysable = `status = 'issued' AND livemode AND cancellation_status = 'refused' AND analysis IS NULL
	AND replaced_by IS NULL
	AND (SELECT e.state = 'rejected' AND e.disposition IN ('` + strings.Join(fiscal.AnalysableHandlings(), `', '`) +
	`')
		FROM fiscal_exchanges e WHERE e.note_id = notes.id AND e.kind = 'cancel' ORDER BY e.id DESC LIMIT 1)
	AND NOT EXISTS (SELECT FROM fiscal_exchanges e WHERE e.note_id = notes.id AND e.kind = 'analysis'
		AND (e.state NOT IN ('rejected', 'unused') OR e.disposition = 'needs_confirmation'))`

// Analysable reports whether the city may be asked for an analysis of a note's cancellation,
// which it has refused.
func (s *Store) Analysable(ctx context.Context, scope nfse.Scope, noteID string) (is bool, err error) {
	err = s.db.Get(ctx, &is, `SELECT EXISTS (SELECT FROM notes
		WHERE organization_id = $1 AND livemode = $2 AND id = $3 AND `+analysable+`)`,
		scope.OrganizationID, scope.Livemode, noteID)
	return is, err
}

// RequestAnalysis records that the city is to be asked for an analysis of a note's
// cancellation, with its reasons, and wakes up the note's workflow. A note whose analysis is
// on its way, or with the city, stays as it is: started is false.
func (c *Changes) RequestAnalysis(ctx context.Context, scope nfse.Scope, noteID,
	requestID string) (note nfse.Note, started bool, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		var row notes.Row
		err := tx.GetContext(ctx, &row, `SELECT `+notes.Columns+` FROM notes
			WHERE organization_id = $1 AND livemode = $2 AND id = $3 FOR NO KEY UPDATE`,
			scope.OrganizationID, scope.Livemode, noteID)
		if err != nil {
			return nil, postgres.NoRow(err, nfse.NotFound(nfse.CodeNoteNotFound, ""))
		}
		if note, err = row.Note(); err != nil || note.AnalysisAsked() || note.CityDecides() {
			return nil, err
		}
		if note.BeingReplaced() {
			return nil, errBeingReplaced
		}
		before := auditCancellation(note)
		note, started, err = requestAnalysis(ctx, tx, noteID, requestID, c.UserID(), fact.AnalysisRequested.Fact(),
			`true`)
		if err == nil && !started {
			err = nfse.Invalid("note", "has no refusal of its city that an analysis could change")
		}
		return []audit.Record{audit.Record{Action: audit.NoteAnalysis, SubjectID: noteID, Before: before,
			After: auditCancellation(note)}.Of(scope)}, err
	})
	return note, started, err
}

// requestAnalysis makes a refused cancellation pending again where that is allowed, and a
// condition on its note holds.
func requestAnalysis(ctx context.Context, tx *sqlx.Tx, noteID, requestID string, userID *string, step fact.Fact,
	condition string) (note nfse.Note, started bool, err error) {
	var row notes.Row
	err = tx.GetContext(ctx, &row, `
		WITH asked AS (
			UPDATE notes SET cancellation_status = 'pending', cancellation_resolved_at = NULL,
				cancellation_refusal = NULL, cancellation_request_id = $2, analysis = 'asked',
				analysis_since = clock_timestamp(), updated_at = clock_timestamp(), `+outbox.RequeueLater+`
			WHERE id = $1 AND `+analysable+` AND `+condition+`
			RETURNING *
		), wake_up AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference, traceparent)
			SELECT 'cancellation', id, organization_id, livemode, reference, $5 FROM asked
			`+outbox.AskAgain+`
		), step AS (
			INSERT INTO note_steps (note_id, fact, request_id, user_id) SELECT id, $3::jsonb, $2, $4 FROM asked
		)
		SELECT `+notes.Columns+` FROM asked`, noteID, requestID, step, userID,
		trace.Parent(ctx))
	if err != nil {
		return note, false, postgres.NoRow(err, nil)
	}
	note, err = row.Note()
	return note, true, err
}

// asksAtOnce holds for a note of a company that has analyses asked for without a person.
const asksAtOnce = `EXISTS (SELECT FROM fiscal_profiles p WHERE p.organization_id = notes.organization_id
	AND p.profile ->> 'cancellation_analysis' = '` + string(nfse.RequestAnalysis) + `')`

// AwaitedEvery is how often an awaited event is asked for, beside what is distributed.
const AwaitedEvery = `interval '1 day'`

// analysisPending records that the city has the request of analysis.
func analysisPending(requestID string) transition {
	return transition{"", `
		WITH pending AS (
			UPDATE notes SET analysis = 'pending', analysis_since = now(), updated_at = now(), ` + setReleased + `
			WHERE id = $1 AND status = 'issued' AND analysis = 'asked' AND cancellation_request_id = $2
			RETURNING *
		), step AS (
			INSERT INTO note_steps (note_id, fact) SELECT id, $3::jsonb FROM pending
		), asked_for AS (
			UPDATE fiscal_exchanges SET poll_standing_at = now() + ` + AwaitedEvery + `
			WHERE note_id IN (SELECT id FROM pending) AND kind = 'analysis' AND request_id = $2
		)
		SELECT ` + notes.Columns + ` FROM pending`, []any{requestID, fact.AnalysisPending.Fact()}}
}

// deniedExternally records that the city has denied the cancellation of an issued note. A
// request that waits for it is refused in the city's words; the note stays issued, and no
// event tells of it.
func deniedExternally(note nfse.Note, event pendingEvent) transition {
	refusal := fiscal.Denied(nfse.OrEmpty(event.ReasonText))
	return transition{"", `
		WITH denied AS (
			UPDATE notes SET analysis = 'denied', analysis_since = $2, updated_at = now(), ` + setReleased + `,
				cancellation_status = CASE WHEN $3 THEN 'refused' ELSE cancellation_status END,
				cancellation_resolved_at = CASE WHEN $3 THEN now() ELSE cancellation_resolved_at END,
				cancellation_refusal = CASE WHEN $3 THEN $4::jsonb ELSE cancellation_refusal END
			WHERE id = $1 AND status = 'issued'
			RETURNING *
		), step AS (
			INSERT INTO note_steps (note_id, fact) SELECT id, $5::jsonb FROM denied WHERE $3
		), answered AS (` + analysisAnswered(`denied`) + `)
		SELECT ` + notes.Columns + ` FROM denied`,
		[]any{event.HappenedAt, note.AnalysisAsked() || note.CityDecides(), refusal,
			fact.CancellationRefused.With("code", refusal.Code)}}
}

// analysisAnswered ends the exchange of an analysis whose answer has come: what was sent
// exists, and what was not is not sent any more. The answer is not asked for again.
func analysisAnswered(notes string) string {
	return `UPDATE fiscal_exchanges SET state = CASE WHEN state = 'accepted' OR ambiguous THEN 'accepted'
			ELSE 'unused' END,
			rejection = NULL, disposition = NULL, poll_standing_at = NULL, lease_token = NULL, lease_until = NULL,
			updated_at = now()
		WHERE note_id IN (SELECT id FROM ` + notes + `) AND kind = 'analysis'
			AND state IN ('unsigned', 'signed', 'in_doubt', 'accepted')`
}

// RefuseDenied is RefuseCancellation for a note whose city has denied its cancellation: of a
// request of which nothing was sent.
func (s *Store) RefuseDenied(ctx context.Context, id, requestID string) (Settled, error) {
	var words string
	err := s.db.Get(ctx, &words, `SELECT coalesce((SELECT reason_text FROM external_events
		WHERE note_id = $1 AND effect = 'denies' AND applied_at IS NOT NULL ORDER BY id DESC LIMIT 1), '')`, id)
	if err != nil {
		return Settled{}, err
	}
	return s.refuseCancellation(ctx, id, requestID, fiscal.Denied(words), nothingSent)
}
