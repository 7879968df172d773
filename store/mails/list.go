package mails

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/jmoiron/sqlx"
	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/audit"
	"emissor/store/postgres"
)

// ListedEmail is an e-mail as the people of its organization see it.
type ListedEmail struct {
	Email
	Reference string `db:"reference"` // of the note
	Customer  string `db:"customer"`  // the name on the note
	Address   string `db:"address"`   // a copy's own, or the customer's present one; empty: there is none
}

// EmailListFilter chooses e-mails of an organization. Zero fields choose all. A period
// is a range of ids, which are ordered by time.
type EmailListFilter struct {
	Status       EmailStatus
	NoteID       string
	Since, Until time.Time // when it was put on record: from the one, and before the other
	After        string    // an id: only older ones
	Before       string    // an id: only newer ones, the oldest of them
	Limit        int
}

// EmailPage is a page of e-mails, newest first.
type EmailPage struct {
	Emails []ListedEmail
	Newer  bool // there are e-mails before the first
	Older  bool // there are e-mails after the last
}

// FilterEmails lists the chosen e-mails: it finds their ids, and reads only then what belongs to those of the page,
// each by its key.
func (s *Store) FilterEmails(ctx context.Context, scope nfse.Scope, filter EmailListFilter) (page EmailPage,
	err error) {
	page.Emails = []ListedEmail{}
	if !scope.Livemode {
		return page, nil // the test environment sends none
	}
	cursor := postgres.Cursor{After: filter.After, Before: filter.Before, Limit: filter.Limit}
	lowest, highest := postgres.IDRange(nfse.PrefixEmail, filter.Since, filter.Until, cursor)
	list := s.db.SelectContext
	if filter.NoteID != "" {
		list = s.db.All // by the note, in any part
	}
	find := func(lowest, highest string, rows int) (ids []string, err error) {
		query, args := filter.query(cursor)
		err = list(ctx, &ids, query, append([]any{scope.OrganizationID, lowest, highest, rows}, args...)...)
		return ids, err
	}
	var ids []string
	if filter.NoteID != "" {
		ids, err = find(lowest, highest, filter.Limit+1)
	} else {
		ids, err = postgres.RowsInPeriods(nfse.PrefixEmail, lowest, highest, cursor, find)
	}
	if err != nil {
		return page, err
	}
	ids, page.Newer, page.Older = postgres.NewestFirst(ids, cursor)
	page.Emails, err = s.emailsByID(ctx, ids)
	return page, err
}

// query finds ids by the index of the organization, of its state, or of a note; as in InPage, so that the planner uses
// it. Its parameters are the organization, the least id and the one behind the last, how many, and args.
func (f EmailListFilter) query(cursor postgres.Cursor) (query string, args []any) {
	where := `(organization_id, livemode, id) >= ($1, true, $2) AND (organization_id, livemode, id) < ($1, true, $3)`
	order := `organization_id` + cursor.Direction() + `, livemode` + cursor.Direction()
	if f.Status != "" {
		args = []any{f.Status}
		where = `(organization_id, status, id) >= ($1, $5, $2) AND (organization_id, status, id) < ($1, $5, $3)`
		order = `organization_id` + cursor.Direction() + `, status` + cursor.Direction()
		if f.Status != EmailSent { // equalities: the reading ends before the e-mails that were sent
			where = `organization_id = $1 AND status = $5`
			order = `status` + cursor.Direction()
		}
	}
	if f.NoteID != "" {
		args = []any{f.NoteID}
		where = `organization_id = $1 AND id IN (
			SELECT id FROM emails WHERE note_id = $5 UNION ALL SELECT id FROM emails WHERE copy_of = $5)`
		order = `livemode` // which they all have alike: no other index is of use
		if f.Status != "" {
			where, args = where+` AND status = $6`, append(args, f.Status)
		}
	}
	return `SELECT id FROM emails WHERE ` + where + ` AND id >= $2 AND id < $3 ORDER BY ` + order + `, id` +
		cursor.Direction() + ` LIMIT $4`, args
}

// emailsByID reads e-mails by their ids, newest first.
func (s *Store) emailsByID(ctx context.Context, ids []string) (emails []ListedEmail, err error) {
	emails = []ListedEmail{}
	if len(ids) == 0 {
		return emails, nil
	}
	err = s.db.All(ctx, &emails, `
		SELECT `+EmailColumns+`, n.reference, coalesce(n.customer ->> 'name', '') AS customer,
			coalesce(`+emailAddress+`, '') AS address
		FROM unnest($1::text[]) AS chosen (id)
		CROSS JOIN LATERAL (SELECT * FROM emails WHERE id = chosen.id AND id >= $2 AND id <= $3 LIMIT 1) e
		CROSS JOIN LATERAL (SELECT reference, customer, customer_id FROM notes WHERE id = `+emailNote+` LIMIT 1) n
		CROSS JOIN LATERAL (SELECT email FROM customers WHERE id = n.customer_id LIMIT 1) c`,
		pq.Array(ids), slices.Min(ids), slices.Max(ids))
	slices.SortFunc(emails, func(a, b ListedEmail) int { return strings.Compare(b.ID, a.ID) })
	return emails, err
}

// EmailOf reads an e-mail of an organization.
func (s *Store) EmailOf(ctx context.Context, scope nfse.Scope, id string) (email Email, err error) {
	emails := []Email{}
	err = s.db.SelectContext(ctx, &emails, `
		SELECT `+EmailColumns+` FROM emails e
		WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	if err == nil && len(emails) == 0 {
		return email, nfse.NewError(nfse.CodeNotFound, "email", "there is no e-mail %q", id)
	}
	if err != nil {
		return email, err
	}
	return emails[0], nil
}

// RetryFailedEmails starts e-mails of an organization that failed again, oldest first, at
// most limit of them, and returns how many.
func (c *Changes) RetryFailedEmails(ctx context.Context, scope nfse.Scope, limit int) (retried int, err error) {
	err = c.Change(ctx, func(tx *sqlx.Tx) (records []audit.Record, err error) {
		var ids []string
		err = tx.SelectContext(ctx, &ids, `
			SELECT id FROM emails WHERE organization_id = $1 AND livemode = $2 AND status = 'failed'
			ORDER BY id LIMIT $3 FOR NO KEY UPDATE`, scope.OrganizationID, scope.Livemode, limit)
		if err != nil {
			return nil, err
		}
		for _, id := range ids {
			if err := c.retryEmail(ctx, tx, id); err != nil {
				return nil, err
			}
			records = append(records, audit.Record{Action: audit.EmailRetry, SubjectID: id,
				Before: map[string]any{"status": EmailFailed}, After: map[string]any{"status": EmailPending}}.Of(scope))
		}
		retried = len(ids)
		return records, nil
	})
	return retried, err
}
