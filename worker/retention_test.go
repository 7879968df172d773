package worker_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/operate"
	"emissor/store/webhooks"
	"emissor/test/testkit"
	"emissor/worker"
)

const retentionDay = 24 * time.Hour

// runMaintenance has a round of the maintenance follow the one that is open, which may have
// looked before.
func runMaintenance(t *testing.T, s *testkit.System) {
	t.Helper()
	schedule := s.Temporal.ScheduleClient().GetHandle(t.Context(), s.Queues.MaintenanceSchedule())
	after := client.ScheduleTriggerOptions{Overlap: enums.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE}
	if err := schedule.Trigger(t.Context(), after); err != nil {
		t.Fatal(err)
	}
}

// runMaintenanceUntil asks for rounds of the maintenance until a condition holds.
func runMaintenanceUntil(t *testing.T, s *testkit.System, what string, condition func() bool) {
	t.Helper()
	tries := 0
	testkit.Eventually(t, what, func() bool {
		if tries%50 == 0 { // a second apart
			runMaintenance(t, s)
		}
		tries++
		return condition()
	})
}

// age makes all that is on record older.
func age(t *testing.T, s *testkit.System, days int) {
	t.Helper()
	for _, column := range []string{"note_documents.created_at", "events.created_at", "delivery_attempts.started_at",
		"fiscal_calls.started_at", "fiscal_exchanges.updated_at", "fiscal_messages.created_at"} {
		table, moment, _ := strings.Cut(column, ".")
		s.Exec(t, `UPDATE `+table+` SET `+moment+` = `+moment+` - make_interval(days => $1)`, days)
	}
}

// Of an old test note the copies go. What the API says of it stays: the note
// itself, and that its reference is taken.
func TestRetention_TestNote(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Retention: operate.Retention{TestNotes: 90 * retentionDay}})
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL, false)
	service := s.NewService(t, s.TestKey)
	old := s.Issue(t, s.TestKey, testkit.Issuance(service, "old"))
	before := s.Await(t, s.TestKey, old, nfse.StatusIssued)
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
	age(t, s, 91)
	young := s.Issue(t, s.TestKey, testkit.Issuance(service, "young"))
	s.Await(t, s.TestKey, young, nfse.StatusIssued)
	testkit.Eventually(t, "both events are delivered", func() bool { return len(receiver.Calls()) == 2 })
	testkit.Eventually(t, "both attempts are on record", func() bool {
		return s.Count(t, `SELECT count(*) FROM delivery_attempts`) == 2
	})

	runMaintenanceUntil(t, s, "the copies of the old note are gone", func() bool {
		return s.Count(t, `SELECT count(*) FROM note_documents`) == 1 &&
			s.Count(t, `SELECT count(*) FROM events WHERE payload = ''`) == 1 &&
			s.Count(t, `SELECT count(*) FROM delivery_attempts`) == 1
	})
	after := s.Call(t, http.MethodGet, "/v1/nfse/"+old, s.TestKey, nil).Expect(t, http.StatusOK)
	if string(after.Raw) != string(before.Raw) {
		t.Errorf("the note was\n%s\nand is\n%s", before.Raw, after.Raw)
	}
	answer := s.Call(t, http.MethodGet, "/v1/nfse/"+old+"/xml", s.TestKey, nil).Expect(t, http.StatusConflict)
	if failure := string(answer.Raw); !strings.Contains(failure, `"code":"xml_not_available"`) ||
		!strings.Contains(failure, `"retryable":false`) || !strings.Contains(failure, "no longer kept") {
		t.Errorf("its XML is answered by %s", failure)
	}
	s.Call(t, http.MethodGet, "/v1/nfse/"+young+"/xml", s.TestKey, nil).Expect(t, http.StatusOK)
	again := s.Call(t, http.MethodPost, "/v1/nfse", s.TestKey, testkit.Issuance(service, "old")).
		Expect(t, http.StatusAccepted)
	if again.Text("id") != old {
		t.Errorf("its reference names %s, expected %s", again.Text("id"), old)
	}
	other := testkit.Issuance(service, "old")
	other["amount_cents"] = 1
	s.Call(t, http.MethodPost, "/v1/nfse", s.TestKey, other).Expect(t, http.StatusConflict)

	// Without a document it is cancelled all the same, and that is told.
	cancel(t, s, s.TestKey, old, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.TestKey, old, nfse.StatusCancelled)
	testkit.Eventually(t, "the cancellation is delivered", func() bool { return len(receiver.Calls()) == 3 })
}

