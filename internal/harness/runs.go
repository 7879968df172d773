package harness

import (
	"context"
	"fmt"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// OpenRuns counts the open workflow runs of the installation whose task queues
// have this prefix, its housekeeping apart.
func (d Devstack) OpenRuns(ctx context.Context, taskQueues string) (int, error) {
	engine, err := client.NewLazyClient(client.Options{HostPort: d.TemporalAddress, Namespace: d.TemporalNamespace})
	if err != nil {
		return 0, err
	}
	defer engine.Close()
	counted, err := engine.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: d.TemporalNamespace,
		Query: fmt.Sprintf("ExecutionStatus = 'Running' AND TaskQueue STARTS_WITH '%s' "+
			"AND WorkflowType != 'Housekeeping'", taskQueues),
	})
	if err != nil {
		return 0, err
	}
	return int(counted.GetCount()), nil
}
