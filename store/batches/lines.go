package batches

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// AcceptedBatch is a spreadsheet whose lines become notes, and who wants that.
type AcceptedBatch struct {
	Batch
	By        string `db:"accepted_by"`
	From      string `db:"accepted_from"`
	RequestID string `db:"request_id"`
}

// Actor is the person who accepted it.
func (b AcceptedBatch) Actor() nfse.Actor {
	return nfse.Actor{Kind: nfse.ActorUser, ID: b.By, From: b.From, RequestID: b.RequestID}
}

// AcceptedBatch reads a spreadsheet that a person accepted.
func (s *Store) AcceptedBatch(ctx context.Context, id string) (batch AcceptedBatch, err error) {
	err = s.db.GetContext(ctx, &batch, `SELECT `+batchColumns+`, accepted_by, accepted_from, request_id FROM batches
		WHERE id = $1 AND accepted_at IS NOT NULL`, id)
	return batch, err
}

// WaitingLine is a line of a spreadsheet that has not ended.
type WaitingLine struct {
	Line     int             `db:"line"`
	Request  json.RawMessage `db:"request"`  // nfse.Issuance
	Failures int             `db:"failures"` // attempts that failed on our side
}

// WaitingLines are the first lines of a spreadsheet that may be tried now.
func (s *Store) WaitingLines(ctx context.Context, batchID string, limit int) (lines []WaitingLine, err error) {
	err = s.db.SelectContext(ctx, &lines, `SELECT line, request, failures FROM batch_lines
		WHERE batch_id = $1 AND status = 'waiting' AND retry_after <= now() ORDER BY line LIMIT $2`, batchID, limit)
	return lines, err
}

// LineWaits reports whether a line is still to become a note: its customer may have been erased.
func (s *Store) LineWaits(ctx context.Context, batchID string, line int) (waits bool, err error) {
	err = s.db.GetContext(ctx, &waits, `SELECT EXISTS (SELECT FROM batch_lines
		WHERE batch_id = $1 AND line = $2 AND status = 'waiting')`, batchID, line)
	return waits, err
}

// EndLine records the note of a line: accepted for it, or known from before the spreadsheet was
// accepted. Repeated, it changes nothing. A line that was given up meanwhile has its note all the same.
func (s *Store) EndLine(ctx context.Context, batchID string, line int, noteID string) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE batch_lines l SET note_id = n.id, request = NULL, tax_id = NULL, code = NULL, field = NULL,
			status = CASE WHEN n.created_at < b.accepted_at THEN 'known' ELSE 'accepted' END
		FROM batches b, notes n
		WHERE b.id = l.batch_id AND n.organization_id = b.organization_id AND n.livemode = b.livemode AND n.id = $3
			AND l.batch_id = $1 AND l.line = $2 AND l.status IN ('waiting', 'failed')`, batchID, line, noteID)
	return err
}

// FailLine ends a line that cannot become a note: why is a code of package nfse, and its field. Where
// its note was accepted all the same, and only the answer was lost, the line has it: nobody is to send
// it again.
func (s *Store) FailLine(ctx context.Context, batchID string, line int, code nfse.Code, field string) error {
	_, err := s.db.ExecContext(ctx, `
		WITH note AS (
			SELECT n.id, CASE WHEN n.created_at < b.accepted_at THEN 'known' ELSE 'accepted' END AS status
			FROM batch_lines l JOIN batches b ON b.id = l.batch_id JOIN notes n
				ON (n.organization_id, n.livemode, n.reference) =
					(b.organization_id, b.livemode, l.request ->> 'Reference')
			WHERE l.batch_id = $1 AND l.line = $2
		)
		UPDATE batch_lines l SET request = NULL, tax_id = NULL, note_id = note.id,
			status = coalesce(note.status, 'failed'),
			code = CASE WHEN note.id IS NULL THEN $3 END, field = CASE WHEN note.id IS NULL THEN $4 END
		FROM (SELECT) this LEFT JOIN note ON true
		WHERE l.batch_id = $1 AND l.line = $2 AND l.status = 'waiting'`, batchID, line, code, field)
	return err
}

// DelayLine counts an attempt that failed on our side; the next one comes after the wait.
func (s *Store) DelayLine(ctx context.Context, batchID string, line int, wait time.Duration) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE batch_lines SET failures = failures + 1, retry_after = now() + make_interval(secs => $3)
		WHERE batch_id = $1 AND line = $2 AND status = 'waiting'`, batchID, line, wait.Seconds())
	return err
}

// MoveBatch records that a spreadsheet's lines have moved, and ends it where none waits. Where
// some do, wait is how long until one may be tried; 0 is at once.
func (s *Store) MoveBatch(ctx context.Context, id string) (done bool, wait time.Duration, err error) {
	var moved struct {
		Done    bool    `db:"done"`
		Seconds float64 `db:"seconds"`
	}
	err = s.db.InTransaction(ctx, func(tx *sqlx.Tx) error {
		return tx.GetContext(ctx, &moved, `
			WITH line AS (
				SELECT extract(epoch FROM min(greatest(retry_after - now(), interval '0'))) AS seconds
				FROM batch_lines WHERE batch_id = $1 AND status = 'waiting'
			), moved AS (
				UPDATE batches SET `+outbox.RequeueLater+`,
					status = CASE WHEN line.seconds IS NULL THEN 'done' ELSE status END,
					finished_at = CASE WHEN line.seconds IS NULL THEN now() END
				FROM line WHERE id = $1 AND status = 'accepting'
			)
			SELECT seconds IS NULL AS done, coalesce(seconds, 0) AS seconds FROM line`, id)
	})
	return moved.Done, time.Duration(moved.Seconds * float64(time.Second)), err
}

// RequeueBatches starts again spreadsheets that should have moved and have not, as RequeueNotes
// does with notes.
func (s *Store) RequeueBatches(ctx context.Context, limit int) (looked, requeued int, err error) {
	return s.db.Counted(ctx, requeueBatches, limit)
}

var requeueBatches = outbox.RequeueLoop(`batches`, `status = 'accepting'`, `'batch'`, `NULL`)

// RemoveOldBatches removes spreadsheets that nobody accepted within a day, and those that ended
// 30 days ago: their notes stay.
func (s *Store) RemoveOldBatches(ctx context.Context, limit int) (looked, removed int, err error) {
	return s.db.Counted(ctx, removeBatches, limit)
}

var removeBatches = postgres.RowLoop{
	Name: `old batches`, ID: `id`,
	Due: `SELECT id AS key FROM batches WHERE (status = 'checked' AND created_at < now() - interval '1 day'
		OR status = 'done' AND finished_at < now() - interval '30 days') AND %s ORDER BY id LIMIT $1`,
	Lock: `FOR UPDATE`,
	Do: `
		WITH old AS (%s), lines AS (
			DELETE FROM batch_lines WHERE batch_id IN (SELECT key FROM old)
		), gone AS (
			DELETE FROM batches WHERE id IN (SELECT key FROM old) RETURNING id
		)
		SELECT (SELECT count(*) FROM old), (SELECT count(*) FROM gone)`,
}
