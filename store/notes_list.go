package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"emissor/nfse"
)

// NoteFilter chooses notes of a scope for a person who looks through them. Zero
// fields choose all. A period is one of ids, which are ordered by time.
type NoteFilter struct {
	Status       nfse.Status
	Reference    string    // exactly
	RequestID    string    // of the request that created the note or asked to cancel it; without a reference
	Since, Until time.Time // when it was accepted: from the one, and before the other
	After        string    // an id: only older ones
	Before       string    // an id: only newer ones, the oldest of them
	Limit        int
}

// NotePage is a page of notes, newest first.
type NotePage struct {
	Notes []nfse.Note
	Newer bool // there are notes before the first
	Older bool // there are notes behind the last
}

// FilterNotes lists the chosen notes.
func (s *Store) FilterNotes(ctx context.Context, scope nfse.Scope, filter NoteFilter) (page NotePage, err error) {
	query, args, err := s.db.BindNamed(filter.query(), filter.parameters(scope))
	if err != nil {
		return page, err
	}
	var rows []noteRow
	if err := s.db.SelectContext(ctx, &rows, query, args...); err != nil {
		return page, err
	}
	rows, more := cut(rows, filter.Limit)
	if filter.Before != "" {
		slices.Reverse(rows)
		page.Newer, page.Older = more, true
	} else {
		page.Newer, page.Older = filter.After != "", more
	}
	page.Notes = make([]nfse.Note, len(rows))
	for i, row := range rows {
		if page.Notes[i], err = row.note(); err != nil {
			return page, err
		}
	}
	return page, nil
}

// query walks one index: of the scope, of the notes that ended badly, of those under
// way, which are few, or of what is named exactly.
func (f NoteFilter) query() string {
	direction := " DESC"
	if f.Before != "" {
		direction = ""
	}
	// As in inPage, so that the planner keeps to the scope.
	where := []string{`(organization_id, livemode, id) >= (:organization, :livemode, :lowest)`,
		`(organization_id, livemode, id) < (:organization, :livemode, :highest)`}
	order := []string{"organization_id" + direction, "livemode" + direction, "id" + direction}
	// Elsewhere as equalities, so that it keeps to the other index.
	equal := []string{`organization_id = :organization AND livemode = :livemode AND id >= :lowest AND id < :highest`}
	switch {
	case f.Reference != "":
		where, order = append(equal, `reference = :reference`), []string{"id" + direction}
	case f.RequestID != "":
		where = append(equal, `id = ANY(ARRAY(SELECT id FROM notes WHERE request_id = :request
			UNION SELECT note_id FROM note_steps WHERE request_id = :request))`)
		order = []string{"id" + direction}
	case f.Status == nfse.StatusRejected, f.Status == nfse.StatusCancelled:
		where = append(equal, `status IN ('rejected', 'cancelled')`)
		order = []string{"status" + direction, "id" + direction}
	case f.Status != "" && !f.Status.Terminal():
		where = append(where, `id IN (SELECT id FROM notes
			WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending')`)
	}
	if f.Status != "" {
		where = append(where, `status = :status`)
	}
	return `SELECT ` + noteColumns + ` FROM notes WHERE ` + strings.Join(where, ` AND `) +
		` ORDER BY ` + strings.Join(order, `, `) + ` LIMIT :rows`
}

func (f NoteFilter) parameters(scope nfse.Scope) map[string]any {
	lowest, highest := nfse.FirstID(nfse.PrefixNote, f.Since), "~"
	if f.Before != "" {
		lowest = max(lowest, f.Before+"!") // the first text after it
	}
	if !f.Until.IsZero() {
		highest = nfse.FirstID(nfse.PrefixNote, f.Until)
	}
	if f.After != "" {
		highest = min(highest, f.After)
	}
	return map[string]any{
		"organization": scope.OrganizationID, "livemode": scope.Livemode, "lowest": lowest, "highest": highest,
		"status": f.Status, "reference": f.Reference, "request": f.RequestID, "rows": f.Limit + 1,
	}
}
