package worker_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/test/testkit"
	"emissor/workflows"
)

// workflowID is the id of a note's workflow.
func workflowID(s *testkit.System, reference string) string {
	return workflows.NoteID(nfse.Scope{OrganizationID: s.Organization.ID}, reference)
}

// eventsOf reads the whole history of a note's last run, once it has ended.
func eventsOf(t *testing.T, s *testkit.System, id string) []*history.HistoryEvent {
	t.Helper()
	if err := s.Temporal.GetWorkflow(t.Context(), id, "").Get(t.Context(), nil); err != nil {
		t.Fatalf("the run failed: %v", err)
	}
	return testkit.EngineHistory(t, s.Temporal, id, "")
}

// length is how many events a run takes: a busy engine adds those of workflow tasks that reach no worker in time.
func length(events []*history.HistoryEvent) (n int) {
	for _, event := range events {
		switch event.EventType {
		case enums.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED, enums.EVENT_TYPE_WORKFLOW_TASK_STARTED,
			enums.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT:
		case enums.EVENT_TYPE_WORKFLOW_TASK_COMPLETED, enums.EVENT_TYPE_WORKFLOW_TASK_FAILED:
			n += 3 // with its being scheduled and started
		default:
			n++
		}
	}
	return n
}

func count(events []*history.HistoryEvent, kind enums.EventType) (n int) {
	for _, event := range events {
		if event.EventType == kind {
			n++
		}
	}
	return n
}

// The budget of docs/architecture/engine.md: one workflow task and at most nine events.
func TestNote_SandboxBudget(t *testing.T) {
	t.Parallel()
	sandboxBudget(t, newSandbox(t))
}

func sandboxBudget(t *testing.T, s *testkit.System) {
	t.Helper()
	service := s.NewService(t, s.TestKey)
	for _, scenario := range []string{"authorized", "rejected"} {
		withinBudget(t, scenario, func(reference string) string {
			issueIn(t, s, service, reference, scenario)
			awaitStarted(t, s)
			events := eventsOf(t, s, workflowID(s, reference))
			tasks := count(events, enums.EVENT_TYPE_WORKFLOW_TASK_STARTED)
			activities := count(events, enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED)
			if tasks <= 1 && len(events) <= 9 && activities == 0 {
				return ""
			}
			return fmt.Sprintf("%s: %d workflow tasks, %d history events and %d normal activities; "+
				"the budget is 1, 9 and 0", scenario, tasks, len(events), activities)
		})
	}
}

func TestHistory_NothingPersonal(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "private"))
	awaitStarted(t, s)
	for _, event := range eventsOf(t, s, workflowID(s, "private")) {
		for _, secret := range []string{"52998224725", "529.982", "Maria", "Paulista", s.TestKey, "SIMULA"} {
			if strings.Contains(event.String(), secret) {
				t.Errorf("the history holds %q: %s", secret, event)
			}
		}
	}
}

func TestNote_Scenarios(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	service := s.NewService(t, s.TestKey)
	for scenario, end := range map[string]nfse.Status{
		"authorized": nfse.StatusIssued, "rejected": nfse.StatusRejected, "slow": nfse.StatusIssued,
	} {
		t.Run(scenario, func(t *testing.T) {
			body := testkit.Issuance(service, scenario)
			body["sandbox_scenario"] = scenario
			id := s.Issue(t, s.TestKey, body)
			note := s.Await(t, s.TestKey, id, end)
			if scenario == "slow" && s.Count(t, `SELECT count(*) FROM notes
				WHERE id = $1 AND issued_at - processing_at >= interval '1 second'`, id) != 1 {
				t.Error("it was not in processing for a second")
			}
			if end == nfse.StatusRejected && (note.Text("rejection", "code") != "E0207" ||
				note.Text("rejection", "source") != "authority") {
				t.Errorf("the rejection is %v", note.At("rejection"))
			}
			if events := s.Count(t, `SELECT count(*) FROM events WHERE note_id = $1 AND type = 'nfse.' || $2`, id,
				string(end)); events != 1 {
				t.Errorf("%d events of its end", events)
			}
		})
	}
}

