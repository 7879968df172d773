package notes

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/postgres"
)

// NoteFilter chooses notes of a scope for a person who looks through them. Zero
// fields choose all. A period is a range of ids, which are ordered by time.
type NoteFilter struct {
	Status       nfse.Status
	Held         bool       // those that wait for a person
	IDs          []string   // of these only
	InPart       bool       // they were found by NotesNamedInPart
	Reference    string     // exactly
	RequestID    string     // of the request that created the note or asked to cancel it; without a reference
	CustomerIDs  []string   // of these customers
	AmountCents  int64      // exactly
	ServiceID    string     // of this service
	Since, Until time.Time  // when it was accepted: from the one, and before the other
	Month        nfse.Month // of its competence
	Sort         NoteSort
	After        string // an id: only those that follow it in the order
	Before       string // an id: only newer ones, the oldest of them; by acceptance only
	Limit        int
}

// NoteSort is an order of notes.
type NoteSort string

// The orders. The zero value is by acceptance, newest first.
const (
	SortAccepted   NoteSort = ""
	SortCompetence NoteSort = "competence" // latest first
	SortAmount     NoteSort = "amount"     // highest first, of the newest notes that a page looks at
)

// lookAt is how many notes a page looks through at most for what no index finds.
const lookAt = 10_000

// NotePage is a page of notes, newest first.
type NotePage struct {
	Notes []nfse.Note
	Newer string // the id before which there may be newer ones; empty where there are none
	Older string // the id after which there may be older ones; empty where there are none

	LookedUntil *nfse.Note // the search ended here, before the end of the list: the next page goes on
}

// FilterNotes lists the chosen notes.
func (s *Store) FilterNotes(ctx context.Context, scope nfse.Scope, filter NoteFilter) (page NotePage, err error) {
	rows, err := s.selectNotes(ctx, filter.query(), filter.parameters(scope))
	if err != nil {
		return page, err
	}
	rows, more := postgres.Cut(rows, filter.Limit)
	if filter.Before != "" {
		slices.Reverse(rows)
	}
	page.Notes = make([]nfse.Note, len(rows))
	for i, row := range rows {
		if page.Notes[i], err = row.Note(); err != nil {
			return page, err
		}
	}
	first, last := filter.After, filter.Before // for a page without notes
	if len(rows) > 0 {
		first, last = rows[0].ID, rows[len(rows)-1].ID
	}
	if filter.After != "" || filter.Before != "" && more {
		page.Newer = first
	}
	if filter.Before != "" || more {
		page.Older = last
	}
	if !more && filter.looksThrough() {
		err = s.lookedUntil(ctx, scope, filter, &page)
	}
	return page, err
}

// lookedUntil says where the search of a page ended, if that was before the end.
func (s *Store) lookedUntil(ctx context.Context, scope nfse.Scope, filter NoteFilter, page *NotePage) error {
	rows, err := s.selectNotes(ctx, `SELECT `+Columns+` FROM notes WHERE id = (SELECT id FROM notes
		WHERE `+filter.scopeRange()+filter.scopeOrder()+` OFFSET :look - 1 LIMIT 1)`, filter.parameters(scope))
	if err != nil || len(rows) == 0 {
		return err
	}
	looked, err := rows[0].Note()
	page.LookedUntil = &looked
	if filter.Before != "" {
		page.Newer = looked.ID
	} else {
		page.Older = looked.ID
	}
	return err
}

func (s *Store) selectNotes(ctx context.Context, query string, parameters map[string]any) (rows []Row, err error) {
	bound, args, err := s.db.BindNamed(query, parameters)
	if err != nil {
		return nil, err
	}
	err = s.db.SelectContext(ctx, &rows, bound, args...)
	return rows, err
}

// NoteSums are how many notes a filter chooses, and their value.
type NoteSums struct {
	Count       int   `db:"count"`
	AmountCents int64 `db:"amount_cents"`
	Cut         bool  `db:"-"` // there may be more: only so many were looked at
}

// SumNotes adds up the chosen notes, at most lookAt of them, the newest.
func (s *Store) SumNotes(ctx context.Context, scope nfse.Scope, filter NoteFilter) (sums NoteSums, err error) {
	filter.After, filter.Before, filter.Limit = "", "", lookAt
	from, order := filter.from()
	query, args, err := s.db.BindNamed(`SELECT count(*), CAST(coalesce(sum(amount_cents), 0) AS bigint) AS amount_cents
		FROM (SELECT amount_cents FROM `+from+order+` LIMIT :rows) AS chosen`, filter.parameters(scope))
	if err != nil {
		return sums, err
	}
	if err := s.db.GetContext(ctx, &sums, query, args...); err != nil {
		return sums, err
	}
	sums.Cut = sums.Count > lookAt
	if filter.looksThrough() && !sums.Cut {
		var page NotePage
		err = s.lookedUntil(ctx, scope, filter, &page)
		sums.Cut = page.LookedUntil != nil
	}
	return sums, err
}

