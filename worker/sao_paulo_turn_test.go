package worker_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"emissor/nfse"
	simulator "emissor/test/simulators/saopaulo"
	"emissor/test/testkit"
	"emissor/workflows"
)

// newSending is a company of São Paulo that has issued a note, and for whose next ones no question
// about numbers is needed. before is called once, when it is set, right before the statement by
// which a note takes its turn and is sent.
func newSending(t *testing.T) (n inSaoPaulo, before *atomic.Pointer[func()]) {
	t.Helper()
	before = &atomic.Pointer[func()]{}
	tap := &testkit.Wiretap{Before: func(statement string) {
		if strings.Contains(statement, "sending AS (") {
			if do := before.Swap(nil); do != nil {
				(*do)()
			}
		}
	}}
	n = newSaoPauloIn(t, simulator.Registry{}, testkit.Options{Connect: tap.Connect})
	n.Await(t, n.LiveKey, n.issue(t, "first"), nfse.StatusIssued)
	n.Exec(t, `UPDATE fiscal_series SET asked_at = clock_timestamp() + interval '10 minutes'`)
	return n, before
}

// atQueue says that a note went to a queue; empty where it went to none.
func (n inSaoPaulo) atQueue(t *testing.T, reference string) string {
	t.Helper()
	scope := nfse.Scope{OrganizationID: n.Organization.ID, Livemode: true}
	events := eventsOf(t, n.System, workflows.NoteID(scope, reference))
	if queued := count(events, enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED); queued != 0 {
		return fmt.Sprintf("%s was at the queue %d times, in %d events", reference, queued, len(events))
	}
	return ""
}

// A note whose turn is taken by another process, right before it is sent, goes back in line, and is
// sent by the same attempt.
func TestSaoPaulo_LosesItsTurn(t *testing.T) {
	t.Parallel()
	n, before := newSending(t)
	lose := func() {
		n.Exec(t, `UPDATE fiscal_series SET turn_token = gen_random_uuid(),
			turn_until = clock_timestamp() + interval '300 milliseconds'`)
	}
	notes := 1
	withinBudget(t, "next", func(reference string) string {
		before.Store(&lose)
		n.Await(t, n.LiveKey, n.issue(t, reference), nfse.StatusIssued)
		notes++
		if sent := n.Count(t, `SELECT count(*) FROM fiscal_calls WHERE what = 'issue'`); sent != notes ||
			before.Load() != nil {
			t.Errorf("%d messages of %d notes were sent", sent, notes)
		}
		return n.atQueue(t, reference)
	})
}

// A note whose cancellation comes right before it is sent is cancelled, and never sent.
func TestSaoPaulo_CancelledBeforeItIsSent(t *testing.T) {
	t.Parallel()
	n, before := newSending(t)
	withinBudget(t, "next", func(reference string) string {
		cancel := func() {
			id := n.Text(t, `SELECT id FROM notes WHERE reference = $1`, reference)
			n.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", n.LiveKey, cancelBody).Expect(t, http.StatusAccepted)
		}
		before.Store(&cancel)
		n.Await(t, n.LiveKey, n.issue(t, reference), nfse.StatusCancelled)
		return n.atQueue(t, reference)
	})
	if ledger := n.city.Ledger(); len(ledger) != 1 {
		t.Errorf("the city has %+v", ledger)
	}
}

// Of many notes of a series only a few are started, and the others wait in the outbox.
func TestSaoPaulo_WaitInTheOutbox(t *testing.T) {
	t.Parallel()
	n, _ := newSending(t)
	n.faults(t, simulator.Fault{Kind: simulator.Latency, Scope: simulator.Issue,
		Delay: simulator.Duration(700 * time.Millisecond)})
	const notes = 20
	var ids []string
	for i := range notes {
		ids = append(ids, n.issue(t, fmt.Sprint("order ", i)))
		if i == 3 { // once some of them stand in line
			testkit.Eventually(t, "a note waits for its turn", func() bool {
				return n.Count(t, `SELECT count(*) FROM notes WHERE status = 'processing'`) > 2
			})
		}
	}
	n.await(t, ids...)
	// By what is on record: how many were under way at once, whenever that was.
	begun := n.Count(t, `SELECT max(begun) FROM (SELECT count(*) AS begun FROM notes n JOIN notes other
		ON other.processing_at <= n.processing_at AND other.issued_at > n.processing_at GROUP BY n.id) at_once`)
	if begun > notes-notes/3 {
		t.Errorf("%d of %d notes were begun at once", begun, notes)
	}
	if ledger := n.city.Ledger(); len(ledger) != notes+1 {
		t.Errorf("the city has %d notes", len(ledger))
	}
}
