package store_test

import (
	"fmt"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/store/books"
)

// bookkeeping is a live organization whose notes go into the ledger.
func bookkeeping(t *testing.T) tenancy {
	t.Helper()
	return newTenant(t).inLive(t).withDefaults(t, nfse.Defaults{RegisterLedger: true})
}

func (n tenancy) ledger(t *testing.T, since time.Time, limit int) []books.LedgerEntry {
	t.Helper()
	entries, err := n.Store.Books.Ledger(t.Context(), n.scope.OrganizationID, since, limit)
	must(t, err)
	return entries
}

func TestLedger_IssuedAndReversed(t *testing.T) {
	live := bookkeeping(t)
	id := live.issue(t, "first", "")
	_, err := live.settleIssued(t, live.Store, id)
	must(t, err)
	note, err := live.Store.Notes.Note(t.Context(), live.scope, id)
	must(t, err)
	entries := live.ledger(t, time.Time{}, 10)
	if len(entries) != 1 || entries[0].NoteID != id || entries[0].Kind != books.LedgerIssued ||
		entries[0].AmountCents != 15000 || entries[0].Competence != nfse.DayOf(note.CreatedAt.Time) ||
		!nfse.IsID(nfse.PrefixLedgerEntry, entries[0].ID) || entries[0].OrganizationID != live.scope.OrganizationID {
		t.Fatalf("the ledger is %+v", entries)
	}
	live.cancel(t, id)
	_, err = live.Store.Lifecycle.AcceptCancellation(t.Context(), id, "again")
	must(t, err)
	entries = live.ledger(t, time.Time{}, 10)
	if len(entries) != 2 || entries[1].Kind != books.LedgerReversed || entries[1].AmountCents != -15000 ||
		entries[1].NoteID != id {
		t.Errorf("the ledger is %+v", entries)
	}
}

// What the ledger never had, it does not take back: a note cancelled before it
// was issued, and one whose key asks for no entry.
func TestLedger_OnlyWhatWasEntered(t *testing.T) {
	live := bookkeeping(t)
	live.cancel(t, live.begin(t, "never issued"))
	silent := live.withDefaults(t, nfse.Defaults{EmailCustomer: true})
	silent.cancel(t, silent.issue(t, "not asked for", "maria@example.com"))
	if entries := live.ledger(t, time.Time{}, 10); len(entries) != 0 {
		t.Errorf("the ledger is %+v", entries)
	}
}

func TestLedger_List(t *testing.T) {
	live := bookkeeping(t)
	other := addTenant(t, live.Database, true).withDefaults(t, nfse.Defaults{RegisterLedger: true})
	other.issue(t, "foreign", "")
	var ids []string
	for i := range 3 {
		ids = append(ids, live.issue(t, fmt.Sprint(i), ""))
	}
	live.Exec(t, `UPDATE ledger_entries SET created_at = now() - interval '3 days' WHERE note_id = $1`, ids[0])
	notes := func(entries []books.LedgerEntry) (listed []string) {
		for _, entry := range entries {
			listed = append(listed, entry.NoteID)
		}
		return listed
	}
	for name, test := range map[string]struct {
		since    time.Time
		limit    int
		expected []string
	}{
		"all":       {time.Time{}, 10, ids},
		"limited":   {time.Time{}, 2, ids[:2]},
		"since":     {time.Now().Add(-24 * time.Hour), 10, ids[1:]},
		"in future": {time.Now().Add(24 * time.Hour), 10, nil},
	} {
		if listed := notes(live.ledger(t, test.since, test.limit)); fmt.Sprint(listed) != fmt.Sprint(test.expected) {
			t.Errorf("%s: %v, expected %v", name, listed, test.expected)
		}
	}
}