func TestNote_FoundInTheUI(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	service := s.NewService(t, s.TestKey)
	for _, reference := range []string{"order 42", "Nota nº 1", "cafe\u0301 ✓ 漢字"} {
		id := s.Issue(t, s.TestKey, testkit.Issuance(service, reference))
		for _, query := range []string{
			`NoteId = "` + id + `"`,
			`WorkflowId = "` + workflowID(s, reference) + `"`,
			`WorkflowId STARTS_WITH "` + s.Organization.ID + `/test" AND NoteId = "` + id + `"`,
		} {
			testkit.Eventually(t, query, func() bool {
				var found *workflowservice.ListWorkflowExecutionsResponse
				testkit.AskEngine(t, query, func() (err error) {
					found, err = s.Temporal.ListWorkflow(t.Context(),
						&workflowservice.ListWorkflowExecutionsRequest{Query: query})
					return err
				})
				return len(found.Executions) == 1 &&
					found.Executions[0].Execution.WorkflowId == workflowID(s, reference)
			})
		}
		described, err := s.Temporal.DescribeWorkflow(t.Context(), workflowID(s, reference), "")
		if err != nil {
			t.Fatal(err)
		}
		if summary, err := described.GetStaticSummary(); err != nil || summary != "NFS-e "+reference+" (test)" {
			t.Errorf("the summary is %q, %v", summary, err)
		}
	}
}

// What a version that could not start such references has left behind moves by itself.
func TestNote_StuckBeforeTheUpgrade(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	service := s.NewService(t, s.TestKey)
	s.Worker.Stop()
	var stuck []string
	for _, reference := range []string{"café-1", "João", "✓ 漢字", "nº 12"} {
		stuck = append(stuck, s.Issue(t, s.TestKey, testkit.Issuance(service, reference)))
	}
	s.Exec(t, `UPDATE outbox SET attempts = 4711, token = gen_random_uuid(), last_error =
		'header key "temporal-resource-id" contains value with non-printable ASCII characters'`)
	s.Worker = s.StartWorker(t)
	for _, id := range stuck {
		s.Await(t, s.TestKey, id, nfse.StatusIssued)
	}
}

// A reference as long as the contract allows, in bytes far beyond what a
// workflow id can hold, is a note like any other.
func TestNote_LongReference(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	reference := strings.Repeat("𝔄", 200)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), reference))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
}

// awaitStarted waits until everything is started, and the outbox knows it.
func awaitStarted(t *testing.T, s *testkit.System) {
	t.Helper()
	testkit.Eventually(t, "the outbox is empty", func() bool { return s.Count(t, `SELECT count(*) FROM outbox`) == 0 })
}

// terminate ends a run as an operator would by mistake.
func terminate(t *testing.T, s *testkit.System, id string) {
	t.Helper()
	awaitStarted(t, s)
	testkit.Eventually(t, "a run of "+id+" is there", func() bool {
		return s.Temporal.TerminateWorkflow(t.Context(), id, "", "a test") == nil
	})
}

func TestMaintenance_RequeuesATerminatedRun(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true, Slow: time.Hour}) // its run is there to be terminated
	body := testkit.Issuance(s.NewService(t, s.TestKey), "terminated")
	body["sandbox_scenario"] = "slow"
	id := s.Issue(t, s.TestKey, body)
	s.Await(t, s.TestKey, id, nfse.StatusProcessing)
	terminate(t, s, workflowID(s, "terminated"))

	s.Exec(t, `UPDATE notes SET requeue_after = now() - interval '1 second',
		processing_at = processing_at - interval '1 hour'`)
	runMaintenance(t, s)
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	if events := s.Count(t, `SELECT count(*) FROM events`); events != 1 {
		t.Errorf("%d events", events)
	}
}

// Any run, however started, does only what is left to do: a settled note stays
// as it is.
func TestNote_RunOfASettledNote(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "twice"))
	before := s.Await(t, s.TestKey, id, nfse.StatusIssued)
	awaitStarted(t, s)
	eventsOf(t, s, workflowID(s, "twice"))

	s.Exec(t, `INSERT INTO outbox (kind, subject_id, organization_id, livemode, reference)
		SELECT 'note', id, organization_id, livemode, reference FROM notes`)
	awaitStarted(t, s)
	var result workflows.NoteResult
	if err := s.Temporal.GetWorkflow(t.Context(), workflowID(s, "twice"), "").Get(t.Context(), &result); err != nil ||
		result.Status != nfse.StatusIssued {
		t.Errorf("the second run ended %v, %v", result, err)
	}
	after := s.Call(t, "GET", "/v1/nfse/"+id, s.TestKey, nil)
	if string(before.Raw) != string(after.Raw) || s.Count(t, `SELECT count(*) FROM events`) != 1 {
		t.Errorf("the note changed:\n%s\n%s", before.Raw, after.Raw)
	}
}

