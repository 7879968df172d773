package worker_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"

	"emissor/fiscal/simulation"
	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/webhooks"
	"emissor/test/testkit"
	"emissor/workflows"
)

// status answers with one status.
func status(code int) func(http.ResponseWriter, int) {
	return func(w http.ResponseWriter, _ int) { w.WriteHeader(code) }
}

// laterOn answers 503, and asks for a pause so long that no second attempt comes by itself.
func laterOn(w http.ResponseWriter, _ int) {
	w.Header().Set("Retry-After", "300")
	w.WriteHeader(http.StatusServiceUnavailable)
}

// onlyDelivery awaits that the only delivery stands there, and returns it.
func onlyDelivery(t *testing.T, s *testkit.System, want webhooks.DeliveryStatus) (webhooks.Delivery,
	[]nfse.DeliveryAttempt) {
	t.Helper()
	var found []webhooks.Delivery
	testkit.Eventually(t, "the delivery is "+string(want), func() bool {
		var err error
		if found, err = s.Store.Webhooks.Deliveries(t.Context(), webhooks.DeliveryFilter{Limit: 10}); err != nil {
			t.Fatal(err)
		}
		return len(found) == 1 && found[0].Status == want
	})
	delivery, attempts, err := s.Store.Webhooks.Delivery(t.Context(), found[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return delivery, attempts
}

func runStatus(t *testing.T, s *testkit.System, id string) enums.WorkflowExecutionStatus {
	t.Helper()
	status := enums.WORKFLOW_EXECUTION_STATUS_UNSPECIFIED
	testkit.AskEngine(t, id, func() error {
		described, err := s.Temporal.DescribeWorkflow(t.Context(), id, "")
		var notFound *serviceerror.NotFound
		if errors.As(err, &notFound) {
			return nil
		}
		if err == nil {
			status = described.Status
		}
		return err
	})
	return status
}

// dueNow makes every failed attempt's next one due, by bending the clock of the
// schedule: the run is replaced as an operator's retry does, without the fresh
// window.
func dueNow(t *testing.T, s *testkit.System) {
	t.Helper()
	testkit.Eventually(t, "its own run waits", func() bool {
		return s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'delivery'`) == 0 &&
			s.Count(t, `SELECT count(*) FROM deliveries WHERE handed_over`) == 0
	})
	s.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, restart)
		SELECT 'delivery', id, organization_id, livemode, true FROM deliveries WHERE status = 'pending'`)
}

func TestDelivery_EverySubscriber(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first, second := testkit.NewReceiver(t, nil), testkit.NewReceiver(t, nil)
	_, secret := s.NewEndpoint(t, first.URL, false)
	s.NewEndpoint(t, second.URL, false)
	live := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, live.URL, true)
	other, otherKey, _ := s.NewOrganization(t, "Outra")
	_ = other

	service := s.NewService(t, s.TestKey)
	issued := s.Issue(t, s.TestKey, testkit.Issuance(service, "issued"))
	s.Await(t, s.TestKey, issued, nfse.StatusIssued)
	cancel(t, s, s.TestKey, issued, cancelBody)
	s.Await(t, s.TestKey, issued, nfse.StatusCancelled)
	rejected := issueIn(t, s, service, "rejected", "rejected")
	s.Await(t, s.TestKey, rejected, nfse.StatusRejected)
	foreign := s.Issue(t, otherKey, testkit.Issuance(s.NewService(t, otherKey), "foreign"))
	s.Await(t, otherKey, foreign, nfse.StatusIssued)

	for _, receiver := range []*testkit.Receiver{first, second} {
		testkit.Eventually(t, "three events arrive", func() bool { return len(receiver.Calls()) == 3 })
	}
	seen := map[string]string{}
	for _, call := range first.Calls() {
		if !call.IsSigned(secret) {
			t.Errorf("the signature does not verify: %s", call.Header.Get(webhook.SignatureHeader))
		}
		var event struct {
			ID, Type  string
			Livemode  bool
			CreatedAt string `json:"created_at"`
			Version   string `json:"api_version"`
			Data      struct{ Object map[string]any }
		}
		if err := json.Unmarshal(call.Body, &event); err != nil {
			t.Fatal(err)
		}
		if !nfse.IsID(nfse.PrefixEvent, event.ID) || event.Livemode || event.Version != "v1" ||
			"nfse."+event.Data.Object["status"].(string) != event.Type {
			t.Errorf("the event is %s", call.Body)
		}
		seen[event.Type] = event.Data.Object["id"].(string)
	}
	if seen["nfse.issued"] != issued || seen["nfse.cancelled"] != issued || seen["nfse.rejected"] != rejected {
		t.Errorf("the events are of %v", seen)
	}
	if len(live.Calls()) != 0 {
		t.Error("an endpoint of the live environment heard of a test note")
	}
}

// The budget: a first attempt that succeeds is one event in the run of its note, and
// needs no run of its own.
func TestDelivery_Budget(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.NewEndpoint(t, testkit.NewReceiver(t, nil).URL, false)
	service := s.NewService(t, s.TestKey)
	withinBudget(t, "budget", func(reference string) string {
		note := s.Issue(t, s.TestKey, testkit.Issuance(service, reference))
		testkit.Eventually(t, "it is delivered", func() bool {
			return s.Count(t, `SELECT count(*) FROM deliveries d JOIN events e ON e.id = d.event_id
				WHERE e.note_id = $1 AND d.status = 'delivered'`, note) == 1
		})
		events := eventsOf(t, s, workflowID(s, reference))
		delivery, attempts, err := s.Store.Webhooks.Delivery(t.Context(), s.Text(t, `SELECT d.id FROM deliveries d
			JOIN events e ON e.id = d.event_id WHERE e.note_id = $1`, note))
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Temporal.DescribeWorkflow(t.Context(), delivery.ID, "")
		var notFound *serviceerror.NotFound
		waiting := s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'delivery'`)
		if len(events) <= 8 && errors.As(err, &notFound) && waiting == 0 && len(attempts) == 1 &&
			attempts[0].Problem.None() && *attempts[0].Status == 200 {
			return ""
		}
		return fmt.Sprintf("%d history events, the budget is 8; a run of its own: %v; "+
			"%d deliveries wait to be started; the log is %+v", len(events), err, waiting, attempts)
	})
}

// A worker that is killed between settling a note and the first attempt leaves the
// delivery to a run of its own.
func TestDelivery_FirstAttemptLost(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Slow: time.Hour})
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL, false)
	service := s.NewService(t, s.TestKey)
	id := issueIn(t, s, service, "lost", "slow")
	s.Await(t, s.TestKey, id, nfse.StatusProcessing)
	s.Worker.Stop()
	note, _, err := s.Store.Lifecycle.NoteToSettle(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	settled, err := s.Store.Lifecycle.SettleRejected(t.Context(), id, simulation.Reject(note))
	if err != nil || len(settled.Deliveries) != 1 {
		t.Fatalf("%+v %v", settled, err)
	}
	if early := s.Count(t, `SELECT count(*) FROM outbox
		WHERE kind = 'delivery' AND next_attempt_at <= now()`); early != 0 {
		t.Error("the outbox row does not wait for the first attempt")
	}
	s.Exec(t, `UPDATE outbox SET next_attempt_at = now()`) // the time of the first attempt is over
	s.StartWorker(t)
	delivery, attempts := onlyDelivery(t, s, webhooks.DeliveryDelivered)
	if len(attempts) != 1 || len(receiver.Calls()) != 1 {
		t.Errorf("%d attempts, %d calls", len(attempts), len(receiver.Calls()))
	}
	if events := length(eventsOf(t, s, delivery.ID)); events > 11 {
		t.Errorf("%d history events of a run of its own", events)
	}
}

func TestDelivery_SameBytes(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, func(w http.ResponseWriter, call int) {
		if call < 3 {
			laterOn(w, call)
			fmt.Fprintf(w, "out of order %d", call)
		}
	})
	_, secret := s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "again"))
	for call := 1; call < 3; call++ {
		testkit.Eventually(t, "the attempt is logged",
			func() bool { return s.Count(t, `SELECT count(*) FROM delivery_attempts`) == call })
		dueNow(t, s)
	}
	_, attempts := onlyDelivery(t, s, webhooks.DeliveryDelivered)
	calls := receiver.Calls()
	if len(calls) != 3 || string(calls[0].Body) != string(calls[2].Body) {
		t.Errorf("%d calls", len(calls))
	}
	for _, call := range calls {
		if !call.IsSigned(secret) {
			t.Error("a signature does not verify")
		}
	}
	if len(attempts) != 3 || *attempts[0].Status != 503 || attempts[0].Answer != "out of order 1" ||
		!attempts[1].Problem.Equal(fact.ReceiverAnswered.With("status", 503)) || !attempts[2].Problem.None() {
		t.Errorf("the log is %+v", attempts)
	}
}

// The pause that a failure asks for reaches the engine: the next attempt is
// planned where the schedule says.
func TestDelivery_NextAttempt(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.NewEndpoint(t, testkit.NewReceiver(t, func(w http.ResponseWriter, _ int) {
		w.Header().Set("Retry-After", "120")
		w.WriteHeader(503)
	}).URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "planned"))
	testkit.Eventually(t, "an attempt is logged", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM delivery_attempts`) == 1
	})
	delivery, attempts := onlyDelivery(t, s, webhooks.DeliveryPending)
	ended := attempts[0].StartedAt.Add(time.Duration(attempts[0].DurationMS) * time.Millisecond)
	if wait := delivery.NextAttemptAt.Sub(ended); wait < 119*time.Second ||
		wait > 125*time.Second {
		t.Errorf("the next attempt is planned after %s", wait)
	}
	testkit.Eventually(t, "the engine plans the same", func() bool {
		described, err := s.Temporal.DescribeWorkflow(t.Context(), delivery.ID, "")
		if err != nil || len(described.RawResponse.PendingActivities) != 1 {
			return false
		}
		activity := described.RawResponse.PendingActivities[0]
		if activity.Attempt != 2 {
			return false
		}
		wait := activity.NextAttemptScheduleTime.AsTime().Sub(ended)
		if wait < 119*time.Second || wait > 125*time.Second {
			t.Errorf("the engine waits %s", wait)
		}
		return true
	})
}

// Giving up is written down and then fails the run, so that operators see it; a
// retry begins a fresh window and can succeed.
func TestDelivery_GivenUpAndRetried(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, laterOn)
	endpoint, _ := s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "given up"))
	testkit.Eventually(t, "an attempt is logged", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM delivery_attempts`) == 1
	})
	s.Exec(t, `UPDATE deliveries SET window_started_at = now() - interval '10 minutes'`)
	dueNow(t, s)
	delivery, attempts := onlyDelivery(t, s, webhooks.DeliveryFailed)
	if !delivery.Reason.Equal(fact.GivenUp.With("window", 10*time.Minute, "why",
		fact.ReceiverAnswered.With("status", 503))) || len(attempts) != 2 {
		t.Errorf("%s %+v", delivery.Reason, attempts)
	}
	testkit.Eventually(t, "the run has failed", func() bool {
		return runStatus(t, s, delivery.ID) == enums.WORKFLOW_EXECUTION_STATUS_FAILED
	})

	receiver.Answer(nil)
	ids, err := s.Changes().Webhooks.RetryDeliveries(t.Context(),
		webhooks.DeliveryFilter{Status: webhooks.DeliveryFailed, EndpointID: endpoint, Limit: 10})
	if err != nil || len(ids) != 1 {
		t.Fatalf("%v %v", ids, err)
	}
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
}

// Only the first attempt of an event is measured from the event on: no later one, and none that a person
// has asked for.
func TestDelivery_FirstAttemptIsMeasured(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	receiver := testkit.NewReceiver(t, laterOn)
	s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "measured"))
	attempts := func(n int) {
		t.Helper()
		testkit.Eventually(t, "attempts are logged", func() bool {
			return s.Count(t, `SELECT count(*) FROM delivery_attempts`) == n
		})
	}
	attempts(1)
	dueNow(t, s)
	attempts(2)
	receiver.Answer(nil)
	if _, err := s.Changes().Webhooks.RetryDeliveries(t.Context(),
		webhooks.DeliveryFilter{Status: webhooks.DeliveryPending, Limit: 10}); err != nil {
		t.Fatal(err)
	}
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
	expectSamples(t, s, "emissor_delivery_first_attempt_seconds", map[string]int{"test": 1})
}

// The Temporal way: a failed run that is started again by hand sends again.
func TestDelivery_RunStartedByHand(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, status(http.StatusGone))
	s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "by hand"))
	delivery, _ := onlyDelivery(t, s, webhooks.DeliveryFailed)
	testkit.Eventually(t, "the run has failed", func() bool {
		return runStatus(t, s, delivery.ID) == enums.WORKFLOW_EXECUTION_STATUS_FAILED
	})
	receiver.Answer(nil)
	run, err := s.Temporal.ExecuteWorkflow(t.Context(),
		client.StartWorkflowOptions{ID: delivery.ID, TaskQueue: s.Queues.Deliveries()},
		workflows.DeliveryType, workflows.DeliveryInput{DeliveryID: delivery.ID})
	if err != nil {
		t.Fatal(err)
	}
	if err := run.Get(t.Context(), nil); err != nil {
		t.Error(err)
	}
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
	if calls := len(receiver.Calls()); calls != 2 {
		t.Errorf("%d calls", calls)
	}
}

func TestDelivery_Gone(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, status(http.StatusGone))
	endpoint, _ := s.NewEndpoint(t, receiver.URL, false)
	service := s.NewService(t, s.TestKey)
	s.Issue(t, s.TestKey, testkit.Issuance(service, "gone"))
	delivery, _ := onlyDelivery(t, s, webhooks.DeliveryFailed)
	if !delivery.Reason.Is(fact.DeliveryRefused) {
		t.Errorf("%s", delivery.Reason)
	}
	found, err := s.Store.Webhooks.Endpoint(t.Context(), endpoint)
	if err != nil || found.DisabledAt != nil {
		t.Errorf("after one 410 the endpoint is %+v %v", found, err)
	}
	testkit.Eventually(t, "the first 410 is on record", func() bool {
		return s.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE gone_since IS NOT NULL`) == 1
	})
	s.Exec(t, `UPDATE webhook_endpoints SET gone_since = now() - interval '25 hours'`)
	s.Issue(t, s.TestKey, testkit.Issuance(service, "still gone"))
	testkit.Eventually(t, "the endpoint is disabled", func() bool {
		found, err = s.Store.Webhooks.Endpoint(t.Context(), endpoint)
		return err == nil && found.DisabledAt != nil
	})
	if !found.DisabledReason.Is(fact.EndpointGone) {
		t.Errorf("%s", found.DisabledReason)
	}
	// The next event is skipped, and can be sent when the endpoint is back.
	s.Issue(t, s.TestKey, testkit.Issuance(service, "skipped"))
	testkit.Eventually(t, "the delivery is skipped", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'skipped'`) == 1
	})
	if calls := len(receiver.Calls()); calls != 2 {
		t.Errorf("%d calls", calls)
	}
	receiver.Answer(nil)
	if _, err := s.Changes().Webhooks.EnableEndpoint(t.Context(), endpoint); err != nil {
		t.Fatal(err)
	}
	retried, err := s.Changes().Webhooks.RetryDeliveries(t.Context(),
		webhooks.DeliveryFilter{Status: webhooks.DeliverySkipped, EndpointID: endpoint, Limit: 10})
	if err != nil || len(retried) != 1 {
		t.Fatalf("%v %v", retried, err)
	}
	testkit.Eventually(t, "it is delivered", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 1
	})
}

// Any other answer ends the count of 410.
func TestDelivery_GoneThenAnotherAnswer(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	endpoint, _ := s.NewEndpoint(t, testkit.NewReceiver(t, nil).URL, false)
	s.Exec(t, `UPDATE webhook_endpoints SET gone_since = now() - interval '25 hours'`)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "back"))
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
	testkit.Eventually(t, "the count has ended", func() bool {
		return s.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE gone_since IS NULL AND disabled_at IS NULL
			AND id = $1`, endpoint) == 1
	})
}

