package books

import (
	"context"
	"time"

	"emissor/nfse"
	"emissor/store/postgres"
)

// LedgerLine is an entry of the ledger with its note's reference, number and customer.
type LedgerLine struct {
	LedgerEntry
	Reference string `db:"reference"`
	Number    string `db:"number"` // at the authority; empty where it gives none
	Customer  string `db:"customer"`
}

// LedgerFilter chooses a period of an organization's ledger, from Since and before Until,
// and a page of it.
type LedgerFilter struct {
	Since, Until time.Time
	After        string // an id: only older ones
	Before       string // an id: only newer ones, the oldest of them
	Limit        int
}

// LedgerPage is a page of the ledger, newest first.
type LedgerPage struct {
	Lines []LedgerLine
	Newer bool // there are entries before the first
	Older bool // there are entries after the last
}

// FilterLedger lists the entries of a period.
func (s *Store) FilterLedger(ctx context.Context, organizationID string, filter LedgerFilter) (page LedgerPage,
	err error) {
	page.Lines = []LedgerLine{}
	cursor := postgres.Cursor{After: filter.After, Before: filter.Before, Limit: filter.Limit}
	condition, id := ``, filter.After
	switch {
	case filter.Before != "":
		condition, id = ` AND (created_at, id) > (`+momentOfEntry+`, $4)`, filter.Before
	case filter.After != "":
		condition = ` AND (created_at, id) < (` + momentOfEntry + `, $4)`
	}
	if condition == "" {
		condition = ` AND $4 = ''`
	}
	lowest, highest := postgres.IDsMadeIn(nfse.PrefixLedgerEntry, filter.Since, filter.Until)
	err = s.db.SelectContext(ctx, &page.Lines, ledgerLines(condition, cursor.Direction()),
		organizationID, filter.Since, filter.Until, id, filter.Limit+1, lowest, highest)
	page.Lines, page.Newer, page.Older = postgres.NewestFirst(page.Lines, cursor)
	return page, err
}

// momentOfEntry is when the entry of the cursor was made. As a subquery it is evaluated
// once, so that the comparison with it is a place in the index.
const momentOfEntry = `(SELECT created_at FROM ledger_entries WHERE organization_id = $1 AND livemode AND id = $4)`

// ledgerLines are the entries of organization $1 from $2 on and before $3, $5 of them at most, whose ids are from $6 on
// and before $7, so that a statement is planned for the parts of the period.
func ledgerLines(condition, direction string) string {
	return `
		SELECT l.id, l.organization_id, l.note_id, l.kind, l.amount_cents, n.competence, l.created_at,
			n.authority_totals AS totals, n.reference,
			coalesce(n.authority_number, '') AS number, coalesce(n.customer ->> 'name', '') AS customer
		FROM (SELECT * FROM ledger_entries
			WHERE organization_id = $1 AND created_at >= $2 AND created_at < $3
				AND id >= $6 AND id < $7` + condition + `
			ORDER BY organization_id` + direction + `, created_at` + direction + `, id` + direction + ` LIMIT $5) l
		JOIN notes n ON n.id = l.note_id
		ORDER BY l.created_at` + direction + `, l.id` + direction
}

// LedgerBatch reads entries of a period oldest first, after the entry with the id after,
// for exports of all of them.
func (s *Store) LedgerBatch(
	ctx context.Context, organizationID string, since, until time.Time, after string, limit int,
) ([]LedgerLine, error) {
	lines := []LedgerLine{}
	condition := ` AND $4 = ''`
	if after != "" {
		condition = ` AND (created_at, id) > (` + momentOfEntry + `, $4)`
	}
	lowest, highest := postgres.IDsMadeIn(nfse.PrefixLedgerEntry, since, until)
	err := s.db.SelectContext(ctx, &lines, ledgerLines(condition, ``), organizationID, since, until, after, limit,
		lowest, highest)
	return lines, err
}

// LedgerSums are the sums of the entries of a period.
type LedgerSums struct {
	Issued        int64 `db:"issued"` // entries
	IssuedCents   int64 `db:"issued_cents"`
	Reversed      int64 `db:"reversed"`
	ReversedCents int64 `db:"reversed_cents"` // negative, or nothing
}

