package books

import (
	"context"

	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/postgres"
	"emissor/store/received"
)

// BookDifference is one thing in which the books of a month do not agree.
type BookDifference struct {
	Kind       DifferenceKind `db:"kind"`
	NoteID     string         `db:"note_id"` // empty of a document of which there is no note
	Reference  string         `db:"reference"`
	Number     string         `db:"number"`
	AccessKey  string         `db:"access_key"`
	Customer   string         `db:"customer"`
	Status     string         `db:"status"`      // of the note
	NoteCents  *int64         `db:"note_cents"`  // by our note
	OtherCents *int64         `db:"other_cents"` // by the other book; nil where it has none
}

// DifferenceKind says what differs.
type DifferenceKind string

// The differences.
const (
	LedgerMissing     DifferenceKind = "ledger_missing"      // the key registers its notes, and the ledger lacks this one
	LedgerNotReversed DifferenceKind = "ledger_not_reversed" // it is cancelled, and the ledger still has it
	LedgerTaken       DifferenceKind = "ledger_taken"        // it stands, and the ledger has reversed it
	LedgerAmount      DifferenceKind = "ledger_amount"       // the ledger has another amount
	ADNMissing        DifferenceKind = "adn_missing"         // a day later it was not distributed
	ADNNotCancelled   DifferenceKind = "adn_not_cancelled"   // cancelled, and a day later that was not distributed
	ADNNotApplied     DifferenceKind = "adn_not_applied"     // an event was distributed that the note does not follow
	ADNUnknown        DifferenceKind = "adn_unknown"         // a document was distributed that is not on record
)

// DifferenceKinds are all of them.
var DifferenceKinds = []DifferenceKind{LedgerMissing, LedgerNotReversed, LedgerTaken, LedgerAmount, ADNMissing,
	ADNNotCancelled, ADNNotApplied, ADNUnknown}

// MonthBooks counts what each book has of a month's live notes with a document.
type MonthBooks struct {
	Notes       int64            `db:"notes"`
	Entered     int64            `db:"entered"`     // those that the ledger has
	LeftOut     int64            `db:"left_out"`    // those that it is not to have: their keys do not register there
	Distributed int64            `db:"distributed"` // those that the distribution has told of
	Untold      int64            `db:"untold"`      // those that nothing is distributed of, or was before it was recorded
	Differences []BookDifference `db:"-"`
	More        bool             `db:"-"` // there are more differences
}

// Compared reports whether there was anything to compare: another book has a note of the month, or lacks one.
func (b MonthBooks) Compared() bool { return b.Entered+b.Distributed > 0 || len(b.Differences) > 0 }

// bookNotes are the notes of a month (book), each with its entries and whether it was distributed, and of those about
// which it matters what the distribution had to tell (looked): those that it has not told of, and cancelled ones, which
// are few. Only what was issued since the distribution is recorded, and a day before it succeeded last, has to be
// there. What names a note is read only of those that differ. The ids of a month's notes, from $4 to $5, are close
// together: the other books are read from there to there at most, and not as a whole.
const bookNotes = `month AS MATERIALIZED (
		SELECT id, status, amount_cents, register_ledger, authority_issued_at, cancelled_at
		FROM notes WHERE organization_id = $1 AND livemode AND competence >= $2::date
			AND competence < ($2::date + interval '1 month')::date AND issued_at IS NOT NULL
			AND id BETWEEN $4 AND $5
	), book AS MATERIALIZED (
		SELECT m.*, i.amount_cents AS entered, r.amount_cents AS reversed, t.note_id IS NOT NULL AS told
		FROM month m
		LEFT JOIN ledger_entries i ON i.note_id = m.id AND i.kind = 'issued' AND i.note_id BETWEEN $4 AND $5
		LEFT JOIN ledger_entries r ON r.note_id = m.id AND r.kind = 'reversed' AND r.note_id BETWEEN $4 AND $5
		LEFT JOIN distributed_notes t ON t.note_id = m.id AND t.note_id BETWEEN $4 AND $5
	), looked AS MATERIALIZED (
		SELECT b.id, b.status, b.told, coalesce(b.authority_issued_at > d.notes_since
				AND b.authority_issued_at < d.succeeded_at - interval '1 day', false) AS to_be_told,
			coalesce(b.cancelled_at < d.succeeded_at - interval '1 day', false) AS end_to_be_told
		FROM book b
		LEFT JOIN fiscal_exchanges f ON f.note_id = b.id AND f.kind = 'issue' AND f.state = 'accepted'
			AND f.note_id BETWEEN $4 AND $5
		LEFT JOIN distributions d ON d.authority = f.authority AND d.production = f.production
			AND d.tax_id = f.tax_id AND d.over_at IS NULL
		WHERE NOT b.told OR b.status = 'cancelled'
	)`