func (f NoteFilter) direction() string {
	if f.Before != "" {
		return ""
	}
	return " DESC"
}

const (
	// As in InPage, so that the planner uses the index of the scope.
	notesOfScope = `(organization_id, livemode, id) >= (:organization, :livemode, :lowest)
		AND (organization_id, livemode, id) < (:organization, :livemode, :highest)`

	// Equalities, so that the planner uses another index than that of the scope.
	notesEqual = `organization_id = :organization AND livemode = :livemode AND id >= :lowest AND id < :highest`

	// As notesOfScope, by the index of the competence. A page begins at the competence of a note.
	notesOfMonth = `(organization_id, livemode, competence, id) >= (:organization, :livemode,
			coalesce((SELECT competence FROM notes WHERE id = :before AND organization_id = :organization),
				CAST(:month AS date)), :from)
		AND (organization_id, livemode, competence, id) < (:organization, :livemode,
			coalesce((SELECT competence FROM notes WHERE id = :after AND organization_id = :organization),
				CAST(:month_after AS date)), :after)
		AND competence >= :month AND competence < :month_after -- which the planner can estimate
		AND id >= :lowest AND id < :highest`
)

// byCompetence reports whether what no index finds is read along the competence.
func (f NoteFilter) byCompetence() bool { return f.Month != "" || f.Sort == SortCompetence }

func (f NoteFilter) scopeRange() string {
	if f.byCompetence() {
		return notesOfMonth
	}
	return notesOfScope
}

func (f NoteFilter) scopeOrder() string {
	direction := f.direction()
	of := ` ORDER BY organization_id` + direction + `, livemode` + direction
	if f.byCompetence() {
		of += `, competence` + direction
	}
	return of + `, id` + direction
}

// NeedsPeriod reports whether no index finds what is asked for. Then each page looks
// through a bounded number of notes of a period.
func (f NoteFilter) NeedsPeriod() bool {
	return (f.AmountCents != 0 || f.ServiceID != "") && !f.indexed() && f.Month == ""
}

// looksThrough reports whether the page reads notes that it does not show.
func (f NoteFilter) looksThrough() bool {
	return (f.AmountCents != 0 || f.ServiceID != "") && !f.indexed() && f.CustomerIDs == nil
}

// indexed reports whether an index finds few notes, regardless of the other filters.
func (f NoteFilter) indexed() bool {
	return f.IDs != nil || f.Reference != "" || f.RequestID != "" || f.Held
}

// sorted reports whether what was found is put into another order than that in which it is read.
func (f NoteFilter) sorted() bool {
	return f.Sort == SortAmount || f.byCompetence() && (f.indexed() || f.CustomerIDs != nil || f.endedBadly() ||
		f.Status != "" && !f.Status.Terminal()) && !f.looksThrough()
}

func (f NoteFilter) endedBadly() bool {
	return f.Status == nfse.StatusRejected || f.Status == nfse.StatusCancelled
}

// conditions are those that choose among what an index finds.
func (f NoteFilter) conditions() (conditions []string) {
	if f.Status != "" {
		conditions = append(conditions, `status = :status`)
	}
	if f.AmountCents != 0 {
		conditions = append(conditions, `amount_cents = :amount`)
	}
	if f.ServiceID != "" {
		conditions = append(conditions, `service_id = :service`)
	}
	if f.Month != "" {
		conditions = append(conditions, `competence >= :month`, `competence < :month_after`)
	}
	return conditions
}

// query reads a page: what an index finds, and only then the rows of the page. Where the order is another
// than that of the index, the newest notes that were found are sorted.
func (f NoteFilter) query() string {
	from, order := f.from()
	if !f.sorted() && !f.endedBadly() {
		return `SELECT ` + Columns + ` FROM ` + from + order + ` LIMIT :rows`
	}
	found := `SELECT id FROM ` + from + order + ` LIMIT :rows`
	order = ` ORDER BY id` + f.direction()
	if f.sorted() {
		found, order = f.foundSorted()
	}
	return `SELECT ` + Columns + ` FROM notes WHERE organization_id = :organization
		AND id = ANY(ARRAY(` + found + `))` + order
}

