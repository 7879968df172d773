package mails

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/audit"
	"emissor/store/notes"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// EmailStatus is where an e-mail stands.
type EmailStatus string

// The states of an e-mail.
const (
	EmailPending EmailStatus = "pending"
	EmailSent    EmailStatus = "sent"
	EmailFailed  EmailStatus = "failed"
	EmailSkipped EmailStatus = "skipped"
)

// EmailToSend is what sending an e-mail needs, as it is at this moment: the
// customer's present address, and what became of the note. The e-mail of a cancelled note
// is sent too: the customer may have got the note in another way.
type EmailToSend struct {
	ID               string             `db:"id"`
	OrganizationID   string             `db:"organization_id"`
	NoteID           string             `db:"note_id"`
	Status           EmailStatus        `db:"status"`
	Reason           fact.Fact          `db:"reason"`   // why it failed or was skipped
	Attempts         int                `db:"attempts"` // that failed, since it was last started
	CreatedAt        nfse.Timestamp     `db:"created_at"`
	Unwanted         fact.Fact          `db:"unwanted"` // why it is not to be sent; none when it is
	Address          string             `db:"address"`
	CustomerName     string             `db:"customer_name"` // as the note has it
	OrganizationName string             `db:"organization_name"`
	Number           string             `db:"number"`     // of the note; empty when the authority gives none
	AccessKey        string             `db:"access_key"` // empty when the authority gives none
	AmountCents      int64              `db:"amount_cents"`
	Totals           *nfse.Totals       `db:"totals"` // that the note's document states; nil where it states none
	Competence       nfse.Day           `db:"competence"`
	Note             notes.NoteDocument `db:"note"`
	Restricted       bool               `db:"restricted"` // issued by the authority's own test system

	// The company's own words and logo.
	Template EmailTemplate `db:"template"`

	// The numbers of the note that it replaces, and of the one that has replaced it; empty for none.
	Replaces   string `db:"replaces"`
	ReplacedBy string `db:"replaced_by"`
}

const (
	// emailNote is the note of an e-mail e.
	emailNote = `coalesce(e.note_id, e.copy_of)`
	// emailAddress is where an e-mail e goes to: a copy to its own address, any other to that which
	// the customer c has now. A copy whose address was erased goes nowhere.
	emailAddress = `CASE WHEN e.copy_of IS NULL THEN c.email ELSE e.address END`
	// EmailColumns are the columns of Email, of an e-mail e.
	EmailColumns = `e.id, e.organization_id, ` + emailNote + ` AS note_id, e.status, e.reason, e.attempts,
		e.last_problem, e.created_at, e.resolved_at`
)

// EmailToSend reads an e-mail for its next attempt.
func (s *Store) EmailToSend(ctx context.Context, id string) (EmailToSend, error) {
	var email EmailToSend
	err := s.db.Get(ctx, &email, `
		SELECT e.id, e.organization_id, e.status, e.reason, e.attempts, e.created_at,
			CASE WHEN `+emailAddress+` IS NULL THEN `+postgres.FactSQL(fact.EmailWithoutAddress)+`
				WHEN x.note_id IS NULL THEN `+postgres.FactSQL(fact.EmailWithoutDocument)+` END AS unwanted,
			coalesce(`+emailAddress+`, '') AS address, n.customer ->> 'name' AS customer_name, o.name AS organization_name,
			coalesce(n.authority_number, '') AS number, coalesce(n.access_key, '') AS access_key, n.amount_cents,
			n.authority_totals AS totals, n.competence,
			n.id AS note_id, n.status AS "note.status", `+notes.IsReplaced+` AS "note.replaced",
			`+postgres.DocumentColumns("note.stored.")+`, `+notes.NoteEvents+` AS "note.events",
			`+notes.IssuedBySQL+` AS "note.issued_by", n.authority_number AS "note.authority_number",
			n.verification_code AS "note.verification_code",
			coalesce(t.portuguese, '') AS "template.portuguese", coalesce(t.english, '') AS "template.english",
			t.logo AS "template.logo",
			EXISTS (SELECT FROM fiscal_exchanges f
				WHERE f.note_id = n.id AND f.kind = 'issue' AND f.state = 'accepted'
					AND NOT f.production) AS restricted,
			coalesce((SELECT r.authority_number FROM notes r WHERE r.id = n.replaces), '') AS replaces,
			coalesce((SELECT r.authority_number FROM notes r
				WHERE r.id = n.replaced_by AND n.status = 'cancelled'), '') AS replaced_by
		FROM emails e
		JOIN notes n ON n.id = `+emailNote+`
		LEFT JOIN note_documents x ON x.note_id = n.id
		JOIN customers c ON c.id = n.customer_id
		JOIN organizations o ON o.id = n.organization_id
		LEFT JOIN email_templates t ON t.organization_id = n.organization_id
		WHERE e.id = $1`, id)
	if err == nil && email.Note.Stored.Exists() {
		err = notes.New(s.db).UnpackNoteDocument(ctx, email.NoteID, &email.Note)
	}
	return email, err
}

