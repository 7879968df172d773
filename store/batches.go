package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"

	"github.com/jmoiron/sqlx"

	"emissor/internal/trace"
	"emissor/nfse"
)

// BatchStatus is where a spreadsheet of notes stands.
type BatchStatus string

// The states of a spreadsheet.
const (
	BatchChecked   BatchStatus = "checked"   // without an error; a person is to accept it
	BatchAccepting BatchStatus = "accepting" // its lines become notes
	BatchDone      BatchStatus = "done"      // every line has ended
)

// Batch is a spreadsheet of notes to issue.
type Batch struct {
	ID string `db:"id"`
	nfse.Scope
	UserID      string          `db:"user_id"` // who sent it
	Digest      string          `db:"digest"`  // SHA-256 of what its lines ask for, in hex
	Status      BatchStatus     `db:"status"`
	Lines       int             `db:"lines"`
	AmountCents int64           `db:"amount_cents"` // of all lines
	CreatedAt   nfse.Timestamp  `db:"created_at"`
	AcceptedAt  *nfse.Timestamp `db:"accepted_at"`
	FinishedAt  *nfse.Timestamp `db:"finished_at"`
	nfse.Defaults
}

// BatchLine is a line of a spreadsheet that was checked.
type BatchLine struct {
	Line     int // of the file
	TaxID    nfse.TaxID
	Issuance nfse.Issuance
}

const batchColumns = `id, organization_id, livemode, user_id, digest, status, lines, amount_cents, created_at,
	accepted_at, finished_at, email_customer, register_ledger, confirm_municipal_operation`

// CreateBatch puts a spreadsheet that was checked on record, for a person to accept. A table
// that is on record already is not added: created is false where it was accepted before; one that
// was only checked is replaced, as what was checked may have changed.
func (c *Changes) CreateBatch(ctx context.Context, batch Batch, lines []BatchLine) (id string, created bool,
	err error) {
	if c.userID() == nil {
		return "", false, errors.New("store: a spreadsheet is sent by a person")
	}
	err = c.change(ctx, func(tx *sqlx.Tx) ([]auditRecord, error) {
		if err := removeChecked(ctx, tx, batch.Scope, `digest = $3`, batch.Digest); err != nil {
			return nil, err
		}
		id, created = nfse.NewID(nfse.PrefixBatch), true
		added, err := affected(tx.ExecContext(ctx, `
			INSERT INTO batches (id, organization_id, livemode, user_id, digest, lines, amount_cents)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (organization_id, livemode, digest) DO NOTHING`,
			id, batch.OrganizationID, batch.Livemode, *c.userID(), batch.Digest, len(lines), batch.AmountCents))
		if err != nil {
			return nil, err
		}
		if added == 0 {
			created = false
			return nil, tx.GetContext(ctx, &id, `SELECT id FROM batches
				WHERE organization_id = $1 AND livemode = $2 AND digest = $3`,
				batch.OrganizationID, batch.Livemode, batch.Digest)
		}
		for some := range slices.Chunk(lines, batchRows) {
			encoded, err := nfse.Marshal(some)
			if err != nil {
				return nil, err
			}
			if _, err := tx.ExecContext(ctx, `
				INSERT INTO batch_lines (batch_id, line, tax_id, request)
				SELECT $1, "Line", "TaxID", "Issuance"
				FROM jsonb_to_recordset($2::jsonb) AS line ("Line" integer, "TaxID" text, "Issuance" jsonb)`,
				id, string(encoded)); err != nil {
				return nil, err
			}
		}
		return []auditRecord{auditRecord{Action: AuditBatchCheck, SubjectID: id,
			After: map[string]any{"lines": len(lines), "amount_cents": batch.AmountCents}}.of(batch.Scope)}, nil
	})
	return id, created, err
}

// removeChecked removes spreadsheets of a scope that nobody accepted.
func removeChecked(ctx context.Context, tx *sqlx.Tx, scope nfse.Scope, where, argument string) error {
	_, err := tx.ExecContext(ctx, `
		WITH gone AS (
			SELECT id FROM batches WHERE organization_id = $1 AND livemode = $2 AND status = 'checked' AND `+where+`
			FOR UPDATE
		), lines AS (
			DELETE FROM batch_lines WHERE batch_id IN (SELECT id FROM gone)
		)
		DELETE FROM batches WHERE id IN (SELECT id FROM gone)`, scope.OrganizationID, scope.Livemode, argument)
	return err
}

// AcceptBatch has a spreadsheet's lines accepted by a run of the engine, with these defaults. One
// that was accepted already stays as it is.
func (c *Changes) AcceptBatch(ctx context.Context, scope nfse.Scope, id string, defaults nfse.Defaults) error {
	return c.change(ctx, func(tx *sqlx.Tx) ([]auditRecord, error) {
		accepted, err := affected(tx.ExecContext(ctx, `
			WITH batch AS (
				UPDATE batches SET status = 'accepting', accepted_at = now(), accepted_by = $4, accepted_from = $5,
					request_id = $6, email_customer = $7, register_ledger = $8, confirm_municipal_operation = $9,
					`+requeueLater+`
				WHERE organization_id = $1 AND livemode = $2 AND id = $3 AND status = 'checked'
				RETURNING id, organization_id, livemode
			)
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, traceparent)
			SELECT 'batch', id, organization_id, livemode, $10 FROM batch
			`+askAgain, scope.OrganizationID, scope.Livemode, id, c.actor.ID, c.actor.From, c.actor.RequestID,
			defaults.EmailCustomer, defaults.RegisterLedger, defaults.ConfirmMunicipalOperation, trace.Parent(ctx)))
		if err != nil || accepted == 0 {
			return nil, err
		}
		return []auditRecord{auditRecord{Action: AuditBatchAccept, SubjectID: id,
			Before: map[string]any{"status": BatchChecked}, After: map[string]any{"status": BatchAccepting},
		}.of(scope)}, nil
	})
}

