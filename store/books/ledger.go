package books

import (
	"context"
	"time"

	"emissor/nfse"
)

// LedgerKind is what an entry of the ledger says of its note.
type LedgerKind string

// The kinds of entries. A note has at most one of each.
const (
	LedgerIssued   LedgerKind = "issued"
	LedgerReversed LedgerKind = "reversed" // the issued note was cancelled: a negative amount
)

// LedgerEntry is a line of the ledger.
type LedgerEntry struct {
	ID             string         `db:"id" json:"id"`
	OrganizationID string         `db:"organization_id" json:"organization_id"`
	NoteID         string         `db:"note_id" json:"note_id"`
	Kind           LedgerKind     `db:"kind" json:"kind"`
	AmountCents    int64          `db:"amount_cents" json:"amount_cents"`
	Competence     nfse.Day       `db:"competence" json:"competence"` // of the note
	CreatedAt      nfse.Timestamp `db:"created_at" json:"created_at"`
	// Totals are what the note's document states; nil where it states none. They are not
	// turned around in an entry that reverses another.
	Totals *nfse.Totals `db:"totals" json:"totals"`
}

// Counted is one of the totals as the entry counts it: less than nothing where it reverses
// another.
func (e LedgerEntry) Counted(total *int64) *int64 {
	if total == nil || e.Kind != LedgerReversed {
		return total
	}
	return new(-*total)
}

// Ledger lists an organization's entries since a moment, oldest first. The
// zero time is the beginning.
func (s *Store) Ledger(ctx context.Context, organizationID string, since time.Time, limit int) ([]LedgerEntry, error) {
	entries := []LedgerEntry{}
	err := s.db.SelectContext(ctx, &entries, `
		SELECT l.id, l.organization_id, l.note_id, l.kind, l.amount_cents, n.competence, l.created_at,
			n.authority_totals AS totals
		FROM ledger_entries l JOIN notes n ON n.id = l.note_id
		WHERE l.organization_id = $1 AND l.livemode AND l.created_at >= $2 ORDER BY l.id LIMIT $3`,
		organizationID, since, limit)
	return entries, err
}
