package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"emissor/workflows"
)

// maintenanceInterval is how often the maintenance runs.
const maintenanceInterval = 5 * time.Minute

// RegisterSearchAttributes adds to the namespace the search attributes by which notes
// are found. Without them no note can be started, so `emissor migrate` does it.
func RegisterSearchAttributes(ctx context.Context, c client.Client, namespace string) error {
	listed, err := c.OperatorService().ListSearchAttributes(ctx,
		&operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if err != nil {
		return fmt.Errorf("list search attributes: %w", err)
	}
	missing := map[string]enums.IndexedValueType{}
	for _, key := range []temporal.SearchAttributeKey{
		workflows.OrganizationAttribute, workflows.LivemodeAttribute,
		workflows.NoteIDAttribute, workflows.ReferenceAttribute,
	} {
		if _, known := listed.CustomAttributes[key.GetName()]; !known {
			missing[key.GetName()] = key.GetValueType()
		}
	}
	if len(missing) == 0 {
		return nil
	}
	_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace:        namespace,
		SearchAttributes: missing,
	})
	if err != nil {
		return fmt.Errorf("add search attributes: %w", err)
	}
	return nil
}

// ScheduleMaintenance makes sure that the maintenance's schedule exists. A
// worker does it at its start, so that a restored engine gets it back. A schedule
// that an operator paused or changed stays so.
func ScheduleMaintenance(ctx context.Context, c client.Client, queues workflows.Queues) error {
	_, err := c.ScheduleClient().Create(ctx, client.ScheduleOptions{
		ID:      queues.MaintenanceSchedule(),
		Spec:    client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: maintenanceInterval}}},
		Overlap: enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		// What was missed while everything was down is done by the next round.
		CatchupWindow: maintenanceInterval,
		Action: &client.ScheduleWorkflowAction{
			ID:            queues.MaintenanceSchedule(),
			Workflow:      workflows.MaintenanceType,
			TaskQueue:     queues.Maintenance(),
			StaticSummary: "start again what has not moved; retire expired test services",
		},
	})
	if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return nil
	}
	return err
}
