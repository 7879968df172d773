package batches

import (
	"context"
	"errors"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// RecurrenceStatus is whether a recurrence goes on.
type RecurrenceStatus string

// The states of a recurrence.
const (
	RecurrenceActive RecurrenceStatus = "active"
	RecurrencePaused RecurrenceStatus = "paused" // by a person: months that pass are missed
	RecurrenceEnded  RecurrenceStatus = "ended"
)

// RecurrenceTerms are what a person sets of a note that is issued every month.
type RecurrenceTerms struct {
	ServiceID   string    `db:"service_id"`
	AmountCents int64     `db:"amount_cents"`
	Description *string   `db:"description"` // nil: that of the service
	ISSWithheld bool      `db:"iss_withheld"`
	Day         int       `db:"day"`   // of the month; one that a month does not have is its last day
	Until       *nfse.Day `db:"until"` // the last day on which a note may be issued; nil: no end
	nfse.Defaults
}

// Recurrence is a note that is issued every month.
type Recurrence struct {
	ID string `db:"id"`
	nfse.Scope
	CustomerID string `db:"customer_id"`
	RecurrenceTerms
	Status    RecurrenceStatus `db:"status"`
	NextMonth nfse.Day         `db:"next_month"` // its first day
	NextDay   nfse.Day         `db:"next_day"`   // on which the next note is issued; of an ended one it means nothing
	CreatedAt nfse.Timestamp   `db:"created_at"`
	EndedAt   *nfse.Timestamp  `db:"ended_at"`

	CustomerName     string `db:"customer_name"`
	CustomerComplete bool   `db:"customer_complete"` // but for the municipality, which the zip code gives
	ServiceName      string `db:"service_name"`
	ServiceActive    bool   `db:"service_active"`
	Missed           int    `db:"missed"` // months that a person is asked about
}

// Ended reports whether nothing more is issued.
func (r Recurrence) Ended() bool { return r.Status == RecurrenceEnded }

// Version names the terms, for a change that was made from them.
func (r Recurrence) Version() string { return nfse.VersionOf(r.RecurrenceTerms) }

// Waits is the code of why an active recurrence issues nothing at present; empty where it does.
func (r Recurrence) Waits() nfse.Code {
	switch {
	case r.Status != RecurrenceActive:
		return ""
	case !r.ServiceActive:
		return nfse.CodeServiceInactive
	case !r.CustomerComplete:
		return nfse.CodeCustomerIncomplete
	}
	return ""
}

const termColumns = `service_id, amount_cents, description, iss_withheld, email_customer, register_ledger,
	confirm_municipal_operation`

const recurrenceColumns = `id, organization_id, livemode, customer_id, day, until, status, next_month, next_day,
	created_at, ended_at, ` + termColumns + `,
	(SELECT name FROM customers c WHERE c.id = customer_id) AS customer_name,
	(SELECT street IS NOT NULL AND number IS NOT NULL AND district IS NOT NULL AND zip_code IS NOT NULL
		FROM customers c WHERE c.id = customer_id) AS customer_complete,
	(SELECT name FROM services s WHERE s.id = service_id) AS service_name,
	(SELECT active FROM services s WHERE s.id = service_id) AS service_active,
	(SELECT count(*) FROM recurring_months m WHERE m.recurrence_id = recurrences.id AND m.status = 'missed') AS missed`

// Recurrence reads a recurrence of the scope.
func (s *Store) Recurrence(ctx context.Context, scope nfse.Scope, id string) (one Recurrence, err error) {
	return readRecurrence(ctx, s.db, scope, id, "")
}

func readRecurrence(ctx context.Context, db sqlx.QueryerContext, scope nfse.Scope, id, lock string) (one Recurrence,
	err error) {
	err = sqlx.GetContext(ctx, db, &one, `SELECT `+recurrenceColumns+` FROM recurrences
		WHERE organization_id = $1 AND livemode = $2 AND id = $3 `+lock, scope.OrganizationID, scope.Livemode, id)
	return one, postgres.NoRow(err, nfse.NewError(nfse.CodeNotFound, "", "there is no recurring note with this id"))
}

// Recurrences lists the recurrences of the scope, newest first; of one customer where an id is given.
func (s *Store) Recurrences(ctx context.Context, scope nfse.Scope, customerID string,
	page postgres.Page) (all []Recurrence,
	more bool, err error) {
	after, rows := page.Bounds()
	err = s.db.SelectContext(ctx, &all, `SELECT `+recurrenceColumns+` FROM recurrences
		WHERE ($5 = '' OR customer_id = $5) AND `+postgres.InPage,
		scope.OrganizationID, scope.Livemode, after, rows, customerID)
	all, more = postgres.Cut(all, page.Limit)
	return all, more, err
}

// auditedRecurrence is what the audit log has of a recurrence: nothing of who the customer is.
type auditedRecurrence struct {
	ServiceID   string           `json:"service_id"`
	AmountCents int64            `json:"amount_cents"`
	Description string           `json:"description"` // digest; empty: that of the service
	ISSWithheld bool             `json:"iss_withheld"`
	Day         int              `json:"day_of_month"`
	Until       *nfse.Day        `json:"until"`
	Status      RecurrenceStatus `json:"status"`
	nfse.Defaults
}

func auditRecurrence(terms RecurrenceTerms, status RecurrenceStatus) auditedRecurrence {
	description := ""
	if terms.Description != nil {
		description = nfse.VersionOf(*terms.Description)
	}
	return auditedRecurrence{terms.ServiceID, terms.AmountCents, description, terms.ISSWithheld, terms.Day, terms.Until,
		status, terms.Defaults}
}

// ErrOver says that a recurrence would issue nothing more: its end is before its next day.
var ErrOver = errors.New("store: the recurrence ends before its next day")

// CreateRecurrence puts a recurrence on record, under an id that its form has: sent twice it is
// created once. Its first note is issued on the first of its days from today on.
func (c *Changes) CreateRecurrence(ctx context.Context, scope nfse.Scope, id, customerID string,
	terms RecurrenceTerms, today nfse.Day) error {
	if c.UserID() == nil {
		return errors.New("store: a recurrence is created by a person")
	}
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		created, err := postgres.Affected(tx.ExecContext(ctx, `
			INSERT INTO recurrences (id, organization_id, livemode, customer_id, day, until, next_month, wanted_by,
				wanted_from, request_id, `+termColumns+`)
			SELECT $1, $2, $3, $4, $5, $6, (CASE WHEN day_in_month(month, $5) < $7::date THEN month + interval '1 month'
				ELSE month END)::date, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
			FROM CAST(date_trunc('month', $7::date::timestamp) AS date) AS month
			ON CONFLICT DO NOTHING`, id, scope.OrganizationID, scope.Livemode, customerID, terms.Day, terms.Until,
			today, c.Actor.ID, c.Actor.From, c.Actor.RequestID, terms.ServiceID, terms.AmountCents, terms.Description,
			terms.ISSWithheld, terms.EmailCustomer, terms.RegisterLedger, terms.ConfirmMunicipalOperation))
		if err != nil || created == 0 {
			return nil, err
		}
		one, err := readRecurrence(ctx, tx, scope, id, "")
		if err == nil && one.over() {
			err = ErrOver
		}
		return []audit.Record{audit.Record{Action: audit.RecurrenceCreate, SubjectID: id,
			After: auditRecurrence(terms, RecurrenceActive)}.Of(scope)}, err
	})
}

