package batches

import (
	"context"
	"fmt"

	"github.com/jmoiron/sqlx"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// RecurringStatus is where a month of a recurrence stands.
type RecurringStatus string

// The states of a month.
const (
	RecurringDue     RecurringStatus = "due"     // a run of the engine accepts its note
	RecurringIssued  RecurringStatus = "issued"  // its note is accepted
	RecurringMissed  RecurringStatus = "missed"  // a person is asked whether its note is issued
	RecurringSkipped RecurringStatus = "skipped" // by a person, before its day
	RecurringLeft    RecurringStatus = "left"    // by a person who was asked
)

// Why a month was missed, besides the codes of package nfse by which its note was refused.
const (
	MissedAway     = "away"    // nothing ran on its day
	MissedPaused   = "paused"  // the recurrence was
	MissedByChange = "changed" // its day was changed to one that was over
)

// RecurringMonth is a month of a recurrence from its day on, or that was skipped.
type RecurringMonth struct {
	ID           string `db:"id"`
	RecurrenceID string `db:"recurrence_id"`
	nfse.Scope
	Month       nfse.Day        `db:"month"` // its first day
	Day         nfse.Day        `db:"day"`   // on which its note is issued, or would have been
	Status      RecurringStatus `db:"status"`
	Reason      string          `db:"reason"` // why it was missed
	ServiceName string          `db:"service_name"`
	AmountCents int64           `db:"amount_cents"`
	NoteID      string          `db:"note_id"`
	NoteStatus  nfse.Status     `db:"note_status"`
	Number      string          `db:"number"` // of the NFS-e
}

// Of is the month, as 2026-11.
func (m RecurringMonth) Of() nfse.Month { return nfse.MonthOf(m.Month) }

// RecurringMonths lists the latest months of a recurrence of the scope, newest first.
func (s *Store) RecurringMonths(ctx context.Context, scope nfse.Scope, id string, limit int) (months []RecurringMonth,
	err error) {
	err = s.db.SelectContext(ctx, &months, `
		SELECT m.id, m.recurrence_id, m.organization_id, m.livemode, m.month, m.day, m.status,
			coalesce(m.reason, '') AS reason, s.name AS service_name, m.amount_cents, coalesce(m.note_id, '') AS note_id,
			coalesce(n.status, '') AS note_status, coalesce(n.authority_number, '') AS number
		FROM recurring_months m JOIN services s ON s.id = m.service_id LEFT JOIN notes n ON n.id = m.note_id
		WHERE m.organization_id = $1 AND m.livemode = $2 AND m.recurrence_id = $3 ORDER BY m.month DESC LIMIT $4`,
		scope.OrganizationID, scope.Livemode, id, limit)
	return months, err
}

// monthColumns are what a month has from its recurrence.
const monthColumns = termColumns + `, wanted_by, wanted_from, request_id`

// pastMonths puts the months of the recurrences of %s on record whose day is over on the day $1, and
// moves these on: to be asked about, for the reason that is given or because they are paused. Today's
// month is due where withToday says so and the recurrence is active: then a run is started, too. A
// recurrence with no further day before its end has ended. %s has all columns of the rows that it locks:
// what was changed while they were waited for counts.
func pastMonths(reason string, withToday bool) string {
	return fmt.Sprintf(`
		WITH chosen AS (%%s), past AS (
			SELECT r.*, at.month AS of_month, at.day AS on_day
			FROM chosen r CROSS JOIN LATERAL (
				SELECT month::date AS month, day_in_month(month::date, r.day) AS day
				FROM generate_series(r.next_month::timestamp, $1::date::timestamp, interval '1 month') AS month
			) at
			WHERE (at.day < $1::date OR %t AND r.status = 'active' AND at.day = $1::date)
				AND (r.until IS NULL OR at.day <= r.until)
		), added AS (
			INSERT INTO recurring_months (id, recurrence_id, organization_id, livemode, month, day, status, reason,
				`+monthColumns+`)
			SELECT id || '-' || to_char(of_month, 'YYYY-MM'), id, organization_id, livemode, of_month, on_day,
				CASE WHEN on_day < $1::date THEN 'missed' ELSE 'due' END,
				CASE WHEN on_day < $1::date THEN CASE status WHEN 'paused' THEN 'paused' ELSE '%s' END END,
				`+monthColumns+`
			FROM past
			ON CONFLICT DO NOTHING
			RETURNING id, organization_id, livemode, status
		), moved AS (
			UPDATE recurrences r SET next_month = last.next_month,
				status = CASE WHEN day_in_month(last.next_month, day) > until THEN 'ended' ELSE status END,
				ended_at = CASE WHEN day_in_month(last.next_month, day) > until THEN now() END
			FROM (SELECT id, (max(of_month) + interval '1 month')::date AS next_month FROM past GROUP BY id) last
			WHERE r.id = last.id
		), started AS (
			INSERT INTO outbox (kind, subject_id, organization_id, livemode)
			SELECT 'recurrence', id, organization_id, livemode FROM added WHERE status = 'due'
			ON CONFLICT (kind, subject_id) DO NOTHING
		)
		SELECT (SELECT count(*) FROM chosen), (SELECT count(*) FROM added)`, withToday, reason)
}

// StartRecurring starts a run for each month whose day is today, and has a person asked about those
// whose day has passed without one.
func (s *Store) StartRecurring(ctx context.Context, today nfse.Day, limit int) (looked, started int, err error) {
	loop := startRecurring
	loop.Args = []any{today}
	return s.db.Counted(ctx, loop, limit)
}

var startRecurring = postgres.RowLoop{
	Name: `recurring notes`, ID: `id`,
	Due: `SELECT id AS key, recurrences.* FROM recurrences WHERE status <> 'ended' AND next_day <= $1::date
		AND (status = 'active' OR next_day < $1::date) AND %s ORDER BY next_day LIMIT $2`,
	Lock: `FOR UPDATE`,
	Do:   pastMonths(MissedAway, true),
}

// missPast does the same with one recurrence, but for today's month.
func missPast(ctx context.Context, tx *sqlx.Tx, id string, today nfse.Day, reason string) error {
	_, err := tx.ExecContext(ctx, fmt.Sprintf(pastMonths(reason, false), `SELECT * FROM recurrences WHERE id = $2`),
		today, id)
	return err
}

// RequeueRecurring starts again months that should have moved and have not, as RequeueNotes does
// with notes.
func (s *Store) RequeueRecurring(ctx context.Context, limit int) (looked, requeued int, err error) {
	return s.db.Counted(ctx, requeueRecurring, limit)
}

var requeueRecurring = outbox.RequeueLoop(`recurring_months`, `status = 'due'`, `'recurrence'`, `NULL`)

// DueMonth is a month whose note is to be accepted.
type DueMonth struct {
	ID string `db:"id"`
	nfse.Scope
	Status      RecurringStatus `db:"status"`
	Day         nfse.Day        `db:"day"`
	CustomerID  string          `db:"customer_id"`
	ServiceID   string          `db:"service_id"`
	AmountCents int64           `db:"amount_cents"`
	Description *string         `db:"description"`
	ISSWithheld bool            `db:"iss_withheld"`
	nfse.Defaults
	By        string `db:"wanted_by"`
	From      string `db:"wanted_from"`
	RequestID string `db:"request_id"`
}

// Actor is the person in whose name its note is issued.
func (m DueMonth) Actor() nfse.Actor {
	return nfse.Actor{Kind: nfse.ActorUser, ID: m.By, From: m.From, RequestID: m.RequestID}
}

// Issuance is the request of its note: the same one whenever it is asked for.
func (m DueMonth) Issuance() nfse.Issuance {
	issuance := nfse.Issuance{Reference: RecurringReference(m.ID), ServiceID: m.ServiceID, AmountCents: m.AmountCents,
		CustomerID: m.CustomerID, Competence: m.Day, Description: m.Description, ISSWithheld: m.ISSWithheld}
	if !m.Livemode {
		issuance.Scenario = nfse.ScenarioAuthorized
	}
	return issuance
}

// RecurringReference is the reference of the note of a month, by the month's id.
func RecurringReference(monthID string) string { return "recorrente-" + monthID }

// DueMonth reads a month whose note a run accepts.
func (s *Store) DueMonth(ctx context.Context, id string) (month DueMonth, err error) {
	err = s.db.GetContext(ctx, &month, `
		SELECT m.id, m.organization_id, m.livemode, m.status, m.day, r.customer_id, m.service_id, m.amount_cents,
			m.description, m.iss_withheld, m.email_customer, m.register_ledger, m.confirm_municipal_operation,
			m.wanted_by, m.wanted_from, m.request_id
		FROM recurring_months m JOIN recurrences r ON r.id = m.recurrence_id WHERE m.id = $1`, id)
	return month, err
}

// EndMonth records the note of a month. Repeated, it changes nothing. A month that was given up
// meanwhile has its note all the same.
func (s *Store) EndMonth(ctx context.Context, id, noteID string) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE recurring_months m SET status = 'issued', note_id = n.id, reason = NULL, description = NULL
		FROM notes n WHERE m.id = $1 AND m.status IN ('due', 'missed', 'left') AND n.id = $2
			AND n.organization_id = m.organization_id AND n.livemode = m.livemode`, id, noteID)
	return err
}

// MissMonth records why no note of a month was accepted; a person is asked about it. Where its note was
// accepted all the same, and only the answer was lost, the month has it.
func (s *Store) MissMonth(ctx context.Context, id, reason string) error {
	_, err := s.db.ExecContext(ctx, `
		WITH accepted AS (
			SELECT n.id FROM recurring_months m JOIN notes n
				ON (n.organization_id, n.livemode, n.reference) = (m.organization_id, m.livemode, $3)
			WHERE m.id = $1
		)
		UPDATE recurring_months SET description = NULL, note_id = accepted.id,
			status = CASE WHEN accepted.id IS NULL THEN 'missed' ELSE 'issued' END,
			reason = CASE WHEN accepted.id IS NULL THEN $2 END
		FROM (SELECT) this LEFT JOIN accepted ON true
		WHERE recurring_months.id = $1 AND status = 'due'`, id, reason, RecurringReference(id))
	return err
}

// IssueMonth has the note of a month that was missed issued today, with the present terms of its
// recurrence. A month that is not asked about stays as it is.
func (c *Changes) IssueMonth(ctx context.Context, scope nfse.Scope, id string, today nfse.Day) error {
	return c.decideMonth(ctx, scope, id, audit.RecurrenceIssue, func(tx *sqlx.Tx) (bool, error) {
		issued, err := postgres.Affected(tx.ExecContext(ctx, `
			WITH month AS (
				UPDATE recurring_months m SET status = 'due', reason = NULL, day = $4, wanted_by = $5, wanted_from = $6,
					request_id = $7, `+outbox.RequeueLater+`, service_id = r.service_id, amount_cents = r.amount_cents,
					description = r.description, iss_withheld = r.iss_withheld, email_customer = r.email_customer,
					register_ledger = r.register_ledger, confirm_municipal_operation = r.confirm_municipal_operation
				FROM recurrences r
				WHERE m.organization_id = $1 AND m.livemode = $2 AND m.id = $3 AND m.status = 'missed'
					AND r.id = m.recurrence_id
				RETURNING m.id, m.organization_id, m.livemode
			)
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, traceparent,
				restart) -- the run before may not have closed
			SELECT 'recurrence', id, organization_id, livemode, $8, true FROM month `+outbox.AskAgain,
			scope.OrganizationID, scope.Livemode, id, today, c.Actor.ID, c.Actor.From, c.Actor.RequestID,
			trace.Parent(ctx)))
		return issued > 0, err
	})
}

// LeaveMonth leaves a month that was missed without a note.
func (c *Changes) LeaveMonth(ctx context.Context, scope nfse.Scope, id string) error {
	return c.decideMonth(ctx, scope, id, audit.RecurrenceLeave, func(tx *sqlx.Tx) (bool, error) {
		left, err := postgres.Affected(tx.ExecContext(ctx, `UPDATE recurring_months SET status = 'left'
			WHERE organization_id = $1 AND livemode = $2 AND id = $3 AND status = 'missed'`,
			scope.OrganizationID, scope.Livemode, id))
		return left > 0, err
	})
}

// decideMonth records what a person decides about a month; nothing where it does not wait for that.
func (c *Changes) decideMonth(ctx context.Context, scope nfse.Scope, id string, action audit.Action,
	decide func(*sqlx.Tx) (bool, error)) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		var month struct {
			RecurrenceID string   `db:"recurrence_id"`
			Month        nfse.Day `db:"month"`
		}
		err := tx.GetContext(ctx, &month, `SELECT recurrence_id, month FROM recurring_months
			WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
		if err != nil {
			return nil, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "", "the recurring note has no such month"))
		}
		if decided, err := decide(tx); err != nil || !decided {
			return nil, err
		}
		return []audit.Record{audit.Record{Action: action, SubjectID: month.RecurrenceID,
			After: map[string]any{"month": nfse.MonthOf(month.Month)}}.Of(scope)}, nil
	})
}