func TestDelivery_EndpointDisabledOrRemoved(t *testing.T) {
	t.Parallel()
	reasons := map[string]fact.Fact{
		"disabled": fact.DeliveryEndpointDisabled.With("why", fact.InWords("a test")),
		"deleted":  fact.DeliveryEndpointDeleted.Fact(),
	}
	for name, end := range map[string]func(*testkit.System, string) error{
		"disabled": func(s *testkit.System, id string) error {
			_, err := s.Changes().Webhooks.DisableEndpoint(t.Context(), id, fact.InWords("a test"))
			return err
		},
		"deleted": func(s *testkit.System, id string) error {
			_, err := s.Changes().Webhooks.DeleteEndpoint(t.Context(), id)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSandbox(t)
			receiver := testkit.NewReceiver(t, status(500))
			endpoint, _ := s.NewEndpoint(t, receiver.URL, false)
			s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), name))
			testkit.Eventually(t, "an attempt is logged",
				func() bool { return s.Count(t, `SELECT count(*) FROM delivery_attempts`) == 1 })
			if err := end(s, endpoint); err != nil {
				t.Fatal(err)
			}
			dueNow(t, s)
			delivery, _ := onlyDelivery(t, s, webhooks.DeliverySkipped)
			if !delivery.Reason.Equal(reasons[name]) || len(receiver.Calls()) != 1 {
				t.Errorf("%s, %d calls", delivery.Reason, len(receiver.Calls()))
			}
			testkit.Eventually(t, "the run has ended well", func() bool {
				return runStatus(t, s, delivery.ID) == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED
			})
		})
	}
}