// over reports whether the next day is after the end.
func (r Recurrence) over() bool { return r.Until != nil && r.NextDay > *r.Until }

// changeRecurrence changes a recurrence that has not ended, under a lock, and records what changed.
func (c *Changes) changeRecurrence(ctx context.Context, scope nfse.Scope, id string, action audit.Action,
	change func(*sqlx.Tx, Recurrence) error) error {
	return c.Change(ctx, func(tx *sqlx.Tx) ([]audit.Record, error) {
		before, err := readRecurrence(ctx, tx, scope, id, "FOR UPDATE")
		if err != nil || before.Ended() {
			return nil, err
		}
		if err := change(tx, before); err != nil {
			return nil, err
		}
		after, err := readRecurrence(ctx, tx, scope, id, "")
		if err != nil || before.Version() == after.Version() && before.Status == after.Status &&
			before.NextMonth == after.NextMonth {
			return nil, err
		}
		return []audit.Record{audit.Record{Action: action, SubjectID: id,
			Before: auditRecurrence(before.RecurrenceTerms, before.Status),
			After:  auditRecurrence(after.RecurrenceTerms, after.Status)}.Of(scope)}, nil
	})
}

// SetRecurrence changes the terms of a recurrence, which were of the version before: ErrChanged
// where they are others by now. A month whose new day is over already is missed. Notes are issued
// in the name of who changed it last.
func (c *Changes) SetRecurrence(ctx context.Context, scope nfse.Scope, id, version string, terms RecurrenceTerms,
	today nfse.Day) error {
	return c.changeRecurrence(ctx, scope, id, audit.RecurrenceSet, func(tx *sqlx.Tx, before Recurrence) error {
		if before.Version() != version {
			return postgres.ErrChanged
		}
		_, err := tx.ExecContext(ctx, `
			UPDATE recurrences SET day = $2, until = $3, wanted_by = $4, wanted_from = $5, request_id = $6,
				(`+termColumns+`) = ROW($7, $8::bigint, $9, $10::boolean, $11::boolean, $12::boolean, $13::boolean)
			WHERE id = $1`, id, terms.Day, terms.Until, c.Actor.ID, c.Actor.From, c.Actor.RequestID, terms.ServiceID,
			terms.AmountCents, terms.Description, terms.ISSWithheld, terms.EmailCustomer, terms.RegisterLedger,
			terms.ConfirmMunicipalOperation)
		if err != nil {
			return err
		}
		if err := missPast(ctx, tx, id, today, MissedByChange); err != nil {
			return err
		}
		after, err := readRecurrence(ctx, tx, scope, id, "")
		if err == nil && after.over() {
			err = ErrOver
		}
		return err
	})
}

