package dispatch

import (
	"context"
	"fmt"
	"time"

	"go.temporal.io/api/namespace/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/protobuf/types/known/durationpb"
)

const (
	// ClosedRunsKept is for how long the engine keeps runs that have ended: nothing here reads them, and people look
	// at one within days. It is what deployments make the namespace with.
	ClosedRunsKept = 72 * time.Hour
	// keptBefore is what they made it with until version 1.0.
	keptBefore = 30 * 24 * time.Hour
	// retentionSeen marks a namespace, in its data, whose retention was looked at once: from then on any value that its
	// operator sets stays.
	retentionSeen = "emissor-retention-seen"
)

// Retention is for how long a namespace keeps runs that have ended, before and after SetRetention.
type Retention struct{ Before, Now time.Duration }

// SetRetention gives a namespace ClosedRunsKept in the place of what deployments gave it until version 1.0, once: one
// that an operator has set to something else stays, and so does any that is set afterwards, the former one included.
func SetRetention(ctx context.Context, c client.Client, name string) (kept Retention, err error) {
	described, err := c.WorkflowService().DescribeNamespace(ctx,
		&workflowservice.DescribeNamespaceRequest{Namespace: name})
	if err != nil {
		return kept, fmt.Errorf("look at the retention: %w", err)
	}
	kept.Before = described.GetConfig().GetWorkflowExecutionRetentionTtl().AsDuration()
	kept.Now = kept.Before
	if _, seen := described.GetNamespaceInfo().GetData()[retentionSeen]; seen {
		return kept, nil
	}
	update := &workflowservice.UpdateNamespaceRequest{
		Namespace:  name,
		UpdateInfo: &namespace.UpdateNamespaceInfo{Data: map[string]string{retentionSeen: kept.Before.String()}},
	}
	if kept.Before == keptBefore {
		kept.Now = ClosedRunsKept
		update.Config = &namespace.NamespaceConfig{WorkflowExecutionRetentionTtl: durationpb.New(kept.Now)}
	}
	if _, err := c.WorkflowService().UpdateNamespace(ctx, update); err != nil {
		return Retention{kept.Before, kept.Before}, fmt.Errorf("set the retention: %w", err)
	}
	return kept, nil
}
