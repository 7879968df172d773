package worker_test

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"

	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
	"emissor/workflows"
)

var cancelBody = testkit.Body{"reason_code": "1", "reason_text": "emitida com o valor errado"}

func cancel(t *testing.T, s *testkit.System, key, id string, body testkit.Body) testkit.Answer {
	t.Helper()
	return s.Call(t, http.MethodPost, "/v1/nfse/"+id+"/cancel", key, body)
}

// issueIn issues a note that goes as its scenario says.
func issueIn(t *testing.T, s *testkit.System, service, reference, scenario string) string {
	t.Helper()
	body := testkit.Issuance(service, reference)
	body["sandbox_scenario"] = scenario
	return s.Issue(t, s.TestKey, body)
}

func expectEvents(t *testing.T, s *testkit.System, id string, types ...string) {
	t.Helper()
	if n := s.Count(t, `SELECT count(*) FROM events WHERE note_id = $1`, id); n != len(types) {
		t.Errorf("%d events, expected %v", n, types)
	}
	for _, kind := range types {
		if n := s.Count(t, `SELECT count(*) FROM events WHERE note_id = $1 AND type = $2`, id, kind); n != 1 {
			t.Errorf("%d events of type %s", n, kind)
		}
	}
}

// An issued note is cancelled by a second, short run under the same workflow id,
// and then has two events.
func TestCancellation_IssuedNote(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "issued"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	xml := s.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", s.TestKey, nil).Expect(t, 200)

	answer := cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	if answer.Text("status") != "issued" || answer.Text("cancellation", "status") != "pending" {
		t.Errorf("the answer is %s", answer.Raw)
	}
	note := s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	if note.Text("cancellation", "status") != "accepted" || note.At("cancellation", "resolved_at") == nil ||
		note.At("cancelled_at") == nil ||
		note.At("authority") == nil || note.At("issued_at") == nil {
		t.Errorf("the note is %s", note.Raw)
	}
	expectEvents(t, s, id, "nfse.issued", "nfse.cancelled")
	after := s.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", s.TestKey, nil).Expect(t, 200)
	if string(after.Raw) != string(xml.Raw) || after.Header.Get("ETag") != xml.Header.Get("ETag") {
		t.Error("the XML changed")
	}

	cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusOK)
	cancel(t, s, s.TestKey, id, testkit.Body{"reason_code": "1",
		"reason_text": "  emitida com o valor errado "}).Expect(t, http.StatusOK)
	cancel(t, s, s.TestKey, id, testkit.Body{"reason_code": "2", "reason_text": "emitida com o valor errado"}).
		ExpectError(t, http.StatusConflict, nfse.CodeNoteAlreadyCancelled, "")
	expectEvents(t, s, id, "nfse.issued", "nfse.cancelled")
}

// A note that is still waiting is cancelled without being issued: one end, one
// event.
func TestCancellation_NoteInFlight(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Slow: time.Hour})
	service := s.NewService(t, s.TestKey)
	id := issueIn(t, s, service, "in flight", "slow")
	s.Await(t, s.TestKey, id, nfse.StatusProcessing)
	cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	note := s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	if note.At("issued_at") != nil || note.At("authority") != nil || note.Text("cancellation", "status") != "accepted" {
		t.Errorf("the note is %s", note.Raw)
	}
	expectEvents(t, s, id, "nfse.cancelled")
	s.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", s.TestKey, nil).ExpectError(t, http.StatusConflict,
		nfse.CodeXMLNotAvailable, "")
}

// A cancellation that comes before anything has begun ends the note at once.
func TestCancellation_QueuedNote(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	service := s.NewService(t, s.TestKey)
	s.Worker.Stop()
	id := s.Issue(t, s.TestKey, testkit.Issuance(service, "queued"))
	answer := cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	if answer.Text("status") != "queued" {
		t.Errorf("the answer is %s", answer.Raw)
	}
	cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	cancel(t, s, s.TestKey, id, testkit.Body{"reason_code": "9", "reason_text": "uma razão bem diferente"}).
		ExpectError(t, http.StatusConflict, nfse.CodeCancellationInProgress, "")
	s.StartWorker(t)
	note := s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	if note.At("processing_at") != nil {
		t.Errorf("the note was processed: %s", note.Raw)
	}
	expectEvents(t, s, id, "nfse.cancelled")
}