// Each kind of copy goes at its own age, and the fiscal documents of live notes
// long after the others.
func TestRetention_LiveNote(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	s := testkit.NewSystem(t, testkit.Options{
		Worker: true, Authorities: []worker.Authority{{Authority: authority, Rate: 1000}},
		Retention: operate.Retention{TestNotes: 90 * retentionDay, Attempts: 90 * retentionDay,
			Events: 366 * retentionDay, Answers: 180 * retentionDay, FiscalDocuments: operate.LeastFiscalRetention},
	})
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL, true)
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "live"))
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
	s.Exec(t, `UPDATE fiscal_calls SET body = 'what nobody expected'`)
	s.Exec(t, `UPDATE fiscal_messages SET xml = 'what no document embeds', embedded = false`)

	left := func() [5]int {
		return [5]int{
			s.Count(t, `SELECT count(*) FROM delivery_attempts`),
			s.Count(t, `SELECT count(*) FROM fiscal_calls WHERE body IS NOT NULL`),
			s.Count(t, `SELECT count(*) FROM events WHERE payload <> ''`),
			s.Count(t, `SELECT count(*) FROM note_documents`),
			s.Count(t, `SELECT count(*) FROM fiscal_messages WHERE xml <> ''`),
		}
	}
	if all := left(); all != [5]int{1, 1, 1, 1, 1} {
		t.Fatalf("on record are %v", all)
	}
	january := time.Date(time.Now().Year()-5, time.January, 3, 0, 0, 0, 0, time.UTC)
	fiveYears := int(time.Since(january) / retentionDay)
	for _, step := range []struct {
		days int // more
		left [5]int
	}{
		{91, [5]int{0, 1, 1, 1, 1}},
		{90, [5]int{0, 0, 1, 1, 1}},
		{186, [5]int{0, 0, 0, 1, 1}},
		{fiveYears - 367, [5]int{0, 0, 0, 1, 1}}, // have passed, but not since the year after
		{366 + 31, [5]int{0, 0, 0, 0, 0}},        // six have
	} {
		age(t, s, step.days)
		rounds := s.Text(t, `SELECT coalesce(max(xmin::text::bigint), 0)::text FROM retention_progress`)
		runMaintenanceUntil(t, s, "the maintenance has been", func() bool {
			return s.Text(t, `SELECT coalesce(max(xmin::text::bigint), 0)::text FROM retention_progress`) != rounds
		})
		runMaintenanceUntil(t, s, "what is too old is gone", func() bool { return left() == step.left })
	}
	s.Call(t, http.MethodGet, "/v1/nfse/"+id, s.LiveKey, nil).Expect(t, http.StatusOK)
	s.Call(t, http.MethodGet, "/v1/nfse/"+id+"/xml", s.LiveKey, nil).Expect(t, http.StatusConflict)
}

// An event that is on its way keeps its content until it has arrived or was given up.
func TestRetention_PendingDelivery(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, status(500))
	s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "pending"))
	delivery, _ := onlyDelivery(t, s, webhooks.DeliveryPending)
	testkit.Eventually(t, "it was tried", func() bool { return len(receiver.Calls()) > 0 })
	age(t, s, 91)
	remove := func() {
		t.Helper()
		if _, _, err := s.Store.Operate.RemoveOldCopies(t.Context(), operate.Retention{TestNotes: 90 * retentionDay},
			10); err != nil {
			t.Fatal(err)
		}
	}
	remove()
	if kept := s.Count(t, `SELECT count(*) FROM events WHERE payload <> ''`); kept != 1 {
		t.Error("the content of an event on its way is gone")
	}
	s.Exec(t, `UPDATE deliveries SET status = 'failed', reason = $1, resolved_at = now()`, fact.InWords("given up"))
	s.Exec(t, `UPDATE row_failures SET retry_after = now()`) // instead of an hour
	remove()
	if kept := s.Count(t, `SELECT count(*) FROM events WHERE payload <> ''`); kept != 0 {
		t.Error("the content of an event that was given up is kept")
	}
	// A delivery without its content is not sent, no matter who starts it.
	ids, err := s.Changes().Webhooks.RetryDeliveries(t.Context(), webhooks.DeliveryFilter{Status: webhooks.DeliveryFailed,
		Limit: 10})
	if err != nil || len(ids) > 0 {
		t.Errorf("sent again are %v, %v", ids, err)
	}
	found, err := s.Store.Webhooks.DeliveryToSend(t.Context(), delivery.ID)
	if err != nil || !found.EndpointState.Is(fact.DeliveryContentGone) {
		t.Errorf("it is sent all the same: %+v, %v", found, err)
	}
}