// MonthBooks compares what three books have of a month: the live notes with a document, the ledger,
// and what the authority has distributed. At most limit differences are named. One statement compares, so
// that the month is read once.
func (s *Store) MonthBooks(ctx context.Context, organizationID string, month nfse.Month,
	limit int) (books MonthBooks, err error) {
	first, last, err := s.idsOfMonth(ctx, organizationID, month)
	if err != nil {
		return books, err
	}
	var rows []struct {
		MonthBooks
		BookDifference
	}
	err = s.db.SelectContext(ctx, &rows, `
		WITH `+bookNotes+`, counted AS (
			SELECT count(*) AS notes, count(entered) AS entered,
				count(*) FILTER (WHERE entered IS NULL AND NOT register_ledger) AS left_out,
				count(*) FILTER (WHERE told) AS distributed,
				(SELECT count(*) FROM looked WHERE NOT told AND NOT to_be_told) AS untold
			FROM book
		), differing AS (
			SELECT 'ledger_missing' AS kind, id, entered AS other_cents FROM book
			WHERE register_ledger AND entered IS NULL
			UNION ALL
			SELECT 'ledger_not_reversed', id, entered FROM book
			WHERE status = 'cancelled' AND entered IS NOT NULL AND reversed IS NULL
			UNION ALL
			SELECT 'ledger_taken', id, 0 FROM book WHERE status = 'issued' AND reversed IS NOT NULL
			UNION ALL
			SELECT 'ledger_amount', id, entered FROM book WHERE entered <> amount_cents
			UNION ALL
			SELECT 'adn_missing', id, NULL FROM looked WHERE to_be_told AND NOT told
			UNION ALL
			SELECT 'adn_not_cancelled', id, NULL FROM looked
			WHERE status = 'cancelled' AND end_to_be_told AND told AND NOT EXISTS (SELECT FROM external_events e
				WHERE e.note_id = looked.id AND e.effect IN ('cancels', 'replaces'))
			UNION ALL
			SELECT 'adn_not_applied', id, NULL FROM book
			WHERE EXISTS (SELECT FROM external_events e WHERE e.note_id = book.id AND e.problem IS NOT NULL
				AND e.note_id BETWEEN $4 AND $5)
		), differences AS (
			SELECT d.kind, n.id AS note_id, n.reference, coalesce(n.authority_number, '') AS number,
				coalesce(n.access_key, '') AS access_key, coalesce(n.customer ->> 'name', '') AS customer, n.status,
				n.amount_cents AS note_cents, d.other_cents
			FROM differing d JOIN notes n ON n.id = d.id AND n.organization_id = $1 AND n.id BETWEEN $4 AND $5
			UNION ALL
			SELECT 'adn_unknown', '', '', o.number::text, o.access_key, '', '', NULL, NULL
			FROM external_documents o JOIN distributions d ON d.id = o.distribution_id
			WHERE o.note_id IS NULL AND `+monthOfKey+` AND NOT EXISTS (SELECT FROM notes n
					WHERE n.livemode AND n.access_key = o.access_key)
				AND EXISTS (SELECT FROM `+companies.IssuingProfiles+` p WHERE p.organization_id = $1 AND `+received.ProfileOf+`)
		)
		SELECT counted.*, coalesce(kind, '') AS kind, coalesce(note_id, '') AS note_id,
			coalesce(reference, '') AS reference, coalesce(number, '') AS number,
			coalesce(access_key, '') AS access_key, coalesce(customer, '') AS customer,
			coalesce(status, '') AS status, note_cents, other_cents
		FROM counted LEFT JOIN (SELECT * FROM differences ORDER BY kind, reference, access_key LIMIT $3) d ON true
		ORDER BY kind, reference, access_key`, organizationID, postgres.FirstDay(month), limit+1, first, last)
	if err != nil {
		return books, err
	}
	books = rows[0].MonthBooks
	for _, row := range rows {
		if row.Kind != "" {
			books.Differences = append(books.Differences, row.BookDifference)
		}
	}
	if len(books.Differences) > limit {
		books.Differences, books.More = books.Differences[:limit], true
	}
	return books, nil
}

// idsOfMonth are the ids between which those of a month's live notes are; empty where it has none. What is accepted
// meanwhile is not compared yet. Materialized, as the planner might look for the first id of all notes instead.
func (s *Store) idsOfMonth(ctx context.Context, organizationID string, month nfse.Month) (first, last string,
	err error) {
	err = s.db.QueryRowxContext(ctx, `WITH month AS MATERIALIZED (
			SELECT id FROM notes WHERE organization_id = $1 AND livemode AND competence >= $2::date
				AND competence < ($2::date + interval '1 month')::date)
		SELECT coalesce(min(id), ''), coalesce(max(id), '') FROM month`, organizationID, postgres.FirstDay(month)).
		Scan(&first, &last)
	return first, last, err
}

// monthOfKey chooses documents o of the month $2. The access key of the national system says in
// which one it was made (AAMM); of another the month in which it was received counts.
const monthOfKey = `CASE WHEN o.access_key ~ '^[0-9]{50}$' THEN substring(o.access_key FROM 37 FOR 4) =
	to_char($2::date, 'YYMM')
	ELSE (o.received_at AT TIME ZONE 'America/Sao_Paulo')::date BETWEEN $2::date
		AND ($2::date + interval '1 month - 1 day')::date END`