// A live note that waits for an authority can be cancelled: nothing was sent.
func TestCancellation_LiveNoteThatWaits(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "live"))
	testkit.Eventually(t, "the row is paused", func() bool {
		return s.Count(t, `SELECT count(*) FROM outbox JOIN paused_backlogs USING (livemode, kind)`) == 1
	})
	cancel(t, s, s.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
	testkit.Eventually(t, "the outbox is empty", func() bool { return s.Count(t, `SELECT count(*) FROM outbox`) == 0 })
}

func TestCancellation_RejectedNote(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	id := issueIn(t, s, s.NewService(t, s.TestKey), "rejected", "rejected")
	s.Await(t, s.TestKey, id, nfse.StatusRejected)
	cancel(t, s, s.TestKey, id, cancelBody).ExpectError(t, http.StatusConflict, nfse.CodeNoteNotCancellable, "")
	expectEvents(t, s, id, "nfse.rejected")
}

// Where a document may exist already, the cancellation waits for the outcome;
// after a rejection it is not needed.
func TestCancellation_NotNeeded(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	service := s.NewService(t, s.TestKey)
	s.Worker.Stop()
	for scenario, end := range map[string]struct{ status, cancellation string }{
		"rejected": {"rejected", "not_needed"}, "authorized": {"cancelled", "accepted"},
	} {
		id := issueIn(t, s, service, scenario, scenario)
		s.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), sent_at = now() WHERE id = $1`, id)
		cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
		running := s.StartWorker(t)
		note := s.Await(t, s.TestKey, id, nfse.Status(end.status))
		if note.Text("cancellation", "status") != end.cancellation {
			t.Errorf("%s: the note is %s", scenario, note.Raw)
		}
		if scenario == "authorized" {
			expectEvents(t, s, id, "nfse.issued", "nfse.cancelled")
		} else {
			expectEvents(t, s, id, "nfse.rejected")
		}
		running.Stop()
	}
}

// refusing is an authority that refuses, or does not answer, as a test wants.
type refusing struct {
	refusal *nfse.Refusal
	out     atomic.Int32 // times it does not answer first
	asked   atomic.Int32
}

func (r *refusing) Cancel(context.Context, nfse.Note) (*nfse.Refusal, error) {
	r.asked.Add(1)
	if r.out.Add(-1) >= 0 {
		return nil, errors.New("the authority did not answer")
	}
	return r.refusal, nil
}

// A refusal leaves the note issued, says why, sends no event, and another
// attempt can be made.
func TestCancellation_Refused(t *testing.T) {
	t.Parallel()
	authority := &refusing{refusal: &nfse.Refusal{Code: "E0822", Message: "Prazo excedido.", Explanation: "Too late.",
		Action: "Ask the city."}}
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Simulation: authority})
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "refused"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	refused := func() testkit.Answer {
		var note testkit.Answer
		testkit.Eventually(t, "the cancellation is refused", func() bool {
			note = s.Call(t, http.MethodGet, "/v1/nfse/"+id, s.TestKey, nil)
			return note.Text("cancellation", "status") == "refused"
		})
		return note
	}
	note := refused()
	if note.Text("status") != "issued" || note.Text("cancellation", "refusal", "code") != "E0822" ||
		note.At("cancellation", "resolved_at") == nil {
		t.Errorf("the note is %s", note.Raw)
	}
	if note.Header.Get("Retry-After") != "" {
		t.Error("a client is told to poll on")
	}
	expectEvents(t, s, id, "nfse.issued")

	// The same request again is a new attempt, and so is another.
	cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	refused()
	authority.refusal = nil
	cancel(t, s, s.TestKey, id, testkit.Body{"reason_code": "9",
		"reason_text": "outra razão para cancelar"}).Expect(t, http.StatusAccepted)
	s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	if asked := authority.asked.Load(); asked != 3 {
		t.Errorf("the authority was asked %d times", asked)
	}
	expectEvents(t, s, id, "nfse.issued", "nfse.cancelled")
}

// An authority that does not answer is asked again until it does.
func TestCancellation_OutlivesAnOutage(t *testing.T) {
	long.Only(t, "cancels through an outage of the authority")
	t.Parallel()
	authority := &refusing{}
	authority.out.Store(3)
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Simulation: authority})
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "outage"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	if asked := authority.asked.Load(); asked != 4 {
		t.Errorf("the authority was asked %d times", asked)
	}
}

// Cancellations that come at any moment of many notes' lives: each note ends in
// one way, with the events of that way.
func TestCancellation_RacesIssuing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	service := s.NewService(t, s.TestKey)
	const notes = 40
	ids := make([]string, notes)
	for i := range ids {
		ids[i] = s.Issue(t, s.TestKey, testkit.Issuance(service, string(rune('A'+i))))
		for range i % 4 { // let some get further than others
			s.Call(t, http.MethodGet, "/v1/nfse/"+ids[i], s.TestKey, nil)
		}
		if i%5 == 0 {
			s.Await(t, s.TestKey, ids[i], nfse.StatusIssued)
		}
		cancel(t, s, s.TestKey, ids[i], cancelBody).Expect(t, http.StatusAccepted)
	}
	for _, id := range ids {
		s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	}
	wrong := s.Count(t, `SELECT count(*) FROM notes WHERE
		(SELECT count(*) FROM events WHERE note_id = notes.id AND type = 'nfse.cancelled') <> 1
		OR (SELECT count(*) FROM events WHERE note_id = notes.id
		AND type = 'nfse.issued') <> CASE WHEN issued_at IS NULL THEN 0 ELSE 1 END`)
	if wrong != 0 {
		t.Errorf("%d notes have other events than their end", wrong)
	}
	t.Logf("%d of %d were issued first", s.Count(t, `SELECT count(*) FROM notes WHERE issued_at IS NOT NULL`), notes)
	testkit.Eventually(t, "no run is open", func() bool {
		for i := range ids {
			described, err := s.Temporal.DescribeWorkflow(t.Context(), workflowID(s, string(rune('A'+i))), "")
			if err != nil || described.Status != enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
				return false
			}
		}
		return true
	})
}

// A live note whose cancellation was lost on the way, as with a restored engine,
// is requeued by what it needs: the cancellation, which needs no authority.
func TestMaintenance_RequeuesALiveCancellation(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	service := s.NewService(t, s.LiveKey)
	s.Worker.Stop()
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "lost"))
	cancel(t, s, s.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	s.Exec(t, `DELETE FROM outbox WHERE kind = 'cancellation'`)
	s.Exec(t, `UPDATE notes SET requeue_after = now() - interval '1 second'`)
	if _, requeued, err := s.Store.Outbox.RequeueNotes(t.Context(), 10); err != nil || requeued != 1 {
		t.Fatalf("%d %v", requeued, err)
	}
	s.StartWorker(t)
	s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
}

// This worker knows no authority for live notes, and does not answer for one:
// the cancellation of an issued live note waits for a worker that does.
func TestCancellation_LiveNotBySimulation(t *testing.T) {
	t.Parallel()
	authority := &refusing{}
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Simulation: authority})
	id := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "real"))
	s.Exec(t, `UPDATE notes SET status = 'issued', processing_at = now(), sent_at = now(), issued_at = now(),
		authority_issued_at = now() WHERE id = $1`, id)
	s.Exec(t, `DELETE FROM outbox`)
	cancel(t, s, s.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	workflow := workflows.NoteID(nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}, "real")
	testkit.Eventually(t, "its run is open", func() bool {
		_, err := s.Temporal.DescribeWorkflow(t.Context(), workflow, "")
		return err == nil
	})
	note := s.Call(t, http.MethodGet, "/v1/nfse/"+id, s.LiveKey, nil)
	if note.Text("status") != "issued" || note.Text("cancellation", "status") != "pending" ||
		authority.asked.Load() != 0 {
		t.Errorf("the note is %s, the simulation was asked %d times", note.Raw, authority.asked.Load())
	}
	if err := s.Temporal.TerminateWorkflow(t.Context(), workflow, "", "the test is over"); err != nil {
		t.Error(err)
	}
}

// A worker that speaks to no authority takes over the cancellations of live
// notes too: they go on where one does.
func TestLiveCancellation_BegunByAWorkerWithoutAuthority(t *testing.T) {
	t.Parallel()
	s, service := newOwnLive(t, &testkit.ScriptedAuthority{})
	id := s.Issue(t, s.LiveKey, testkit.Issuance(service, "order"))
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	eventsOf(t, s, s.Organization.ID+"/live/order") // the run has ended
	s.Worker.Stop()
	authorities := s.Authorities
	s.Authorities = nil
	without := s.StartWorker(t)
	cancel(t, s, s.LiveKey, id, cancelBody).Expect(t, http.StatusAccepted)
	testkit.Eventually(t, "the cancellation is open", func() bool {
		return s.Count(t, `SELECT count(*) FROM fiscal_exchanges WHERE kind = 'cancel' AND state = 'unsigned'`) == 1
	})
	if held := s.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`); held != 0 {
		t.Error("the note is held, though another worker can go on with it")
	}
	s.Authorities = authorities
	s.StartWorker(t)
	s.Await(t, s.LiveKey, id, nfse.StatusCancelled)
	without.Stop()
}
