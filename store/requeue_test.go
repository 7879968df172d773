package store_test

import (
	"fmt"
	"slices"
	"testing"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/outbox"
)

func (n tenancy) requeue(t *testing.T, limit int) int {
	t.Helper()
	_, requeued, err := n.Store.Outbox.RequeueNotes(t.Context(), limit)
	must(t, err)
	return requeued
}

// stale makes every note look as if it had not moved for its pause.
func (n tenancy) stale(t *testing.T) {
	t.Helper()
	n.Exec(t, `UPDATE notes SET requeue_after = now() - interval '1 second'`)
}

// pause is how many minutes the note is left alone from now on.
func (n tenancy) pause(t *testing.T, id string) int {
	t.Helper()
	return n.Count(t, `SELECT round(extract(epoch FROM requeue_after - now()) / 60)::int FROM notes WHERE id = $1`, id)
}

func TestRequeue_Notes(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t)
	queued := tenant.accept(t, "queued")
	processing := tenant.begin(t, "processing")
	inLive := live.begin(t, "processing")
	_, err := tenant.settleIssued(t, tenant.Store, tenant.begin(t, "issued"))
	must(t, err)
	_, err = tenant.settleRejected(t, tenant.begin(t, "rejected"))
	must(t, err)
	tenant.Exec(t, `DELETE FROM outbox`)

	if requeued := tenant.requeue(t, 10); requeued != 0 {
		t.Errorf("%d notes that have just moved are requeued", requeued)
	}
	for id, expected := range map[string]int{queued: 10, processing: 10} {
		if pause := tenant.pause(t, id); pause != expected {
			t.Errorf("a new note is left alone for %d minutes", pause)
		}
	}
	tenant.stale(t)
	if requeued := tenant.requeue(t, 10); requeued != 3 {
		t.Errorf("%d notes are requeued, expected the 3 on their way", requeued)
	}
	waiting, err := tenant.Store.Outbox.WaitingStarts(t.Context(), 10)
	must(t, err)
	var subjects []string
	for _, row := range waiting {
		subjects = append(subjects, row.SubjectID)
		if scope := (nfse.Scope{OrganizationID: row.OrganizationID, Livemode: row.Livemode}); scope != tenant.scope &&
			scope != live.scope {
			t.Errorf("the row is of another scope: %+v", row)
		}
		if expected := map[string]string{queued: "queued", processing: "processing",
			inLive: "processing"}[row.SubjectID]; row.Reference != expected ||
			row.Livemode != (row.SubjectID == inLive) {
			t.Errorf("the row of %s is %+v", expected, row)
		}
	}
	slices.Sort(subjects)
	expected := []string{queued, processing, inLive}
	slices.Sort(expected)
	if !slices.Equal(subjects, expected) {
		t.Errorf("started again are %v, expected %v", subjects, expected)
	}
	if starts := tenant.claim(t, 10); len(starts) != 2 {
		t.Errorf("%d requeued rows are due at once", len(starts))
	}
}

func TestRequeue_Batches(t *testing.T) {
	tenant := newTenant(t)
	for i := range 5 {
		id := tenant.accept(t, fmt.Sprint(i))
		tenant.Exec(t, `UPDATE notes SET requeue_after = now() - make_interval(mins => $1) WHERE id = $2`, 60-i, id)
	}
	tenant.Exec(t, `DELETE FROM outbox`)
	for _, expected := range []int{2, 4, 5, 5} {
		tenant.requeue(t, 2)
		if rows := tenant.Count(t, `SELECT count(*) FROM outbox WHERE reference::int < $1`,
			expected); rows != expected {
			t.Errorf("%d rows are there for the %d longest stale", rows, expected)
		}
		tenant.expectCounts(t, 5, 5, expected)
	}
}

func TestRequeue_Pause(t *testing.T) {
	tenant := newTenant(t)
	id := tenant.accept(t, "pedido-1")
	for _, minutes := range []int{20, 40, 80, 160, 320, 360, 360, 360, 360, 360, 360, 360} {
		tenant.stale(t)
		tenant.requeue(t, 1)
		if pause := tenant.pause(t, id); pause != minutes {
			t.Fatalf("the note is left alone for %d minutes, expected %d", pause, minutes)
		}
	}
	_, err := tenant.Store.Lifecycle.BeginNote(t.Context(), id)
	must(t, err)
	if pause := tenant.pause(t, id); pause != 10 {
		t.Errorf("a note that moved is left alone for %d minutes", pause)
	}
	tenant.stale(t)
	tenant.requeue(t, 1)
	if pause := tenant.pause(t, id); pause != 20 {
		t.Errorf("then it is left alone for %d minutes", pause)
	}
}

func TestRequeue_RowThatWaits(t *testing.T) {
	tenant := newTenant(t)
	live := tenant.inLive(t)
	tenant.accept(t, "claimed")
	live.accept(t, "paused")
	tenant.claim(t, 10)
	must(t, tenant.Store.Outbox.PauseBacklogs(t.Context(), fact.NoAuthority.Fact(),
		outbox.Backlog{Kind: outbox.StartNote, Scope: nfse.Scope{Livemode: true}}))
	before := tenant.Text(t, `SELECT jsonb_agg(to_jsonb(outbox) ORDER BY id)::text FROM outbox`)
	tenant.stale(t)
	if requeued := tenant.requeue(t, 10); requeued != 0 {
		t.Errorf("%d notes are said to be requeued", requeued)
	}
	if after := tenant.Text(t, `SELECT jsonb_agg(to_jsonb(outbox) ORDER BY id)::text FROM outbox`); after != before {
		t.Errorf("the outbox was\n%s\nand is\n%s", before, after)
	}
	if stale := tenant.Count(t, `SELECT count(*) FROM notes WHERE requeue_after <= now()`); stale != 0 {
		t.Errorf("%d notes would be looked at again at once", stale)
	}
}

func TestRequeue_AtTheSameTime(t *testing.T) {
	tenant := newTenant(t)
	for i := range 20 {
		tenant.accept(t, fmt.Sprint(i))
	}
	tenant.Exec(t, `DELETE FROM outbox`)
	tenant.stale(t)
	var requeued int
	for _, n := range together(8, func(int) int { return tenant.requeue(t, 20) }) {
		requeued += n
	}
	requeued += tenant.requeue(t, 20) // what one passed over because another had it
	if requeued != 20 {
		t.Errorf("%d notes are requeued, expected 20", requeued)
	}
	tenant.expectCounts(t, 20, 20, 20)
}
