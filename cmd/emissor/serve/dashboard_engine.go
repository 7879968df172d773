package serve

import (
	"context"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"emissor/nfse"
	"emissor/workflows"
)

// askedEngine implements dashboard.Engine in a process that runs a worker too.
type askedEngine struct {
	client    client.Client
	namespace string
}

// Check implements dashboard.Engine.
func (e askedEngine) Check(ctx context.Context) error {
	_, err := e.client.WorkflowService().DescribeNamespace(ctx,
		&workflowservice.DescribeNamespaceRequest{Namespace: e.namespace})
	return err
}

// NextAttempt implements dashboard.Engine: it is when a failed activity is attempted again.
func (e askedEngine) NextAttempt(ctx context.Context, scope nfse.Scope, reference string) (next time.Time, err error) {
	found, err := e.client.DescribeWorkflow(ctx, workflows.NoteID(scope, reference), "")
	if err != nil {
		return next, err
	}
	for _, activity := range found.RawResponse.GetPendingActivities() {
		at := activity.GetScheduledTime().AsTime()
		if activity.GetState() == enums.PENDING_ACTIVITY_STATE_SCHEDULED && time.Until(at) > 0 &&
			(next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next, nil
}