// NetCents is what was issued less what was reversed.
func (s LedgerSums) NetCents() int64 { return s.IssuedCents + s.ReversedCents }

// ledgerZone is the time zone of the ledger's days.
const ledgerZone = `'America/Sao_Paulo'`

const sumOfEntries = `count(*) FILTER (WHERE kind = 'issued') AS issued,
	coalesce(sum(amount_cents) FILTER (WHERE kind = 'issued'), 0)::bigint AS issued_cents,
	count(*) FILTER (WHERE kind = 'reversed') AS reversed,
	coalesce(sum(amount_cents) FILTER (WHERE kind = 'reversed'), 0)::bigint AS reversed_cents`

// LedgerSums adds up a period of whole days: those that are closed from their sums,
// and the entries since.
func (s *Store) LedgerSums(ctx context.Context, organizationID string, first, last time.Time) (sums LedgerSums,
	err error) {
	lowest, highest := postgres.IDsMadeIn(nfse.PrefixLedgerEntry, first, last)
	err = s.db.GetContext(ctx, &sums, `
		WITH closed AS (
			SELECT ((max(day) + 1)::timestamp AT TIME ZONE `+ledgerZone+`) AS until FROM ledger_days
			WHERE organization_id = $1
		), period AS (
			SELECT issued, issued_cents, reversed, reversed_cents FROM ledger_days
			WHERE organization_id = $1 AND day >= $2::date AND day <= $3::date
			UNION ALL
			SELECT `+sumOfEntries+` FROM ledger_entries WHERE organization_id = $1
				AND id >= $4 AND id < $5 AND created_at >= coalesce((SELECT until FROM closed), '-infinity')
				AND created_at >= ($2::date)::timestamp AT TIME ZONE `+ledgerZone+`
				AND created_at < ($3::date + 1)::timestamp AT TIME ZONE `+ledgerZone+`
		)
		SELECT sum(issued)::bigint AS issued, sum(issued_cents)::bigint AS issued_cents,
			sum(reversed)::bigint AS reversed, sum(reversed_cents)::bigint AS reversed_cents FROM period`,
		organizationID, first.Format(time.DateOnly), last.Format(time.DateOnly), lowest, highest)
	return sums, err
}

// CloseLedgerDays sums up, for organizations that have one, the next day that has been over
// for an hour, and returns how many days it closed: 0 when there are no more. After an hour
// no transaction of that day is open any more.
func (s *Store) CloseLedgerDays(ctx context.Context) (closed int, err error) {
	_, closed, err = s.db.Counted(ctx, ledgerDays, daysAtOnce)
	return closed, err
}

const daysAtOnce = 500

var ledgerDays = postgres.RowLoop{
	Name: `ledger days`, ID: `o.id`,
	Due: `SELECT o.id AS key, next.day FROM organizations o
		CROSS JOIN LATERAL (
			SELECT (created_at AT TIME ZONE ` + ledgerZone + `)::date AS day FROM ledger_entries
			WHERE organization_id = o.id AND created_at >= coalesce((
				SELECT (max(day) + 1)::timestamp AT TIME ZONE ` + ledgerZone + ` FROM ledger_days
				WHERE organization_id = o.id), '-infinity')
			ORDER BY organization_id, created_at, id LIMIT 1) next
		WHERE (next.day + 1)::timestamp AT TIME ZONE ` + ledgerZone + ` < now() - interval '1 hour' AND %s
		LIMIT $1`,
	Do: `WITH closed AS (
			INSERT INTO ledger_days (organization_id, day, issued, issued_cents, reversed, reversed_cents)
			SELECT due.key, due.day, day.* FROM (%s) due CROSS JOIN LATERAL (
				SELECT ` + sumOfEntries + ` FROM ledger_entries
				WHERE organization_id = due.key AND created_at >= due.day::timestamp AT TIME ZONE ` + ledgerZone + `
					AND created_at < (due.day + 1)::timestamp AT TIME ZONE ` + ledgerZone + `) day
			ON CONFLICT (organization_id, day) DO NOTHING
			RETURNING organization_id)
		SELECT count(*), count(*) FROM closed`,
	// due reads the entries of each organization to find its next day, and may fail by them.
	Every: `SELECT o.id FROM organizations o WHERE %s ORDER BY o.id LIMIT greatest($1, 1000000)`,
}
