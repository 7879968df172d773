package batches

import (
	"context"
	"errors"
	"slices"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
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
	Digest      string          `db:"digest"`  // SHA-256 of what its lines ask for, in hex; once accepted, in their month
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
	if c.UserID() == nil {
		return "", false, errors.New("store: a spreadsheet is sent by a person")
	}
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		if err := removeChecked(ctx, tx, batch.Scope, `digest = $3`, batch.Digest); err != nil {
			return nil, err
		}
		id, created = nfse.NewID(nfse.PrefixBatch), true
		added, err := postgres.Affected(tx.ExecContext(ctx, `
			INSERT INTO batches (id, organization_id, livemode, user_id, digest, lines, amount_cents)
			VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (organization_id, livemode, digest) DO NOTHING`,
			id, batch.OrganizationID, batch.Livemode, *c.UserID(), batch.Digest, len(lines), batch.AmountCents))
		if err != nil {
			return nil, err
		}
		if added == 0 {
			created = false
			return nil, tx.GetContext(ctx, &id, `SELECT id FROM batches
				WHERE organization_id = $1 AND livemode = $2 AND digest = $3`,
				batch.OrganizationID, batch.Livemode, batch.Digest)
		}
		for some := range slices.Chunk(lines, audit.BatchRows) {
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
		return []audit.Record{audit.Record{Action: audit.BatchCheck, SubjectID: id,
			After: map[string]any{"lines": len(lines), "amount_cents": batch.AmountCents}}.Of(batch.Scope)}, nil
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

// AcceptBatch has a spreadsheet's lines accepted by a run of the engine, with these defaults. Lines
// without a day are of the month, and have the given day of competence in it; no month leaves them as they
// are. A line whose note exists has it, and issues nothing. The same table of the same month is accepted
// once: accepted is the id of the spreadsheet that has it, and one that was accepted already stays as it is.
func (c *Changes) AcceptBatch(ctx context.Context, scope nfse.Scope, id string, month nfse.Month, day nfse.Day,
	defaults nfse.Defaults) (accepted string, err error) {
	accepted = id
	err = c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		accepted = id
		var digest string
		err := tx.GetContext(ctx, &digest, `
			SELECT CASE WHEN $4 = '' THEN digest ELSE encode(sha256(convert_to(digest || $4, 'UTF8')), 'hex') END
			FROM batches WHERE organization_id = $1 AND livemode = $2 AND id = $3 AND status = 'checked' FOR UPDATE`,
			scope.OrganizationID, scope.Livemode, id, month)
		if err != nil {
			return nil, postgres.NoRow(err, nil)
		}
		var before []string
		if err := tx.SelectContext(ctx, &before, `SELECT id FROM batches
			WHERE organization_id = $1 AND livemode = $2 AND digest = $3 AND id <> $4`,
			scope.OrganizationID, scope.Livemode, digest, id); err != nil {
			return nil, err
		}
		if len(before) > 0 {
			accepted = before[0]
			return []audit.Record{audit.Record{Action: audit.BatchDiscard, SubjectID: id}.Of(scope)},
				removeChecked(ctx, tx, scope, `id = $3`, id)
		}
		if _, err := tx.ExecContext(ctx, `WITH `+linesOfMonths+`, checked AS (
				DELETE FROM batch_lines WHERE batch_id = $3 AND status = 'waiting'
				RETURNING batch_id, line, tax_id, request, failures
			)
			INSERT INTO batch_lines (batch_id, line, failures, status, note_id, tax_id, request)
			SELECT batch_id, line, failures, CASE WHEN note_id IS NULL THEN 'waiting' ELSE 'known' END, note_id,
				CASE WHEN note_id IS NULL THEN checked.tax_id END,
				CASE WHEN note_id IS NULL THEN checked.request || jsonb_build_object('Reference', reference,
					'Competence', coalesce(nullif(checked.request ->> 'Competence', ''), $5::text)) END
			FROM checked JOIN line USING (line)`,
			scope.OrganizationID, scope.Livemode, id, pq.Array([]nfse.Month{month}), day); err != nil {
			return nil, err
		}
		if _, err := tx.ExecContext(ctx, `
			WITH batch AS (
				UPDATE batches SET status = 'accepting', accepted_at = now(), accepted_by = $4, accepted_from = $5,
					request_id = $6, email_customer = $7, register_ledger = $8, confirm_municipal_operation = $9,
					digest = $11, `+outbox.RequeueLater+`
				WHERE organization_id = $1 AND livemode = $2 AND id = $3 AND status = 'checked'
				RETURNING id, organization_id, livemode
			)
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, traceparent)
			SELECT 'batch', id, organization_id, livemode, $10 FROM batch
			`+outbox.AskAgain, scope.OrganizationID, scope.Livemode, id, c.Actor.ID, c.Actor.From, c.Actor.RequestID,
			defaults.EmailCustomer, defaults.RegisterLedger, defaults.ConfirmMunicipalOperation, trace.Parent(ctx),
			digest); err != nil {
			return nil, err
		}
		return []audit.Record{audit.Record{Action: audit.BatchAccept, SubjectID: id,
			Before: map[string]any{"status": BatchChecked},
			After:  map[string]any{"status": BatchAccepting, "month": month},
		}.Of(scope)}, nil
	})
	return accepted, err
}