// PauseRecurrence stops a recurrence until it is resumed: months that pass are asked about.
func (c *Changes) PauseRecurrence(ctx context.Context, scope nfse.Scope, id string) error {
	return c.changeRecurrence(ctx, scope, id, audit.RecurrencePause, func(tx *sqlx.Tx, _ Recurrence) error {
		_, err := tx.ExecContext(ctx, `UPDATE recurrences SET status = 'paused' WHERE id = $1`, id)
		return err
	})
}

// ResumeRecurrence lets a paused recurrence go on, from today.
func (c *Changes) ResumeRecurrence(ctx context.Context, scope nfse.Scope, id string, today nfse.Day) error {
	return c.changeRecurrence(ctx, scope, id, audit.RecurrenceResume, func(tx *sqlx.Tx, before Recurrence) error {
		if before.Status != RecurrencePaused {
			return nil
		}
		if err := missPast(ctx, tx, id, today, MissedAway); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE recurrences SET status = 'active', wanted_by = $2, wanted_from = $3,
			request_id = $4 WHERE id = $1 AND status = 'paused'`, id, c.Actor.ID, c.Actor.From, c.Actor.RequestID)
		return err
	})
}

// EndRecurrence ends a recurrence for good. Months that were missed are still asked about.
func (c *Changes) EndRecurrence(ctx context.Context, scope nfse.Scope, id string) error {
	return c.changeRecurrence(ctx, scope, id, audit.RecurrenceEnd, func(tx *sqlx.Tx, _ Recurrence) error {
		_, err := tx.ExecContext(ctx, `UPDATE recurrences SET status = 'ended', ended_at = now() WHERE id = $1`, id)
		return err
	})
}
