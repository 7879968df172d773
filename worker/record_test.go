package worker_test

import (
	"errors"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/client"
	sdk "go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/internal/mail"
	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/store/webhooks"
	"emissor/test/long"
	"emissor/test/simulators/sefin"
	"emissor/test/testkit"
	"emissor/worker"
	"emissor/workflows"
)

// record writes the histories that are not on file yet.
var record = flag.Bool("record", false, "write new histories to workflows/testdata/replay")

// Every way through a note, run for real, replays with the code as it is. With
// -record new ones become fixtures of TestReplay of package workflows.
func TestReplay_Histories(t *testing.T) {
	long.Only(t, "records new histories and replays them")
	t.Parallel()
	t.Run("live", recordLive)
	t.Run("external", recordExternal)
	lookups := &lookup{answer: func() (string, error) { return "", errors.New("out") }}
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Services: []municipality.Service{lookups}})
	service := s.NewService(t, s.TestKey)
	for _, scenario := range []string{"authorized", "rejected", "slow"} {
		body := testkit.Issuance(service, scenario)
		body["sandbox_scenario"] = scenario
		s.Issue(t, s.TestKey, body)
	}
	place := func(reference string) {
		body := testkit.Issuance(service, reference)
		customer := body["customer"].(testkit.Body)
		customer["municipality_code"] = "3304557"
		customer["address"].(testkit.Body)["zip_code"] = "99999-999"
		s.Issue(t, s.TestKey, body)
	}
	place("municipality-stays-open")
	s.Await(t, s.TestKey, s.Text(t, `SELECT id FROM notes WHERE reference = 'municipality-stays-open'`),
		nfse.StatusIssued)
	s.Worker.Stop()
	place("municipality-conflicts")
	lookups.answer = func() (string, error) { return "3550308", nil }
	s.StartWorker(t)

	for _, name := range []string{"authorized", "rejected", "slow", "municipality-stays-open",
		"municipality-conflicts"} {
		id := workflowID(s, name)
		testkit.Eventually(t, "a run of "+id+" is there", func() bool {
			_, err := s.Temporal.DescribeWorkflow(t.Context(), id, "")
			return err == nil
		})
		replayAndRecord(t, "note-"+name, &history.History{Events: eventsOf(t, s, id)})
	}

	recordCancellations(t, s, service)
	recordDelivery(t, s, service)

	archive := makeArchive(t, s)
	replayAndRecord(t, "export", &history.History{Events: eventsOf(t, s, archive)})

	batch := acceptBatch(t, s, service, 3)
	awaitBatch(t, s, batch)
	replayAndRecord(t, "batch", &history.History{Events: eventsOf(t, s, batch)})

	replayAndRecord(t, "recurring", &history.History{Events: eventsOf(t, s, startRecurring(t, s, service))})

	schedule := s.Temporal.ScheduleClient().GetHandle(t.Context(), s.Queues.MaintenanceSchedule())
	if err := schedule.Trigger(t.Context(), client.ScheduleTriggerOptions{}); err != nil {
		t.Fatal(err)
	}
	replayAndRecord(t, "maintenance-recurring", &history.History{Events: firstMaintenance(t, s, schedule)})
}

