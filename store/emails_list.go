package store

import (
	"context"
	"time"

	"github.com/jmoiron/sqlx"

	"emissor/nfse"
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

// FilterEmails lists the chosen e-mails.
func (s *Store) FilterEmails(ctx context.Context, scope nfse.Scope, filter EmailListFilter) (page EmailPage,
	err error) {
	page.Emails = []ListedEmail{}
	if !scope.Livemode {
		return page, nil // the test environment sends none
	}
	cursor := cursor{filter.After, filter.Before, filter.Limit}
	lowest, highest := idRange(nfse.PrefixEmail, filter.Since, filter.Until, cursor)
	// By the index of the organization, or of its state; as in inPage, so that the planner uses it.
	where := `(e.organization_id, e.livemode, e.id) >= ($1, true, $2)
		AND (e.organization_id, e.livemode, e.id) < ($1, true, $3)`
	order := `e.organization_id` + cursor.direction() + `, e.livemode` + cursor.direction()
	if filter.Status != "" {
		where = `(e.organization_id, e.status, e.id) >= ($1, $5, $2)
			AND (e.organization_id, e.status, e.id) < ($1, $5, $3)`
		order = `e.organization_id` + cursor.direction() + `, e.status` + cursor.direction()
		if filter.Status != EmailSent { // equalities: the reading ends before the e-mails that were sent
			where = `e.organization_id = $1 AND e.status = $5 AND e.id >= $2 AND e.id < $3`
			order = `e.status` + cursor.direction()
		}
	}
	args := []any{scope.OrganizationID, lowest, highest, filter.Limit + 1}
	if filter.Status != "" {
		args = append(args, filter.Status)
	}
	if filter.NoteID != "" {
		where = `e.organization_id = $1 AND e.id >= $2 AND e.id < $3 AND e.id IN (
			SELECT id FROM emails WHERE note_id = $5 UNION ALL SELECT id FROM emails WHERE copy_of = $5)`
		order = `e.livemode` // which they all have alike: no other index is of use
		args = []any{scope.OrganizationID, lowest, highest, filter.Limit + 1, filter.NoteID}
		if filter.Status != "" {
			where, args = where+` AND e.status = $6`, append(args, filter.Status)
		}
	}
	list := s.db.SelectContext
	if filter.NoteID != "" {
		list = s.all // by the note, in whatever part
	}
	err = list(ctx, &page.Emails, `
		SELECT `+emailColumns+`, n.reference, coalesce(n.customer ->> 'name', '') AS customer,
			coalesce(`+emailAddress+`, '') AS address
		FROM (SELECT * FROM emails e WHERE `+where+` ORDER BY `+order+`, e.id`+cursor.direction()+` LIMIT $4) e
		JOIN notes n ON n.id = `+emailNote+` JOIN customers c ON c.id = n.customer_id
		ORDER BY e.id`+cursor.direction(), args...)
	page.Emails, page.Newer, page.Older = newestFirst(page.Emails, cursor)
	return page, err
}

// idRange is the range of ids of a period, on the side of the cursor that it asks for.
func idRange(prefix nfse.Prefix, since, until time.Time, cursor cursor) (lowest, highest string) {
	lowest, highest = nfse.FirstID(prefix, since), "~"
	if cursor.Before != "" {
		lowest = max(lowest, cursor.Before+"!") // the first text after it
	}
	if !until.IsZero() {
		highest = nfse.FirstID(prefix, until)
	}
	if cursor.After != "" {
		highest = min(highest, cursor.After)
	}
	return lowest, highest
}

// EmailOf reads an e-mail of an organization.
func (s *Store) EmailOf(ctx context.Context, scope nfse.Scope, id string) (email Email, err error) {
	emails := []Email{}
	err = s.db.SelectContext(ctx, &emails, `
		SELECT `+emailColumns+` FROM emails e
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
	err = c.change(ctx, func(tx *sqlx.Tx) (records []auditRecord, err error) {
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
			records = append(records, auditRecord{Action: AuditEmailRetry, SubjectID: id,
				Before: map[string]any{"status": EmailFailed}, After: map[string]any{"status": EmailPending}}.of(scope))
		}
		retried = len(ids)
		return records, nil
	})
	return retried, err
}
