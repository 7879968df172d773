package store_test

import (
	"errors"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/store/operate"
)

// A note that cannot take a document over keeps what it has: a number that another note took is not its own, and a
// worker that is at the note is not disturbed.
func TestTakeOver_ChangesNothingWhereItCannot(t *testing.T) {
	n, certificate := newIssuer(t)
	n.SetProfile(t, n.issuer())
	one, other := n.signed(t, certificate, "one"), n.signed(t, certificate, "other")
	series := one.Profile.SeriesKey()
	takeOver := func(number int64) error {
		return n.Changes().Operate.TakeOverDocument(t.Context(), n.scope.OrganizationID, series, number, one.NoteID)
	}
	n.foundUnder(t, other.Number)
	if err := takeOver(other.Number); !errors.Is(err, operate.ErrNoteCannotTake) {
		t.Errorf("the number of another note: %v", err)
	}
	n.foundUnder(t, 9)
	by := newLease(time.Minute)
	if leased, err := n.Store.Lifecycle.LeaseExchange(t.Context(), one.NoteID, fiscal.Issue, by); err != nil ||
		leased == nil {
		t.Fatalf("the lease is %v, %v", leased, err)
	}
	if err := takeOver(9); !errors.Is(err, operate.ErrBeingWorkedAt) {
		t.Errorf("while a worker is at it: %v", err)
	}
	if e := n.exchange(t, one.NoteID, fiscal.Issue); e.State != fiscal.Signed || e.Number != one.Number {
		t.Errorf("its exchange is %+v", e.Exchange)
	}
	must(t, n.Store.Lifecycle.ReleaseExchange(t.Context(), one.NoteID, by))
	must(t, takeOver(9))
	if e := n.exchange(t, one.NoteID, fiscal.Issue); e.State != fiscal.InDoubt || e.Number != 9 {
		t.Errorf("its exchange is %+v", e.Exchange)
	}
}
