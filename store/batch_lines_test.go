package store_test

import (
	"testing"

	"emissor/nfse"
	"emissor/store"
)

// A line whose note was accepted is never told to be sent again, whatever became of the attempt that
// accepted it; and one that ended meanwhile is not begun.
func TestBatchLines_NoteWithoutItsAnswer(t *testing.T) {
	n := newTenant(t)
	before := n.accept(t, "line-2")
	lines := make([]store.BatchLine, 4)
	for i := range lines {
		lines[i] = store.BatchLine{Line: i + 2, TaxID: "52998224725",
			Issuance: nfse.Issuance{Reference: "line-" + string(rune('2'+i)), ServiceID: n.service.ID, AmountCents: 15000}}
	}
	by := n.byPerson()
	id, _, err := by.CreateBatch(t.Context(), store.Batch{Scope: n.scope, Digest: "x", AmountCents: 60000}, lines)
	must(t, err)
	_, err = by.AcceptBatch(t.Context(), n.scope, id, "", "", nfse.Defaults{})
	must(t, err)
	lost, late := n.accept(t, "line-3"), n.accept(t, "line-4")
	waits := func(line int) bool {
		waits, err := n.Store.LineWaits(t.Context(), id, line)
		must(t, err)
		return waits
	}
	if !waits(4) {
		t.Error("a line does not wait")
	}
	for line := 2; line <= 5; line++ {
		must(t, n.Store.FailLine(t.Context(), id, line, nfse.CodeServiceInactive, "service_id"))
	}
	if waits(5) {
		t.Error("a line that failed waits")
	}
	expected := "2 known " + before + ", 3 accepted " + lost + ", 4 accepted " + late + ", 5 failed service_inactive"
	if found := n.batchLines(t, id); found != expected {
		t.Errorf("the lines are %s", found)
	}
	last := n.accept(t, "line-5") // of an attempt that went on beside the one that gave up
	must(t, n.Store.EndLine(t.Context(), id, 5, last))
	if found := n.Text(t, `SELECT concat_ws(' ', status, note_id, code, field) FROM batch_lines
		WHERE line = 5`); found != "accepted "+last {
		t.Errorf("the line is %s", found)
	}
}

func (n tenancy) batchLines(t *testing.T, id string) string {
	t.Helper()
	return n.Text(t, `SELECT string_agg(concat_ws(' ', line, status, note_id, code), ', ' ORDER BY line)
		FROM batch_lines WHERE batch_id = $1`, id)
}