// RecordEmailSent ends an e-mail that the mail server has accepted, regardless of the state that it has by then.
func (s *Store) RecordEmailSent(ctx context.Context, id string) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE emails SET status = 'sent', reason = NULL, attempts = attempts + 1, last_problem = NULL,
		resolved_at = now()
		WHERE id = $1 AND status <> 'sent'`, id)
	return err
}

// RecordEmailProblem counts an attempt that failed and records why. The next one
// comes after the wait.
func (s *Store) RecordEmailProblem(ctx context.Context, id string, problem fact.Fact, wait time.Duration) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE emails SET attempts = attempts + 1, last_problem = $2,
			requeue_after = now() + make_interval(secs => $3) + `+outbox.RequeuePause+`, requeues = 0
		WHERE id = $1 AND status = 'pending'`, id, problem, wait.Seconds())
	return err
}

// DelayEmail records why an e-mail could not even be tried, which is no attempt.
func (s *Store) DelayEmail(ctx context.Context, id string, problem fact.Fact, wait time.Duration) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE emails SET last_problem = $2,
			requeue_after = now() + make_interval(secs => $3) + `+outbox.RequeuePause+`, requeues = 0
		WHERE id = $1 AND status = 'pending'`, id, problem, wait.Seconds())
	return err
}

// FailEmail gives an e-mail up after an attempt that failed.
func (s *Store) FailEmail(ctx context.Context, id string, problem, reason fact.Fact) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE emails SET status = 'failed', reason = $3, attempts = attempts + 1, last_problem = $2,
		resolved_at = now()
		WHERE id = $1 AND status = 'pending'`, id, problem, reason)
	return err
}

// SkipEmail ends an e-mail that is no longer to be sent.
func (s *Store) SkipEmail(ctx context.Context, id string, reason fact.Fact) error {
	_, err := s.db.ExecContext(ctx, `
		UPDATE emails SET status = 'skipped', reason = $2, resolved_at = now()
		WHERE id = $1 AND status = 'pending'`, id, reason)
	return err
}

// Email is an e-mail as an operator sees it.
type Email struct {
	ID             string          `db:"id" json:"id"`
	OrganizationID string          `db:"organization_id" json:"organization_id"`
	NoteID         string          `db:"note_id" json:"note_id"`
	Status         EmailStatus     `db:"status" json:"status"`
	Reason         fact.Fact       `db:"reason" json:"reason"`
	Attempts       int             `db:"attempts" json:"attempts"` // since it was last started
	LastProblem    fact.Fact       `db:"last_problem" json:"last_problem"`
	CreatedAt      nfse.Timestamp  `db:"created_at" json:"created_at"`
	ResolvedAt     *nfse.Timestamp `db:"resolved_at" json:"resolved_at"`
}

// SentAgainTo is a copy of an issued note's e-mail that a person has sent.
type SentAgainTo struct {
	NoteID  string
	Address string // any, not only the customer's
}

