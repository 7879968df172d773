package store

import (
	"context"

	"emissor/nfse"
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

// bookNotes are the notes of a month, each with its entries, and what was distributed of it. Only
// what was issued since the distribution is recorded, and a day before it succeeded last, has to be
// there.
const bookNotes = `month AS MATERIALIZED (
		SELECT id, reference, coalesce(authority_number, '') AS number, coalesce(access_key, '') AS access_key,
			coalesce(customer ->> 'name', '') AS customer, status, amount_cents, register_ledger,
			authority_issued_at, cancelled_at
		FROM notes WHERE organization_id = $1 AND livemode AND competence >= $2::date
			AND competence < ($2::date + interval '1 month')::date AND issued_at IS NOT NULL
	), book AS MATERIALIZED (
		SELECT m.*, i.amount_cents AS entered, r.amount_cents AS reversed, t.note_id IS NOT NULL AS told,
			coalesce(m.authority_issued_at > d.notes_since
				AND m.authority_issued_at < d.succeeded_at - interval '1 day', false) AS to_be_told,
			coalesce(m.cancelled_at < d.succeeded_at - interval '1 day', false) AS end_to_be_told
		FROM month m
		LEFT JOIN ledger_entries i ON i.note_id = m.id AND i.kind = 'issued'
		LEFT JOIN ledger_entries r ON r.note_id = m.id AND r.kind = 'reversed'
		LEFT JOIN distributed_notes t ON t.note_id = m.id
		LEFT JOIN fiscal_exchanges f ON f.note_id = m.id AND f.kind = 'issue' AND f.state = 'accepted'
		LEFT JOIN distributions d ON d.authority = f.authority AND d.production = f.production
			AND d.tax_id = f.tax_id AND d.over_at IS NULL
	)`

// MonthBooks compares what three books have of a month: the live notes with a document, the ledger,
// and what the authority has distributed. At most limit differences are named. One statement, so that
// the month is read once.
func (s *Store) MonthBooks(ctx context.Context, organizationID string, month nfse.Month,
	limit int) (books MonthBooks, err error) {
	const ofNote = ` AS kind, id AS note_id, reference, number, access_key, customer, status,
		amount_cents AS note_cents, `
	var rows []struct {
		MonthBooks
		BookDifference
	}
	err = s.db.SelectContext(ctx, &rows, `
		WITH `+bookNotes+`, counted AS (
			SELECT count(*) AS notes, count(entered) AS entered,
				count(*) FILTER (WHERE entered IS NULL AND NOT register_ledger) AS left_out,
				count(*) FILTER (WHERE told) AS distributed,
				count(*) FILTER (WHERE NOT told AND NOT to_be_told) AS untold
			FROM book
		), differences AS (
			SELECT 'ledger_missing'`+ofNote+`entered AS other_cents FROM book
			WHERE register_ledger AND entered IS NULL
			UNION ALL
			SELECT 'ledger_not_reversed'`+ofNote+`entered FROM book
			WHERE status = 'cancelled' AND entered IS NOT NULL AND reversed IS NULL
			UNION ALL
			SELECT 'ledger_taken'`+ofNote+`0 FROM book WHERE status = 'issued' AND reversed IS NOT NULL
			UNION ALL
			SELECT 'ledger_amount'`+ofNote+`entered FROM book WHERE entered <> amount_cents
			UNION ALL
			SELECT 'adn_missing'`+ofNote+`NULL FROM book WHERE to_be_told AND NOT told
			UNION ALL
			SELECT 'adn_not_cancelled'`+ofNote+`NULL FROM book
			WHERE status = 'cancelled' AND end_to_be_told AND told AND NOT EXISTS (SELECT FROM external_events e
				WHERE e.note_id = book.id AND e.effect IN ('cancels', 'replaces'))
			UNION ALL
			SELECT 'adn_not_applied'`+ofNote+`NULL::bigint FROM book
			WHERE EXISTS (SELECT FROM external_events e WHERE e.note_id = book.id AND e.problem IS NOT NULL)
			UNION ALL
			SELECT 'adn_unknown', '', '', o.number::text, o.access_key, '', '', NULL, NULL
			FROM external_documents o JOIN distributions d ON d.id = o.distribution_id
			WHERE o.note_id IS NULL AND `+monthOfKey+` AND NOT EXISTS (SELECT FROM notes n
					WHERE n.livemode AND n.access_key = o.access_key)
				AND EXISTS (SELECT FROM `+issuingProfiles+` p WHERE p.organization_id = $1 AND `+profileOf+`)
		)
		SELECT counted.*, coalesce(kind, '') AS kind, coalesce(note_id, '') AS note_id,
			coalesce(reference, '') AS reference, coalesce(number, '') AS number,
			coalesce(access_key, '') AS access_key, coalesce(customer, '') AS customer,
			coalesce(status, '') AS status, note_cents, other_cents
		FROM counted LEFT JOIN (SELECT * FROM differences ORDER BY kind, reference, access_key LIMIT $3) d ON true
		ORDER BY kind, reference, access_key`, organizationID, firstDay(month), limit+1)
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

// monthOfKey chooses documents o of the month $2. The access key of the national system says in
// which one it was made (AAMM); of another the month in which it was received counts.
const monthOfKey = `CASE WHEN o.access_key ~ '^[0-9]{50}$' THEN substring(o.access_key FROM 37 FOR 4) =
	to_char($2::date, 'YYMM')
	ELSE (o.received_at AT TIME ZONE 'America/Sao_Paulo')::date BETWEEN $2::date
		AND ($2::date + interval '1 month - 1 day')::date END`