// While a secret is rotated both sign; afterwards only the new one.
func TestDelivery_SecretRotation(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, nil)
	endpoint, old := s.NewEndpoint(t, receiver.URL, false)
	fresh := webhook.NewSecret()
	sealed, err := s.Sealer.Seal([]byte(fresh), s.Organization.ID, endpoint)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Changes().Webhooks.RotateSecret(t.Context(), endpoint, sealed, false); err != nil {
		t.Fatal(err)
	}
	service := s.NewService(t, s.TestKey)
	s.Issue(t, s.TestKey, testkit.Issuance(service, "rotating"))
	testkit.Eventually(t, "it arrives", func() bool { return len(receiver.Calls()) == 1 })
	if !receiver.Calls()[0].IsSigned(fresh, old) {
		t.Errorf("%s", receiver.Calls()[0].Header.Get(webhook.SignatureHeader))
	}
	s.Exec(t, `UPDATE webhook_endpoints SET previous_secret_ends_at = now() - interval '1 second'`)
	s.Issue(t, s.TestKey, testkit.Issuance(service, "rotated"))
	testkit.Eventually(t, "it arrives", func() bool { return len(receiver.Calls()) == 2 })
	if !receiver.Calls()[1].IsSigned(fresh) {
		t.Errorf("%s", receiver.Calls()[1].Header.Get(webhook.SignatureHeader))
	}
}

