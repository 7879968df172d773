package worker_test

import (
	"testing"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
	"emissor/worker"
	"emissor/workflows"
)

// A held note is woken up thousands of times: runs follow each other, none has a long
// history, and the note goes on in the last one.
func TestLiveNote_WokenUpForMonths(t *testing.T) {
	// workflows.TestNote_WokenUpForMonths shows it without the engine.
	long.Only(t, "wakes a note up thousands of times")
	t.Parallel()
	const wakeUps = 3_000
	authority := &testkit.ScriptedAuthority{}
	s := testkit.NewSystem(t, testkit.Options{
		Worker: true, Authorities: []worker.Authority{{Authority: authority, Rate: 1000}},
	})
	id := s.Issue(t, s.LiveKey, testkit.Issuance(s.NewService(t, s.LiveKey), "order"))
	workflowID := workflows.NoteID(nfse.Scope{OrganizationID: s.Organization.ID, Livemode: true}, "order")
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE held_reason ->> 'code' = 'no_fiscal_profile'`) == 1
	})
	for range wakeUps {
		testkit.Eventually(t, "a busy engine takes the signal", func() bool {
			return s.Temporal.SignalWorkflow(t.Context(), workflowID, "", workflows.ResumeSignal, nil) == nil
		})
	}
	testkit.Eventually(t, "another run goes on", func() bool { return len(runLengths(t, s.Temporal, workflowID)) > 1 })
	s.NewProfile(t, authority.Name())
	s.NewCertificate(t)
	s.Await(t, s.LiveKey, id, nfse.StatusIssued)
	lengths := runLengths(t, s.Temporal, workflowID)
	for run, length := range lengths {
		if length > 5_000 {
			t.Errorf("run %d of %d has %d events", run+1, len(lengths), length)
		}
	}
	t.Logf("events of the runs: %d", lengths)
}

// runLengths are the events of a workflow's runs that followed each other, the first one
// first.
func runLengths(t *testing.T, engine client.Client, workflowID string) (lengths []int64) {
	t.Helper()
	describe := func(runID string) (run *client.WorkflowExecutionDescription) {
		testkit.AskEngine(t, workflowID, func() (err error) {
			run, err = engine.DescribeWorkflow(t.Context(), workflowID, runID)
			return err
		})
		return run
	}
	for runID := describe("").RawResponse.GetWorkflowExecutionInfo().GetFirstRunId(); runID != ""; {
		run := describe(runID)
		lengths = append(lengths, int64(run.HistoryLength))
		if run.Status != enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW {
			return lengths
		}
		closing, err := engine.GetWorkflowHistory(t.Context(), workflowID, runID, false,
			enums.HISTORY_EVENT_FILTER_TYPE_CLOSE_EVENT).Next()
		if err != nil {
			t.Fatal(err)
		}
		runID = closing.GetWorkflowExecutionContinuedAsNewEventAttributes().GetNewExecutionRunId()
	}
	return lengths
}
