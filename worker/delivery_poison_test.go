package worker_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"

	"emissor/activities"
	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/webhooks"
	"emissor/test/testkit"
	"emissor/workflows"
)

// A delivery whose attempts always fail on our side, panic or hang is recorded as such and
// waits; those before and after it are delivered, to the same endpoint. AutoFixed, it is too.
func TestDelivery_Poison(t *testing.T) {
	t.Parallel()
	for _, harm := range testkit.Harms {
		t.Run(string(harm), func(t *testing.T) {
			t.Parallel()
			poison := testkit.NewPoison(t)
			s := testkit.NewSystem(t, testkit.Options{Worker: true, RowPauses: testkit.QuickPauses,
				Interceptors: []interceptor.WorkerInterceptor{poison}})
			receiver := testkit.NewReceiver(t, status(http.StatusServiceUnavailable))
			s.NewEndpoint(t, receiver.URL, false)
			service := s.NewService(t, s.TestKey)
			var ids []string
			for i := range 3 {
				note := s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("order-", i)))
				s.Await(t, s.TestKey, note, nfse.StatusIssued)
				ids = append(ids, s.Text(t, `SELECT d.id FROM deliveries d JOIN events e ON e.id = d.event_id
					WHERE e.note_id = $1`, note))
			}
			testkit.Eventually(t, "all wait for their next attempts", func() bool {
				return s.Count(t, `SELECT count(*) FROM deliveries
					WHERE NOT handed_over AND next_attempt_at > now()`) == 3 &&
					s.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'delivery'`) == 0
			})
			s.Worker.Stop()
			receiver.Answer(nil)
			poison.Add(ids[1], harm)
			for _, id := range ids {
				again := webhooks.DeliveryFilter{ID: id, Limit: 1}
				if _, err := s.Changes().Webhooks.RetryDeliveries(t.Context(), again); err != nil {
					t.Fatal(err)
				}
			}
			s.StartWorker(t)
			delivered := func(id string) bool {
				return s.Count(t, `SELECT count(*) FROM deliveries WHERE id = $1 AND status = 'delivered'`, id) == 1
			}
			testkit.Eventually(t, "the poison row is tried", func() bool { return poison.Met(ids[1], "") > 0 })
			for _, neighbour := range []string{ids[0], ids[2]} {
				testkit.Eventually(t, "its neighbour is delivered", func() bool { return delivered(neighbour) })
			}
			if harm != testkit.Hangs { // which is recorded when its time is over
				testkit.Eventually(t, "the failure is recorded", func() bool {
					return s.Count(t, `SELECT count(*) FROM deliveries WHERE id = $1 AND status = 'pending'
						AND reason ->> 'code' = $2`, ids[1], fact.FailedHere) == 1
				})
				testkit.Eventually(t, "it is tried again, and counted", func() bool {
					return poison.Met(ids[1], "") > 2 && rowsFailed(t, s, activities.LoopDeliveries) > 2
				})
			}
			if delivered(ids[1]) {
				t.Error("the poison row is delivered")
			}
			poison.AutoFix(ids[1])
			testkit.Eventually(t, "the mended row is delivered", func() bool { return delivered(ids[1]) })
		})
	}
}

// A first attempt within the workflow task that panics gives back what it holds of the
// endpoint, and says nothing of the receiver: the next one is delivered at once.
func TestDelivery_PoisonAtOnce(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Slow: time.Hour})
	s.NewEndpoint(t, testkit.NewReceiver(t, nil).URL, false)
	service := s.NewService(t, s.TestKey)
	var ids []string
	for i := range 3 {
		id := issueIn(t, s, service, fmt.Sprint("order-", i), "slow")
		s.Await(t, s.TestKey, id, nfse.StatusProcessing)
		ids = append(ids, id)
	}
	s.Worker.Stop()
	var poison string
	deliveries := &activities.Deliveries{
		Store: s.Store, Client: s.Webhooks, Sealer: s.Sealer, Slots: activities.NewSlots(1),
		First: activities.NewFirstAttempts(), Metrics: s.Metrics, Logger: testkit.Logger(t),
		Waits: func(string) {
			if poison != "" {
				panic("a poison row")
			}
		},
	}
	engine := new(testsuite.WorkflowTestSuite).NewTestActivityEnvironment()
	engine.RegisterActivity(deliveries.DeliverAtOnce)
	for i, id := range ids {
		note, _, err := s.Store.Lifecycle.NoteToSettle(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		settled, err := s.Store.Lifecycle.SettleRejected(t.Context(), id, simulation.Reject(note))
		if err != nil {
			t.Fatal(err)
		}
		if poison = ""; i == 1 {
			poison = settled.Deliveries[0]
		}
		var result workflows.DeliveryResult
		value, err := engine.ExecuteActivity(deliveries.DeliverAtOnce, settled.Deliveries[0])
		if err == nil {
			err = value.Get(&result)
		}
		if (err != nil) != (i == 1) || i != 1 && result.Status != string(webhooks.DeliveryDelivered) {
			t.Errorf("the delivery %d: %+v, %v", i, result, err)
		}
	}
}
