//go:build upgrade

package upgrade

import (
	"os"
	"strings"
	"testing"

	"go.temporal.io/api/workflow/v1"

	"emissor/test/simulators/saopaulo"
)

// openRuns are runs by their types.
type openRuns = map[string][]*workflow.WorkflowExecutionInfo

// awaitEnd waits until nothing moves any more.
func (i *installation) awaitEnd(t *testing.T, engine engine) {
	t.Helper()
	for what, query := range map[string]string{
		"every note has ended": `SELECT count(*) FROM notes WHERE status IN ('queued', 'processing')
			OR cancellation_status = 'pending'`,
		"every delivery has arrived": `SELECT count(*) FROM deliveries WHERE status <> 'delivered'`,
		"the outbox is empty":        `SELECT count(*) FROM outbox`,
	} {
		eventually(t, what, func() bool { return i.count(t, query) == 0 })
	}
	eventually(t, "no run is open", func() bool { return len(engine.open(t)) == 0 })
}

func (l *load) expectNoneFailed(t *testing.T) {
	t.Helper()
	for _, failed := range l.failed {
		t.Error("a request failed: ", failed)
	}
	t.Logf("%d requests, %d notes", l.requests, len(l.notes))
}

// expectNotes compares what callers were told with the notes: each is there once, and ended as it must.
func (i *installation) expectNotes(t *testing.T, l *load) {
	t.Helper()
	var notes []struct {
		ID, Status string
		Cancelled  bool
	}
	check(t, i.database.SQL.SelectContext(t.Context(), &notes, `
		SELECT id, status, coalesce(cancellation_status = 'accepted', false) AS cancelled FROM notes`))
	accepted := map[string]issued{}
	for _, one := range l.notes {
		accepted[one.id] = one
	}
	for _, note := range notes {
		known, exists := accepted[note.ID]
		expected := "issued"
		switch {
		case !exists:
			t.Errorf("%s is a note that no caller knows of", note.ID)
			continue
		case known.cancelled:
			expected = "cancelled"
		case known.scenario == "rejected":
			expected = "rejected"
		}
		if note.Status != expected || note.Cancelled != known.cancelled {
			t.Errorf("%s (%s) is %s, not %s", note.ID, known.name, note.Status, expected)
		}
		delete(accepted, note.ID)
	}
	for id, one := range accepted {
		t.Errorf("%s (%s) was accepted and is lost", id, one.name)
	}
}

// expectEvents fails the test unless each end of a note has one event, and the receiver has taken those that it
// subscribes to.
func (i *installation) expectEvents(t *testing.T) {
	t.Helper()
	if wrong := i.count(t, `SELECT count(*) FROM notes WHERE
		(SELECT array_agg(type ORDER BY type DESC) FROM events WHERE note_id = notes.id) IS DISTINCT FROM
		array_remove(ARRAY[
			CASE WHEN status = 'rejected' THEN 'nfse.rejected' END,
			CASE WHEN issued_at IS NOT NULL THEN 'nfse.issued' END,
			CASE WHEN status = 'cancelled' THEN 'nfse.cancelled' END], NULL)`); wrong != 0 {
		t.Errorf("%d notes have not the events of their way", wrong)
	}
	var events []string
	check(t, i.database.SQL.SelectContext(t.Context(), &events,
		`SELECT id FROM events WHERE organization_id = $1`, i.company.ID))
	taken := map[string]bool{}
	for receipt, received := range i.receiver.Received() {
		taken[receipt.EventID] = taken[receipt.EventID] || received.Taken > 0
		if len(received.Bodies) > 1 {
			t.Errorf("the event %s came in %d forms", receipt.EventID, len(received.Bodies))
		}
	}
	for _, id := range events {
		if !taken[id] {
			t.Errorf("the receiver never took the event %s", id)
		}
	}
	t.Logf("%d events arrived", len(events))
}

// document is what an authority has issued.
type document struct {
	authority, number string
	cancelled         bool
}

// expectLedgers compares what the authorities issued with what we believe, one to one.
func (i *installation) expectLedgers(t *testing.T) {
	t.Helper()
	ledger := map[string]document{}
	national, _, err := i.national.Ledger(t.Context())
	check(t, err)
	for _, entry := range national {
		ledger[entry.AccessKey] = document{"national", entry.Number, entry.Cancelled}
	}
	city, _, err := i.saoPaulo.Ledger(t.Context())
	check(t, err)
	for _, entry := range city {
		ledger[entry.NationalKey] = document{"sao-paulo", entry.RPSNumber, entry.Cancelled}
		if entry.CancelledBy == saopaulo.ByResend {
			t.Errorf("the note %d was cancelled by a second sending of its RPS %s", entry.Number, entry.RPSNumber)
		}
	}
	if len(ledger) != len(national)+len(city) {
		t.Errorf("%d documents were issued under %d keys", len(national)+len(city), len(ledger))
	}
	var known []struct {
		ID        string `db:"id"`
		AccessKey string `db:"access_key"`
		Status    string `db:"status"`
		Authority string `db:"authority"`
		Number    string `db:"number"`
	}
	check(t, i.database.SQL.SelectContext(t.Context(), &known, `
		SELECT n.id, n.access_key, n.status, e.authority, e.number::text
		FROM notes n JOIN fiscal_exchanges e ON e.note_id = n.id AND e.kind = 'issue' AND e.state = 'accepted'
		WHERE n.issued_at IS NOT NULL`))
	for _, note := range known {
		want := document{note.Authority, note.Number, note.Status == "cancelled"}
		if got := ledger[note.AccessKey]; got != want {
			t.Errorf("%s is %+v, and at the authority %+v", note.ID, want, got)
		}
		delete(ledger, note.AccessKey)
	}
	for key, entry := range ledger {
		t.Errorf("%s was issued, %+v, and no note knows of it", key, entry)
	}
	t.Logf("%d documents of the national system, %d of the city", len(national), len(city))
}

// expectNoneFailed fails the test for each process that ended with an error, and shows what else their logs tell of: an
// engine that is late, on a busy machine.
func (i *installation) expectNoneFailed(t *testing.T) {
	t.Helper()
	for _, part := range i.parts {
		log, err := os.ReadFile(part.LogFile)
		check(t, err)
		for line := range strings.Lines(string(log)) {
			switch {
			case strings.HasPrefix(line, "emissor: "), strings.HasPrefix(line, "panic: "):
				t.Errorf("%s ended with %s", part.Name, line)
			case strings.Contains(line, `"level":"ERROR"`):
				t.Logf("%s logged %s", part.Name, line)
			}
		}
	}
}