// linesOfMonths are the lines of a spreadsheet that waits to be accepted, once for each month that it may be of: with
// the month of a line, which is its day's month where it has a day, the reference of the line's note in that month,
// and that note where it exists. Spreadsheets of earlier versions had references without a month: a note with one
// counts in the month of its competence. Without a month the reference stays. $1 and $2 are the scope, $3 is the
// spreadsheet and $4 the months.
const linesOfMonths = `line AS (
		SELECT chosen, l.line, l.tax_id, l.request, month, named.reference, note.id AS note_id
		FROM batches b JOIN batch_lines l ON l.batch_id = b.id CROSS JOIN unnest($4::text[]) chosen
			CROSS JOIN LATERAL (
				SELECT coalesce(left(nullif(l.request ->> 'Competence', ''), 7), chosen) AS month,
					l.request ->> 'Reference' AS before
			) own CROSS JOIN LATERAL (
				SELECT CASE WHEN month = '' THEN before
					ELSE regexp_replace(before, '([0-9]+)$', month || '-\1') END AS reference
			) named LEFT JOIN LATERAL (
				SELECT n.id FROM notes n WHERE n.organization_id = $1 AND n.livemode = $2
					AND n.reference IN (named.reference, before)
					AND (n.reference = named.reference OR to_char(n.competence, 'YYYY-MM') = month) LIMIT 1
			) note ON true
		WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id = $3 AND b.status = 'checked'
			AND l.status = 'waiting'
	)`

// DiscardBatch removes a spreadsheet that was only checked.
func (c *Changes) DiscardBatch(ctx context.Context, scope nfse.Scope, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		return audit.Record{Action: audit.BatchDiscard, SubjectID: id}.Of(scope),
			removeChecked(ctx, tx, scope, `id = $3`, id)
	})
}

// Batch reads a spreadsheet of the scope.
func (s *Store) Batch(ctx context.Context, scope nfse.Scope, id string) (batch Batch, err error) {
	err = s.db.GetContext(ctx, &batch, `SELECT `+batchColumns+` FROM batches
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	return batch, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "", "there is no spreadsheet with this id"))
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

// BatchMonth is a month that a spreadsheet may be of, and what it would not issue then.
type BatchMonth struct {
	Month    nfse.Month `db:"chosen"` // empty: its lines have days, which say of which months they are
	Known    int        `db:"known"`  // lines whose note exists: they issue nothing
	Repeated int        `db:"repeated"`
}

// BatchMonths says of a spreadsheet that nobody has accepted what it would issue in each of the months: in
// none of them where each of its lines has a day. Repeated are lines that ask for what another one of the
// scope asked for before: the same customer, service, value and month of competence. A competence that is
// not set is today's.
func (s *Store) BatchMonths(ctx context.Context, scope nfse.Scope, id string, months []nfse.Month,
	today nfse.Day) (counts []BatchMonth, err error) {
	var undated bool
	if err := s.db.GetContext(ctx, &undated, `SELECT EXISTS (SELECT FROM batch_lines
		WHERE batch_id = $1 AND status = 'waiting' AND coalesce(request ->> 'Competence', '') = '')`, id); err != nil {
		return nil, err
	}
	if !undated {
		months = []nfse.Month{""}
	}
	err = s.db.SelectContext(ctx, &counts, `
		WITH asked AS (
			SELECT coalesce(c.tax_id, l.tax_id), coalesce(n.service_id, l.request ->> 'ServiceID'),
				coalesce(n.amount_cents::text, l.request ->> 'AmountCents'),
				left(coalesce(n.competence::text, nullif(l.request ->> 'Competence', ''), $5), 7)
			FROM batches b JOIN batch_lines l ON l.batch_id = b.id
				LEFT JOIN notes n ON n.id = l.note_id LEFT JOIN customers c ON c.id = n.customer_id
			WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id <> $3 AND b.accepted_at IS NOT NULL
				AND l.status <> 'failed' AND coalesce(n.status, 'queued') NOT IN ('rejected', 'cancelled')
		), `+linesOfMonths+`
		SELECT chosen, count(note_id) AS known, count(*) FILTER (WHERE note_id IS NULL AND
			(tax_id, request ->> 'ServiceID', request ->> 'AmountCents', month) IN (TABLE asked)) AS repeated
		FROM line GROUP BY chosen ORDER BY chosen`,
		scope.OrganizationID, scope.Livemode, id, pq.Array(months), today)
	return counts, err
}

// BatchResult is what became of a line of a spreadsheet.
type BatchResult struct {
	Line       int         `db:"line"`
	LineStatus string      `db:"line_status"` // waiting, accepted, known or failed
	Reference  string      `db:"reference"`   // of the note, or of what waits; empty where it failed
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
		SELECT l.line, l.status AS line_status,
			coalesce(n.reference, l.request ->> 'Reference', '') AS reference,
			coalesce(l.code, '') AS code, coalesce(l.field, '') AS field,
			coalesce(n.id, '') AS note_id, coalesce(n.status, '') AS status,
			coalesce(n.authority_number, '') AS number, coalesce(n.access_key, '') AS access_key,
			coalesce(n.rejection ->> 'code', '') AS rejection
		FROM batch_lines l JOIN batches b ON b.id = l.batch_id LEFT JOIN notes n ON n.id = l.note_id
		WHERE b.organization_id = $1 AND b.livemode = $2 AND b.id = $3 AND l.line > $4
			AND (NOT $5 OR l.status = 'failed')
		ORDER BY l.line LIMIT $6`, scope.OrganizationID, scope.Livemode, id, after, onlyFailed, limit)
	return results, err
}
