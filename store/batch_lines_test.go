package store_test

import (
	"errors"
	"slices"
	"testing"

	"emissor/nfse"
	"emissor/store/batches"
	"emissor/test/testkit"
)

// A line whose note was accepted is never reported as one to send again, no matter how the attempt that accepted it
// ended; and a line that ended meanwhile is not begun.
func TestBatchLines_NoteWithoutItsAnswer(t *testing.T) {
	n := newTenant(t)
	before := n.accept(t, "line-2")
	lines := make([]batches.BatchLine, 4)
	for i := range lines {
		lines[i] = batches.BatchLine{Line: i + 2, TaxID: "52998224725",
			Issuance: nfse.Issuance{Reference: "line-" + string(rune('2'+i)), ServiceID: n.service.ID, AmountCents: 15000}}
	}
	by := n.byPerson()
	id, _, err := by.Batches.CreateBatch(t.Context(), batches.Batch{Scope: n.scope, Digest: "x", AmountCents: 60000},
		lines)
	must(t, err)
	_, err = by.Batches.AcceptBatch(t.Context(), n.scope, id, "", "", nfse.Defaults{})
	must(t, err)
	lost, late := n.accept(t, "line-3"), n.accept(t, "line-4")
	waits := func(line int) bool {
		waits, err := n.Store.Batches.LineWaits(t.Context(), id, line)
		must(t, err)
		return waits
	}
	if !waits(4) {
		t.Error("a line does not wait")
	}
	for line := 2; line <= 5; line++ {
		must(t, n.Store.Batches.FailLine(t.Context(), id, line, nfse.CodeServiceInactive, "service_id"))
	}
	if waits(5) {
		t.Error("a line that failed waits")
	}
	expected := "2 known " + before + ", 3 accepted " + lost + ", 4 accepted " + late + ", 5 failed service_inactive"
	if found := n.batchLines(t, id); found != expected {
		t.Errorf("the lines are %s", found)
	}
	last := n.accept(t, "line-5") // of an attempt that went on beside the one that gave up
	must(t, n.Store.Batches.EndLine(t.Context(), id, 5, last))
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

// Who is erased while a spreadsheet is being accepted is in none of its lines, which fail; the others are accepted.
func TestErasure_BesideAcceptance(t *testing.T) {
	n := newTenant(t)
	const gone, stays nfse.TaxID = "52998224725", "11144477735"
	by := n.byPerson()
	id, _, err := by.Batches.CreateBatch(t.Context(), batches.Batch{Scope: n.scope, Digest: "x"}, []batches.BatchLine{
		{Line: 2, TaxID: gone, Issuance: nfse.Issuance{Reference: "line-2", ServiceID: n.service.ID, AmountCents: 15000}},
		{Line: 3, TaxID: stays, Issuance: nfse.Issuance{Reference: "line-3", ServiceID: n.service.ID, AmountCents: 15000}},
	})
	must(t, err)
	// Somebody holds the row of the outbox for which the acceptance waits, once it has written the lines.
	other, err := n.SQL.Beginx()
	must(t, err)
	defer func() { _ = other.Rollback() }()
	_, err = other.Exec(`INSERT INTO outbox (kind, subject_id, organization_id, livemode)
		VALUES ('batch', $1, $2, $3)`, id, n.scope.OrganizationID, n.scope.Livemode)
	must(t, err)
	waiting := func(sessions int) {
		testkit.Eventually(t, "they wait for each other", func() bool {
			return n.Count(t, `SELECT count(*) FROM pg_stat_activity
				WHERE datname = current_database() AND wait_event_type = 'Lock'`) == sessions
		})
	}
	ended := make(chan error, 2)
	go func() {
		_, err := by.Batches.AcceptBatch(t.Context(), n.scope, id, "2026-11", "2026-11-30", nfse.Defaults{})
		ended <- err
	}()
	waiting(1)
	go func() {
		_, err := n.Changes().Privacy.EraseCustomer(t.Context(), n.scope.OrganizationID, gone, true)
		ended <- err
	}()
	waiting(2)
	must(t, other.Rollback())
	must(t, errors.Join(<-ended, <-ended))
	if found := n.batchLines(t, id); found != "2 failed customer_erased, 3 waiting" {
		t.Errorf("the lines are %s", found)
	}
	if left := n.Count(t, `SELECT count(*) FROM batch_lines WHERE tax_id = $1 OR request::text LIKE '%' || $1 || '%'`,
		string(gone)); left != 0 {
		t.Error("a line still names who was erased")
	}
}

// A line that an erasure has ended stays so when its spreadsheet is accepted, and no month is asked for because of it.
// A line of another spreadsheet that cannot be read keeps nobody from being asked.
func TestBatchMonths_LinesErased(t *testing.T) {
	n := newTenant(t)
	const gone, stays nfse.TaxID = "52998224725", "11144477735"
	by := n.byPerson()
	create := func(digest string, lines ...batches.BatchLine) string {
		id, _, err := by.Batches.CreateBatch(t.Context(), batches.Batch{Scope: n.scope, Digest: digest}, lines)
		must(t, err)
		return id
	}
	undated := nfse.Issuance{Reference: "line-2", ServiceID: n.service.ID, AmountCents: 15000}
	dated := nfse.Issuance{Reference: "line-3", ServiceID: n.service.ID, AmountCents: 15000, Competence: "2026-11-03"}
	poison := create("poison", batches.BatchLine{Line: 2, TaxID: stays, Issuance: dated})
	_, err := by.Batches.AcceptBatch(t.Context(), n.scope, poison, "", "", nfse.Defaults{})
	must(t, err)
	months := func(id string) []batches.BatchMonth {
		counts, err := n.Store.Batches.BatchMonths(t.Context(), n.scope, id, []nfse.Month{"2026-10", "2026-11"},
			"2026-11-30")
		must(t, err)
		return counts
	}
	id := create("x", batches.BatchLine{Line: 2, TaxID: gone, Issuance: undated},
		batches.BatchLine{Line: 3, TaxID: stays, Issuance: dated})
	if asked := months(id); len(asked) != 2 {
		t.Errorf("asked is %+v", asked)
	}
	_, err = n.Changes().Privacy.EraseCustomer(t.Context(), n.scope.OrganizationID, gone, true)
	must(t, err)
	if asked := months(id); !slices.Equal(asked, []batches.BatchMonth{{Repeated: 1}}) {
		t.Errorf("asked is %+v", asked)
	}
	n.Exec(t, `UPDATE batch_lines SET request = request || '{"AmountCents": "poison", "Competence": "poison"}'
		WHERE batch_id = $1`, poison)
	if asked := months(id); !slices.Equal(asked, []batches.BatchMonth{{}}) {
		t.Errorf("asked is %+v", asked)
	}
	_, err = by.Batches.AcceptBatch(t.Context(), n.scope, id, "", "", nfse.Defaults{})
	must(t, err)
	if found := n.batchLines(t, id); found != "2 failed customer_erased, 3 waiting" {
		t.Errorf("the lines are %s", found)
	}
}