// recordCancellations: of an issued note (a run of its own), of one in flight,
// and of one that nothing has begun.
func recordCancellations(t *testing.T, s *testkit.System, service string) {
	t.Helper()
	issued := s.Issue(t, s.TestKey, testkit.Issuance(service, "cancelled-issued"))
	s.Await(t, s.TestKey, issued, nfse.StatusIssued)
	eventsOf(t, s, workflowID(s, "cancelled-issued"))
	flying := issueIn(t, s, service, "cancelled-in-flight", "slow")
	testkit.Eventually(t, "it is begun", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE id = $1 AND processing_at IS NOT NULL`, flying) == 1
	})
	for _, id := range []string{flying, issued} { // the first one while it is in flight
		cancel(t, s, s.TestKey, id, cancelBody).Expect(t, http.StatusAccepted)
		s.Await(t, s.TestKey, id, nfse.StatusCancelled)
	}
	s.Worker.Stop()
	queued := s.Issue(t, s.TestKey, testkit.Issuance(service, "cancelled-queued"))
	cancel(t, s, s.TestKey, queued, cancelBody).Expect(t, http.StatusAccepted)
	s.Exec(t, `DELETE FROM outbox WHERE kind = 'note'`)
	s.StartWorker(t)
	s.Await(t, s.TestKey, queued, nfse.StatusCancelled)
	for _, name := range []string{"cancelled-issued", "cancelled-in-flight", "cancelled-queued"} {
		replayAndRecord(t, "note-"+name, &history.History{Events: eventsOf(t, s, workflowID(s, name))})
	}
}

func recordDelivery(t *testing.T, s *testkit.System, service string) {
	t.Helper()
	receiver := testkit.NewReceiver(t, nil)
	s.NewEndpoint(t, receiver.URL, false)
	s.Issue(t, s.TestKey, testkit.Issuance(service, "delivered"))
	first, _ := onlyDelivery(t, s, webhooks.DeliveryDelivered)
	replayAndRecord(t, "note-delivered", &history.History{Events: eventsOf(t, s, workflowID(s, "delivered"))})

	receiver.Answer(func(w http.ResponseWriter, call int) {
		if call == 2 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	s.Issue(t, s.TestKey, testkit.Issuance(service, "delivered-later"))
	testkit.Eventually(t, "the second attempt succeeds", func() bool {
		return s.Count(t, `SELECT count(*) FROM deliveries WHERE status = 'delivered'`) == 2
	})
	second := s.Text(t, `SELECT id FROM deliveries WHERE id <> $1`, first.ID)
	replayAndRecord(t, "delivery", &history.History{Events: eventsOf(t, s, second)})
}

// recordLive: a live note that goes well, one that is held, tried again and then
// cancelled while it waits, one that is cancelled at the authority, and an e-mail.
func recordLive(t *testing.T) {
	t.Parallel()
	authority := &testkit.ScriptedAuthority{}
	sender, err := mail.New(mail.Options{
		Host: "127.0.0.1", Port: testkit.NewMailbox(t).Port, From: "notas@emissor.example", TLS: mail.NoTLS,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := testkit.NewSystem(t, testkit.Options{
		Worker: true, Mail: sender, Authorities: []worker.Authority{{Authority: authority, Rate: 1000}},
	})
	s.Call(t, http.MethodPost, "/v1/customers", s.LiveKey, testkit.Body{
		"document": "529.982.247-25", "name": "Maria da Silva", "email": "maria@example.com",
	}).Expect(t, http.StatusCreated)
	s.Exec(t, `UPDATE api_keys SET email_customer = true`)
	service := s.NewService(t, s.LiveKey)
	waiting := s.Issue(t, s.LiveKey, testkit.Issuance(service, "live-held"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) == 1
	})
	authority.Issuing = func(int) testkit.Script { return testkit.Undelivered }
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	testkit.Eventually(t, "it was tried", func() bool { issues, _, _ := authority.Counts(); return issues > 1 })
	cancel(t, s, s.LiveKey, waiting, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, waiting, nfse.StatusCancelled)
	s.Worker.Stop()
	authority.Issuing = nil
	s.StartWorker(t)

	issued := s.Issue(t, s.LiveKey, testkit.Issuance(service, "live-at-once"))
	s.Await(t, s.LiveKey, issued, nfse.StatusIssued)
	for _, name := range []string{"live-held", "live-at-once"} {
		replayAndRecord(t, "note-"+name, &history.History{Events: eventsOf(t, s, s.Organization.ID+"/live/"+name)})
	}
	testkit.Eventually(t, "the e-mail is sent", func() bool {
		return s.Count(t,
			`SELECT count(*) FROM emails WHERE status = 'sent'`) == 1
	})
	cancel(t, s, s.LiveKey, issued, cancelBody).Expect(t, http.StatusAccepted)
	s.Await(t, s.LiveKey, issued, nfse.StatusCancelled)
	replayAndRecord(t, "note-live-cancelled-at-once",
		&history.History{Events: eventsOf(t, s, s.Organization.ID+"/live/live-at-once")})
	replayAndRecord(t, "email", &history.History{Events: eventsOf(t, s, s.Text(t, `SELECT id FROM emails`))})
}

// recordExternal: a note that a city has cancelled, and the distribution that told of
// it, which ends with its fiscal profile.
func recordExternal(t *testing.T) {
	t.Parallel()
	n := newExternal(t)
	id, key := n.issued(t)
	n.register(t, key, "305101", sefin.EventDetails{})
	n.Await(t, n.LiveKey, id, nfse.StatusCancelled)
	replayAndRecord(t, "note-cancelled-externally",
		&history.History{Events: eventsOf(t, n.System, n.Organization.ID+"/live/order")})
	n.Exec(t, `DELETE FROM fiscal_profiles`)
	replayAndRecord(t, "distribution",
		&history.History{Events: eventsOf(t, n.System, n.Text(t, `SELECT id FROM distributions`))})
}

// startRecurring starts the run of a recurrence whose day is today, and returns its id.
func startRecurring(t *testing.T, s *testkit.System, service string) (id string) {
	t.Helper()
	customer := s.Call(t, http.MethodPost, "/v1/customers", s.TestKey, testkit.Body{
		"document": "111.444.777-35", "name": "Joana Prado", "address": testkit.Body{
			"zip_code": "01310-100", "street": "Avenida Paulista", "number": "1578", "district": "Bela Vista",
		},
	}).Expect(t, http.StatusCreated).Text("id")
	person := s.Store.By(nfse.Actor{
		Kind: nfse.ActorUser, ID: nfse.NewID(nfse.PrefixUser), From: "127.0.0.1", RequestID: nfse.NewID(nfse.PrefixRequest),
	})
	today, recurrence := nfse.DayOf(time.Now()), nfse.NewID(nfse.PrefixRecurrence)
	err := person.Batches.CreateRecurrence(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID}, recurrence,
		customer,
		batches.RecurrenceTerms{ServiceID: service, AmountCents: 15000, Day: today.Begin().Day()}, today)
	if err == nil {
		_, _, err = s.Store.Batches.StartRecurring(t.Context(), today, 10)
	}
	if err != nil {
		t.Fatal(err)
	}
	id = s.Text(t, `SELECT id FROM recurring_months`)
	testkit.Eventually(t, "the month's note is accepted", func() bool {
		return s.Text(t, `SELECT status FROM recurring_months`) == string(batches.RecurringIssued)
	})
	return id
}

func firstMaintenance(t *testing.T, s *testkit.System,
	schedule client.ScheduleHandle) (events []*history.HistoryEvent) {
	t.Helper()
	testkit.Eventually(t, "the maintenance has run", func() bool {
		described, err := schedule.Describe(t.Context())
		if err != nil || len(described.Info.RecentActions) == 0 {
			return false
		}
		events = eventsOf(t, s, described.Info.RecentActions[0].StartWorkflowResult.WorkflowID)
		return true
	})
	return events
}

func replayAndRecord(t *testing.T, name string, recorded *history.History) {
	t.Helper()
	replayer := sdk.NewWorkflowReplayer()
	for name, function := range workflows.Types() {
		replayer.RegisterWorkflowWithOptions(function, workflow.RegisterOptions{Name: name})
	}
	if err := replayer.ReplayWorkflowHistory(nil, recorded); err != nil {
		t.Errorf("%s does not replay: %v", name, err)
	}
	if !*record {
		return
	}
	file := filepath.Join("..", "..", "workflows", "testdata", "replay", name+".json")
	if _, err := os.Stat(file); err == nil {
		return // a fixture is never edited
	}
	encoded, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(recorded)
	if err == nil {
		err = os.WriteFile(file, encoded, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