// EmailNote has the e-mail of an issued live note sent to an address, besides all that were sent
// before, and returns the new e-mail's id. The address is not recorded in the audit log.
func (c *Changes) EmailNote(ctx context.Context, scope nfse.Scope, to SentAgainTo) (id string, err error) {
	id = nfse.NewID(nfse.PrefixEmail)
	return id, c.ChangeOne(ctx, func(tx *sqlx.Tx) (audit.Record, error) {
		added, err := postgres.Affected(tx.ExecContext(ctx, `
			WITH email AS (
				INSERT INTO emails (id, organization_id, livemode, copy_of, address)
				SELECT $1, organization_id, livemode, id, $5 FROM notes
				WHERE id = $4 AND organization_id = $2 AND livemode = $3 AND livemode
					AND status IN ('issued', 'cancelled')
					AND EXISTS (SELECT FROM note_documents WHERE note_id = notes.id)
				RETURNING id, organization_id, livemode, copy_of
			), step AS (
				INSERT INTO note_steps (note_id, fact, user_id)
				SELECT copy_of, `+postgres.FactSQL(fact.EmailSentAgain, "email", `id`)+`, $6 FROM email
			)
			INSERT INTO outbox (kind, subject_id, organization_id, livemode, traceparent)
			SELECT 'email', id, organization_id, livemode, $7 FROM email`,
			id, scope.OrganizationID, scope.Livemode, to.NoteID, to.Address, c.UserID(), trace.Parent(ctx)))
		if err == nil && added == 0 {
			err = nfse.NewError(nfse.CodeNoteNotFound, "note", "there is no issued live note %q", to.NoteID)
		}
		return audit.Record{Action: audit.EmailNote, SubjectID: to.NoteID,
			After: map[string]any{"email_id": id}}.Of(scope), err
	})
}

// EmailFilter chooses e-mails. Zero fields choose all.
type EmailFilter struct {
	Status EmailStatus
	NoteID string
	Limit  int
}

// Emails lists the chosen e-mails, newest first.
func (s *Store) Emails(ctx context.Context, filter EmailFilter) ([]Email, error) {
	emails := []Email{}
	err := s.db.SelectContext(ctx, &emails, `
		SELECT `+EmailColumns+` FROM emails e
		WHERE ($1 = '' OR status = $1) AND ($2 = '' OR $2 IN (note_id, copy_of)) ORDER BY id DESC LIMIT $3`,
		filter.Status, filter.NoteID, filter.Limit)
	return emails, err
}

// RetryEmail starts an e-mail that was not sent again, with a fresh count of
// attempts. A run that is still open is replaced.
func (c *Changes) RetryEmail(ctx context.Context, id string) error {
	return c.ChangeOne(ctx, func(tx *sqlx.Tx) (record audit.Record, err error) {
		var before struct {
			nfse.Scope
			Status EmailStatus `db:"status"`
		}
		err = tx.GetContext(ctx, &before, `
			SELECT organization_id, livemode, status FROM emails WHERE id = $1 FOR NO KEY UPDATE`, id)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return record, err
		}
		return audit.Record{Action: audit.EmailRetry, SubjectID: id,
			Before: map[string]any{"status": before.Status}, After: map[string]any{"status": EmailPending},
		}.Of(before.Scope), c.retryEmail(ctx, tx, id)
	})
}

func (c *Changes) retryEmail(ctx context.Context, tx *sqlx.Tx, id string) error {
	retried, err := postgres.Affected(tx.ExecContext(ctx, `
		WITH retried AS (
			UPDATE emails SET status = 'pending', reason = NULL, attempts = 0, resolved_at = NULL,
				`+outbox.RequeueLater+`
			WHERE id = $1 AND status <> 'sent'
			RETURNING id, organization_id, livemode, coalesce(note_id, copy_of) AS note_id
		), step AS (
			INSERT INTO note_steps (note_id, fact, user_id)
			SELECT note_id, `+postgres.FactSQL(fact.EmailSentAgain, "email", `id`)+`, $2 FROM retried
		)
		INSERT INTO outbox (kind, subject_id, organization_id, livemode, restart, traceparent)
		SELECT 'email', id, organization_id, livemode, true, $3 FROM retried
		`+outbox.AskAgain, id, c.UserID(), trace.Parent(ctx)))
	if err != nil || retried > 0 {
		return err
	}
	var sentAt nfse.Timestamp
	err = tx.GetContext(ctx, &sentAt, `SELECT resolved_at FROM emails WHERE id = $1 AND status = 'sent'`, id)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nfse.NewError(nfse.CodeNotFound, "email", "there is no e-mail %q", id)
	case err != nil:
		return err
	}
	return nfse.NewError(nfse.CodeInvalidRequest, "email",
		"the e-mail %s was sent at %s: there is nothing to send again", id, sentAt)
}