// SkipMonth lets the next month of a recurrence pass without a note, where it is still the next one.
func (c *Changes) SkipMonth(ctx context.Context, scope nfse.Scope, id string, month nfse.Month) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		before, err := readRecurrence(ctx, tx, scope, id, "FOR UPDATE")
		if err != nil || before.Ended() || nfse.MonthOf(before.NextMonth) != month {
			return nil, err
		}
		_, err = tx.ExecContext(ctx, `
			WITH skipped AS (
				INSERT INTO recurring_months (id, recurrence_id, organization_id, livemode, month, day, status,
					`+monthColumns+`)
				SELECT id || '-' || to_char(next_month, 'YYYY-MM'), id, organization_id, livemode, next_month, next_day,
					'skipped', `+monthColumns+`
				FROM recurrences WHERE id = $1
			)
			UPDATE recurrences r SET next_month = next.month,
				status = CASE WHEN day_in_month(next.month, day) > until THEN 'ended' ELSE status END,
				ended_at = CASE WHEN day_in_month(next.month, day) > until THEN now() END
			FROM (SELECT (next_month + interval '1 month')::date AS month FROM recurrences WHERE id = $1) next
			WHERE r.id = $1`, id)
		return []audit.Record{audit.Record{Action: audit.RecurrenceSkip, SubjectID: id,
			After: map[string]any{"month": month}}.Of(scope)}, err
	})
}
