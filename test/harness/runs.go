package harness

import (
	"context"
	"fmt"
	"log/slog"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
)

// OpenRuns are the ids of open workflow runs, up to a thousand, of the installation whose task
// queues have this prefix, apart from its maintenance and from the pollers of authorities,
// which never end: none, if none is open.
func (d Devstack) OpenRuns(ctx context.Context, taskQueues string) (ids []string, err error) {
	engine, err := client.NewLazyClient(client.Options{
		HostPort: d.TemporalAddress, Namespace: d.TemporalNamespace,
		Logger: log.NewStructuredLogger(slog.New(slog.DiscardHandler)),
	})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	listed, err := engine.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: d.TemporalNamespace, PageSize: 1000,
		Query: fmt.Sprintf("ExecutionStatus = 'Running' AND TaskQueue STARTS_WITH '%s' "+
			"AND WorkflowType != 'Maintenance' AND WorkflowType != 'Distribution'", taskQueues),
	})
	for _, run := range listed.GetExecutions() {
		ids = append(ids, run.GetExecution().GetWorkflowId())
	}
	return ids, err
}
