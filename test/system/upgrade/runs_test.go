//go:build upgrade

package upgrade

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"

	"emissor/test/harness"
	"emissor/test/testkit"
	"emissor/workflows"
)

// engine reads the runs of the installation.
type engine struct {
	client.Client
	namespace, queues string
}

func (i *installation) engine(t *testing.T) engine {
	t.Helper()
	connected, err := client.NewLazyClient(client.Options{
		HostPort: i.stack.TemporalAddress, Namespace: i.stack.TemporalNamespace,
		Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	check(t, err)
	t.Cleanup(connected.Close)
	return engine{connected, i.stack.TemporalNamespace, i.queues}
}

// list lists runs, of a status or of all.
func (e engine) list(t *testing.T, condition string) (runs []*workflow.WorkflowExecutionInfo) {
	t.Helper()
	request := &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: e.namespace, PageSize: 200, Query: fmt.Sprintf("TaskQueue STARTS_WITH '%s'%s", e.queues, condition),
	}
	for {
		var page *workflowservice.ListWorkflowExecutionsResponse
		testkit.AskEngine(t, "the list of runs", func() (err error) {
			page, err = e.ListWorkflow(t.Context(), request)
			return err
		})
		runs = append(runs, page.GetExecutions()...)
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 {
			return runs
		}
	}
}

// open are the runs that are open and end by themselves, by their types.
func (e engine) open(t *testing.T) (runs map[string][]*workflow.WorkflowExecutionInfo) {
	t.Helper()
	runs = map[string][]*workflow.WorkflowExecutionInfo{}
	for _, run := range e.list(t, " AND ExecutionStatus = 'Running'") {
		name := run.GetType().GetName()
		if name != workflows.MaintenanceType && name != workflows.DistributionType {
			runs[name] = append(runs[name], run)
		}
	}
	return runs
}

// ended reports whether every one of the runs was completed.
func (e engine) ended(t *testing.T, runs map[string][]*workflow.WorkflowExecutionInfo) bool {
	t.Helper()
	for _, each := range runs {
		for _, run := range each {
			var described *client.WorkflowExecutionDescription
			testkit.AskEngine(t, run.GetExecution().GetWorkflowId(), func() (err error) {
				described, err = e.DescribeWorkflow(t.Context(), run.GetExecution().GetWorkflowId(),
					run.GetExecution().GetRunId())
				return err
			})
			if described.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
				return false
			}
		}
	}
	return true
}

// expectEndedBy fails the test unless the runs were completed, and those of each type in the end by one of the workers.
func (e engine) expectEndedBy(t *testing.T, runs map[string][]*workflow.WorkflowExecutionInfo,
	workers []*harness.Part) {
	t.Helper()
	for name, each := range runs {
		by := 0
		for _, run := range each {
			events := e.events(t, run)
			last := events[len(events)-1]
			if kind := last.GetEventType(); kind != enums.EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED &&
				kind != enums.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW {
				t.Errorf("the run %s ended with %s", run.GetExecution().GetWorkflowId(), kind)
			}
			identity := ""
			for _, event := range events {
				if completed := event.GetWorkflowTaskCompletedEventAttributes(); completed != nil {
					identity = completed.GetIdentity()
				}
			}
			for _, worker := range workers {
				if strings.HasPrefix(identity, fmt.Sprint(worker.PID(), "@")) {
					by++
				}
			}
		}
		if by == 0 {
			t.Errorf("none of the %d runs of %s that were open was ended by the version after", len(each), name)
		}
		t.Logf("%d runs of %s were open, %d of them were ended by the version after", len(each), name, by)
	}
}

// expectNoTaskFailed fails the test for each workflow task that failed by its code: one that does not replay, or
// panics. It returns how many runs it has read.
func (e engine) expectNoTaskFailed(t *testing.T) (read int) {
	t.Helper()
	var runs []*workflow.WorkflowExecutionInfo
	for _, status := range []string{"Running", "Completed", "ContinuedAsNew", "Failed", "Terminated", "TimedOut"} {
		runs = append(runs, e.list(t, fmt.Sprintf(" AND ExecutionStatus = '%s'", status))...)
	}
	for _, run := range runs {
		for _, event := range e.events(t, run) {
			failed := event.GetWorkflowTaskFailedEventAttributes()
			switch failed.GetCause() {
			case enums.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
				enums.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE:
				t.Errorf("%s %s: %s: %s", run.GetType().GetName(), run.GetExecution().GetWorkflowId(), failed.GetCause(),
					failed.GetFailure().GetMessage())
			}
		}
		read++
	}
	return read
}

func (e engine) events(t *testing.T, run *workflow.WorkflowExecutionInfo) []*history.HistoryEvent {
	t.Helper()
	return testkit.EngineHistory(t, e, run.GetExecution().GetWorkflowId(), run.GetExecution().GetRunId())
}