// DiscardBatch removes a spreadsheet that was only checked.
func (c *Changes) DiscardBatch(ctx context.Context, scope nfse.Scope, id string) error {
	return c.changeOne(ctx, func(tx *sqlx.Tx) (auditRecord, error) {
		return auditRecord{Action: AuditBatchDiscard, SubjectID: id}.of(scope),
			removeChecked(ctx, tx, scope, `id = $3`, id)
	})
}

// Batch reads a spreadsheet of the scope.
func (s *Store) Batch(ctx context.Context, scope nfse.Scope, id string) (batch Batch, err error) {
	err = s.db.GetContext(ctx, &batch, `SELECT `+batchColumns+` FROM batches
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	if errors.Is(err, sql.ErrNoRows) {
		err = nfse.NewError(nfse.CodeNotFound, "", "there is no spreadsheet with this id")
	}
	return batch, err
}

// Batches lists the newest spreadsheets of the scope.
func (s *Store) Batches(ctx context.Context, scope nfse.Scope, limit int) (batches []Batch, err error) {
	err = s.db.SelectContext(ctx, &batches, `SELECT `+batchColumns+` FROM batches
		WHERE organization_id = $1 AND livemode = $2 ORDER BY id DESC LIMIT $3`,
		scope.OrganizationID, scope.Livemode, limit)
	return batches, err
}

// BatchTotals are how many lines of a spreadsheet stand where.
type BatchTotals struct {
	Waiting  int `db:"waiting"`
	Accepted int `db:"accepted"`
	Known    int `db:"known"`
	Failed   int `db:"failed"`
}

// BatchTotals counts the lines of a spreadsheet.
func (s *Store) BatchTotals(ctx context.Context, scope nfse.Scope, id string) (totals BatchTotals, err error) {
	err = s.db.GetContext(ctx, &totals, `
		SELECT count(*) FILTER (WHERE l.status = 'waiting') AS waiting,
			count(*) FILTER (WHERE l.status = 'accepted') AS accepted,
			count(*) FILTER (WHERE l.status = 'known') AS known,
			count(*) FILTER (WHERE l.status = 'failed') AS failed
		FROM batch_lines l JOIN batches b ON b.id = l.batch_id
		WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id = $3`,
		scope.OrganizationID, scope.Livemode, id)
	return totals, err
}

// RepeatedLines counts the lines of a spreadsheet that ask for what another one of the scope asked for
// before: the same customer, service, value and month of competence. An empty competence is today's.
func (s *Store) RepeatedLines(ctx context.Context, scope nfse.Scope, id string, today nfse.Day) (count int, err error) {
	err = s.db.GetContext(ctx, &count, `
		WITH asked AS (
			SELECT coalesce(c.tax_id, l.tax_id), coalesce(n.service_id, l.request ->> 'ServiceID'),
				coalesce(n.amount_cents, (l.request ->> 'AmountCents')::bigint),
				date_trunc('month', coalesce(n.competence, nullif(l.request ->> 'Competence', '')::date, $4::date))
			FROM batches b JOIN batch_lines l ON l.batch_id = b.id
				LEFT JOIN notes n ON n.id = l.note_id LEFT JOIN customers c ON c.id = n.customer_id
			WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id <> $3 AND b.accepted_at IS NOT NULL
				AND l.status <> 'failed' AND coalesce(n.status, 'queued') NOT IN ('rejected', 'cancelled')
		)
		SELECT count(*) FROM batches b JOIN batch_lines l ON l.batch_id = b.id
		WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id = $3 AND l.status = 'waiting'
			AND (l.tax_id, l.request ->> 'ServiceID', (l.request ->> 'AmountCents')::bigint,
				date_trunc('month', coalesce(nullif(l.request ->> 'Competence', '')::date, $4::date))) IN (TABLE asked)`,
		scope.OrganizationID, scope.Livemode, id, today)
	return count, err
}

// BatchResult is what became of a line of a spreadsheet.
type BatchResult struct {
	Line       int         `db:"line"`
	LineStatus string      `db:"line_status"` // waiting, accepted, known or failed
	Code       string      `db:"code"`        // why it failed
	Field      string      `db:"field"`
	NoteID     string      `db:"note_id"`
	Status     nfse.Status `db:"status"` // of the note
	Number     string      `db:"number"`
	AccessKey  string      `db:"access_key"`
	Rejection  string      `db:"rejection"` // its code
}

// BatchResults lists lines of a spreadsheet after a line, in their order; only those that failed
// where onlyFailed says so.
func (s *Store) BatchResults(ctx context.Context, scope nfse.Scope, id string, after int, onlyFailed bool,
	limit int) (results []BatchResult, err error) {
	err = s.db.SelectContext(ctx, &results, `
		SELECT l.line, l.status AS line_status, coalesce(l.code, '') AS code, coalesce(l.field, '') AS field,
			coalesce(n.id, '') AS note_id, coalesce(n.status, '') AS status,
			coalesce(n.authority_number, '') AS number, coalesce(n.access_key, '') AS access_key,
			coalesce(n.rejection ->> 'code', '') AS rejection
		FROM batch_lines l JOIN batches b ON b.id = l.batch_id LEFT JOIN notes n ON n.id = l.note_id
		WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id = $3 AND l.line > $4
			AND (NOT $5 OR l.status = 'failed')
		ORDER BY l.line LIMIT $6`, scope.OrganizationID, scope.Livemode, id, after, onlyFailed, limit)
	return results, err
}