// foundSorted are the ids of a page in the order that is asked for.
func (f NoteFilter) foundSorted() (found, order string) {
	column, direction, compare := `amount_cents`, f.direction(), ` < `
	if f.Sort != SortAmount {
		column = `competence`
	}
	if direction == "" {
		compare = ` > `
	}
	all := f
	all.After, all.Before = "", ""
	from, along := all.from()
	order = ` ORDER BY ` + column + direction + `, id` + direction
	return `SELECT id FROM (SELECT * FROM ` + from + along + ` LIMIT :look) AS notes
		WHERE :cursor = '' OR (` + column + `, id)` + compare + `((SELECT n.` + column + ` FROM notes n
			WHERE n.id = :cursor AND n.organization_id = :organization), :cursor)` + order + ` LIMIT :rows`, order
}

// from reads along one index: of the scope or the competence, of the rejected and cancelled notes,
// of those under way, which are few, of customers, or of what is named exactly.
func (f NoteFilter) from() (from, order string) {
	direction := f.direction()
	if f.looksThrough() {
		return `(SELECT * FROM notes WHERE ` + f.scopeRange() + f.scopeOrder() + ` LIMIT :look) AS notes WHERE ` +
			strings.Join(f.conditions(), ` AND `), f.scopeOrder()
	}
	from, order = `notes`, ` ORDER BY id`+direction
	where := []string{notesEqual}
	switch {
	case f.IDs != nil:
		where = append(where, `id = ANY(:ids)`)
	case f.Reference != "":
		where = append(where, `id = (SELECT r.note_id FROM note_references r
			WHERE r.organization_id = :organization AND r.livemode = :livemode AND r.reference = :reference)`)
	case f.RequestID != "":
		where = append(where, `id = ANY(ARRAY(SELECT id FROM notes WHERE request_id = :request
			UNION SELECT note_id FROM note_steps WHERE request_id = :request))`)
	case f.Held:
		where = append(where, `held_reason IS NOT NULL`)
	case f.CustomerIDs != nil:
		of := append(where, `customer_id = chosen`)
		from = `unnest(CAST(:customers AS text[])) AS chosen CROSS JOIN LATERAL (SELECT * FROM notes WHERE ` +
			strings.Join(append(of, f.conditions()...), ` AND `) +
			` ORDER BY organization_id` + direction + `, livemode` + direction + `, customer_id` + direction +
			`, id` + direction + ` LIMIT :each) AS notes`
		where = nil
	case f.endedBadly():
		where = append(where, `status IN ('rejected', 'cancelled')`)
		order = ` ORDER BY status` + direction + `, id` + direction
	case f.Status != "" && !f.Status.Terminal():
		where = append(where, `id IN (SELECT id FROM notes
			WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending')`)
	default:
		where, order = []string{f.scopeRange()}, f.scopeOrder()
	}
	if f.CustomerIDs == nil {
		where = append(where, f.conditions()...)
	}
	if len(where) > 0 {
		from += ` WHERE ` + strings.Join(where, ` AND `)
	}
	return from, order
}

func (f NoteFilter) parameters(scope nfse.Scope) map[string]any {
	lowest, highest := nfse.FirstID(nfse.PrefixNote, f.Since), "~"
	if !f.Until.IsZero() {
		highest = nfse.FirstID(nfse.PrefixNote, f.Until)
	}
	from, month, monthAfter, each := "", "2000-01-01", "2100-01-01", f.Limit+1
	if f.Month != "" {
		month, monthAfter = string(f.Month.FirstDay()), string(f.Month.Next().FirstDay())
	}
	if f.Before != "" {
		from = f.Before + "!" // the first text after it
	}
	switch {
	case f.sorted():
		each = lookAt
	case !f.byCompetence():
		lowest = max(lowest, from)
		if f.After != "" {
			highest = min(highest, f.After)
		}
	}
	return map[string]any{
		"organization": scope.OrganizationID, "livemode": scope.Livemode, "lowest": lowest, "highest": highest,
		"status": f.Status, "reference": f.Reference, "request": f.RequestID, "rows": f.Limit + 1, "look": lookAt,
		"ids": pq.Array(f.IDs), "customers": pq.Array(f.CustomerIDs), "amount": f.AmountCents, "service": f.ServiceID,
		"month": month, "month_after": monthAfter, "from": from, "before": f.Before, "after": f.After, "each": each,
		"cursor": f.After + f.Before, // of which there is one
	}
}

// An access key has 50 digits, of which those from 23 to 36 are the number of the note.
const (
	accessKeyDigits = 50
	numberFrom      = 23
	numberTo        = 36
)