// A live note is accepted and kept; it is not started, not faked and no alarm.
func TestLiveNote_WaitsForAuthority(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	id := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "live"))
	testkit.Eventually(t, "the row is paused", func() bool {
		return s.Count(t, `SELECT count(*) FROM outbox JOIN paused_backlogs USING (livemode, kind)`) == 1
	})
	waiting, err := s.Store.Outbox.WaitingStarts(t.Context(), 10)
	if err != nil || len(waiting) != 1 || !waiting[0].PausedReason.Is(fact.NoAuthority) {
		t.Errorf("an operator sees %+v, %v", waiting, err)
	}
	gauges, err := s.Store.Operate.Gauges(t.Context())
	if err != nil || len(gauges.Waiting) != 1 || gauges.Waiting[0].Paused != 1 ||
		gauges.Waiting[0].OldestSeconds != 0 {
		t.Errorf("the gauges are %+v, %v", gauges, err)
	}
	// Test notes pass it by.
	test := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "live"))
	s.Await(t, s.TestKey, test, nfse.StatusIssued)
	if status := s.Call(t, "GET", "/v1/nfse/"+id, s.LiveKey, nil).Text("status"); status != "queued" {
		t.Errorf("the live note is %s", status)
	}
}

// lookup is a zip code service whose answer a test decides.
type lookup struct{ answer func() (string, error) }

func (l *lookup) Name() string                                   { return "test" }
func (l *lookup) Lookup(context.Context, string) (string, error) { return l.answer() }

func TestNote_LateMunicipalityCheck(t *testing.T) {
	t.Parallel()
	out := errors.New("out")
	for name, test := range map[string]struct {
		later    func() (string, error)
		status   nfse.Status
		verified bool
	}{
		"agrees":      {func() (string, error) { return "3304557", nil }, nfse.StatusIssued, true},
		"conflicts":   {func() (string, error) { return "3550308", nil }, nfse.StatusRejected, false},
		"still out":   {func() (string, error) { return "", out }, nfse.StatusIssued, false},
		"now unknown": {func() (string, error) { return "", municipality.ErrUnknown }, nfse.StatusIssued, false},
	} {
		t.Run(name, func(t *testing.T) {
			service := &lookup{answer: func() (string, error) { return "", out }}
			s := testkit.NewSystem(t, testkit.Options{Worker: true, Services: []municipality.Service{service}})
			catalogue := s.NewService(t, s.TestKey)
			s.Worker.Stop()
			body := testkit.Issuance(catalogue, name)
			customer := body["customer"].(testkit.Body)
			customer["municipality_code"] = "3304557"
			customer["address"].(testkit.Body)["zip_code"] = "99999-999" // in no range: only the service could know
			id := s.Issue(t, s.TestKey, body)

			service.answer = test.later
			s.StartWorker(t)
			note := s.Await(t, s.TestKey, id, test.status)
			if note.At("municipality", "verified") != test.verified || note.Text("municipality", "code") != "3304557" {
				t.Errorf("the municipality is %v", note.At("municipality"))
			}
			if test.status == nfse.StatusRejected &&
				(note.Text("rejection", "source") != "service" ||
					note.Text("rejection", "code") != "municipality_code_conflict") {
				t.Errorf("the rejection is %v", note.At("rejection"))
			}
			if pending := s.Count(t, `SELECT count(*) FROM notes WHERE municipality_check_pending`); pending != 0 &&
				test.status != nfse.StatusRejected {
				t.Error("the question is still open")
			}
		})
	}
}

// A workflow that cannot do its work because of a bug fails visibly, and does
// not loop.
func TestNote_RunOfNothing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	run, err := s.Temporal.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{TaskQueue: s.Queues.Notes()},
		workflows.NoteType, workflows.NoteInput{NoteID: nfse.NewID(nfse.PrefixNote)})
	if err != nil {
		t.Fatal(err)
	}
	var failure *temporal.ApplicationError
	if err := run.Get(t.Context(), nil); !errors.As(err, &failure) || failure.Type() != "nfse_not_found" {
		t.Errorf("the run ended with %v", err)
	}
}