// A receiver that hangs holds its own few slots and nobody else's.
func TestDelivery_HangingReceiver(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	release := make(chan struct{})
	var mu sync.Mutex
	held, most := 0, 0 // calls under way: the client gives each up after a while
	hold := func(more int) {
		mu.Lock()
		defer mu.Unlock()
		held += more
		most = max(most, held)
	}
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then the server sees that the client is gone
		hold(1)
		defer hold(-1)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(release) })
	healthy := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, hanging.URL, false)
	s.NewEndpoint(t, healthy.URL, false)
	service := s.NewService(t, s.TestKey)
	const notes = 20
	for i := range notes {
		s.Issue(t, s.TestKey, testkit.Issuance(service, strconv.Itoa(i)))
	}
	testkit.Eventually(t, "the healthy receiver got everything", func() bool { return len(healthy.Calls()) == notes })
	mu.Lock()
	defer mu.Unlock()
	if most == 0 || most > 4 {
		t.Errorf("the hanging receiver held %d slots, the cap is 4", most)
	}
}

// A delivery whose run was lost is started again by the maintenance.
func TestMaintenance_RequeuesADelivery(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	receiver := testkit.NewReceiver(t, status(500))
	s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "requeued"))
	delivery, _ := onlyDelivery(t, s, webhooks.DeliveryPending)
	testkit.Eventually(t, "an attempt is logged", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM delivery_attempts`) == 1
	})
	testkit.Eventually(t, "its run is there", func() bool {
		_, err := s.Temporal.DescribeWorkflow(t.Context(), delivery.ID, "")
		return err == nil
	})
	terminate(t, s, delivery.ID)
	receiver.Answer(nil)
	s.Exec(t, `UPDATE deliveries SET requeue_after = now() - interval '1 second'`)
	runMaintenance(t, s)
	onlyDelivery(t, s, webhooks.DeliveryDelivered)
}

// The secret before is erased once its rotation is over; one that still signs stays.
func TestMaintenance_ForgetsPreviousSecrets(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	over, _ := s.NewEndpoint(t, "https://example.com/over", false)
	signs, _ := s.NewEndpoint(t, "https://example.com/signs", false)
	for _, endpoint := range []string{over, signs} {
		if _, err := s.Changes().Webhooks.RotateSecret(t.Context(), endpoint, []byte("sealed"), false); err != nil {
			t.Fatal(err)
		}
	}
	s.Exec(t, `UPDATE webhook_endpoints SET previous_secret_ends_at = now() - interval '1 second' WHERE id = $1`, over)
	runMaintenance(t, s)
	testkit.Eventually(t, "it is erased", func() bool {
		return s.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE previous_secret IS NULL`) == 1
	})
	if n := s.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE id = $1 AND previous_secret IS NOT NULL`,
		signs); n != 1 {
		t.Error("a secret that still signs is gone")
	}
}

// Without the keyset nothing is sent unsigned and nothing is given up: the
// delivery waits for the operator.
func TestDelivery_WithoutKeyset(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL, false)
	s.Exec(t, `UPDATE webhook_endpoints SET secret = '\x00'`)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "sealed"))
	var id string
	testkit.Eventually(t, "the delivery is there", func() bool {
		found, err := s.Store.Webhooks.Deliveries(t.Context(), webhooks.DeliveryFilter{Limit: 1})
		if err != nil || len(found) == 0 {
			return false
		}
		id = found[0].ID
		return true
	})
	testkit.Eventually(t, "the engine tries again", func() bool {
		described, err := s.Temporal.DescribeWorkflow(t.Context(), id, "")
		if err != nil {
			return false
		}
		activities := described.RawResponse.PendingActivities
		return len(activities) == 1 && activities[0].Attempt >= 2
	})
	if len(receiver.Calls()) != 0 {
		t.Error("something was sent")
	}
	delivery, _, err := s.Store.Webhooks.Delivery(t.Context(), id)
	if err != nil || !delivery.Reason.Is(fact.DeliveryNotSigned) ||
		!strings.Contains(delivery.Reason.English(), "does not open") ||
		delivery.NextAttemptAt == nil {
		t.Errorf("an operator sees %+v, %v", delivery, err)
	}
}

// The window begins with the first attempt: what delayed that, as a worker that
// was away, takes nothing from the receiver.
func TestDelivery_WindowBeginsWithFirstAttempt(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	s.NewEndpoint(t, testkit.NewReceiver(t, status(500)).URL, false)
	service := s.NewService(t, s.TestKey)
	s.Exec(t, `ALTER TABLE deliveries ALTER COLUMN window_started_at SET DEFAULT now() - interval '1 hour'`)
	s.Issue(t, s.TestKey, testkit.Issuance(service, "delayed"))
	testkit.Eventually(t, "an attempt is logged", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM delivery_attempts`) == 1
	})
	onlyDelivery(t, s, webhooks.DeliveryPending)
	if late := s.Count(t, `SELECT count(*) FROM deliveries
		WHERE window_started_at < now() - interval '30 minutes'`); late != 0 {
		t.Error("the window began before the first attempt")
	}
}

// No answer is not another answer: a receiver that says it is gone, and now and
// then nothing, is still gone.
func TestDelivery_GoneThenNoAnswer(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.NewEndpoint(t, testkit.NewReceiver(t, func(http.ResponseWriter, int) { panic(http.ErrAbortHandler) }).URL, false)
	s.Exec(t, `UPDATE webhook_endpoints SET gone_since = now() - interval '25 hours'`)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "silent"))
	testkit.Eventually(t, "an attempt is logged", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM delivery_attempts`) == 1
	})
	if n := s.Count(t, `SELECT count(*) FROM webhook_endpoints WHERE gone_since IS NOT NULL`); n != 1 {
		t.Error("the count has ended")
	}
}