// NotesNamed finds the notes of a scope that a text names: by reference, number, access
// key, or the id of one of their events or deliveries.
func (s *Store) NotesNamed(ctx context.Context, scope nfse.Scope, text string) (ids []string, err error) {
	key, numbers := "", []string{text}
	if digits := strings.TrimPrefix(text, "NFS"); len(digits) == accessKeyDigits { // as the document writes it
		text = digits
	}
	if len(text) == accessKeyDigits && strings.Trim(text, "0123456789") == "" {
		key = text
		numbers = []string{key[numberFrom:numberTo], strings.TrimLeft(key[numberFrom:numberTo], "0")}
	}
	query := `
		SELECT r.note_id AS id FROM note_references r
			WHERE r.organization_id = $1 AND r.livemode = $2 AND r.reference = $3
		UNION
		(SELECT id FROM notes WHERE organization_id = $1 AND livemode = $2 AND authority_number = ANY($4)
			AND ($5 = '' OR access_key = $5) LIMIT 100)`
	if key != "" {
		query += `
		UNION
		SELECT id FROM notes WHERE $2 AND livemode AND access_key = $5 AND organization_id = $1`
	}
	err = s.db.All(ctx, &ids, query, scope.OrganizationID, scope.Livemode, text, pq.Array(numbers), key)
	if err != nil {
		return nil, err
	}
	id, err := s.noteOfMessage(ctx, scope, text)
	if id != "" && !slices.Contains(ids, id) {
		ids = append(ids, id)
	}
	return ids, err
}

// noteOfMessage is the note of an event or a delivery with this id; empty where there is none. Each is asked for by
// its key and only where the text begins as such an id: they lie in many parts.
func (s *Store) noteOfMessage(ctx context.Context, scope nfse.Scope, id string) (noteID string, err error) {
	if strings.HasPrefix(id, string(nfse.PrefixDelivery)) {
		err = s.db.GetContext(ctx, &id, `SELECT event_id FROM deliveries
			WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	}
	if err == nil && strings.HasPrefix(id, string(nfse.PrefixEvent)) {
		err = s.db.GetContext(ctx, &noteID, `SELECT note_id FROM events
			WHERE organization_id = $1 AND livemode = $2 AND id = $3`, scope.OrganizationID, scope.Livemode, id)
	}
	return noteID, postgres.NoRow(err, nil)
}

// shortestPart is how many characters a part of a reference has at least.
const shortestPart = 3

// NotesNamedInPart finds notes of a scope by how the reference begins, and of the newest lookAt notes of a
// period by any part of it (LookedForPart). Of each it finds 100 at most.
func (s *Store) NotesNamedInPart(
	ctx context.Context, scope nfse.Scope, part string, since, until time.Time,
) (ids []string, err error) {
	lowest, highest := postgres.IDRange(nfse.PrefixNote, since, until, postgres.Cursor{})
	if utf8.RuneCountInString(part) < shortestPart {
		return nil, nil
	}
	err = s.db.SelectContext(ctx, &ids, `
		(SELECT r.note_id AS id FROM note_references r WHERE r.organization_id = $1 AND r.livemode = $2
			AND r.reference >= $3 AND r.reference < $3 || U&'\+10FFFF' ORDER BY r.reference LIMIT 100)
		UNION
		(SELECT id FROM (SELECT id, reference FROM notes WHERE (organization_id, livemode, id) >= ($1, $2, $5)
				AND (organization_id, livemode, id) < ($1, $2, $6) AND id >= $5 AND id < $6
			ORDER BY organization_id DESC, livemode DESC, id DESC LIMIT $4) recent
			WHERE strpos(lower(reference), lower($3)) > 0 LIMIT 100)`,
		scope.OrganizationID, scope.Livemode, part, lookAt, lowest, highest)
	return ids, err
}

// LookedForPart is when the oldest note was accepted that NotesNamedInPart looks at in a period; ok is false where it
// looks at all of them.
func (s *Store) LookedForPart(
	ctx context.Context, scope nfse.Scope, since, until time.Time,
) (oldest time.Time, ok bool, err error) {
	lowest, highest := postgres.IDRange(nfse.PrefixNote, since, until, postgres.Cursor{})
	err = s.db.GetContext(ctx, &oldest, `SELECT created_at FROM notes WHERE id = (SELECT id FROM notes
		WHERE (organization_id, livemode, id) >= ($1, $2, $4) AND (organization_id, livemode, id) < ($1, $2, $5)
			AND id >= $4 AND id < $5
		ORDER BY organization_id DESC, livemode DESC, id DESC OFFSET $3 - 1 LIMIT 1)`,
		scope.OrganizationID, scope.Livemode, lookAt, lowest, highest)
	return oldest, err == nil, postgres.NoRow(err, nil)
}
