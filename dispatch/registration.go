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

// housekeepingInterval is how often the housekeeping looks.
const housekeepingInterval = 5 * time.Minute

// RegisterSearchAttributes tells the namespace the attributes that notes are
// found by. Without them no note can be started, so `emissor migrate` does it.
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

// ScheduleHousekeeping makes sure that the housekeeping's schedule exists. A
// worker does it at its start, so that a restored engine gets it back. An
// operator who paused or changed the schedule keeps that.
func ScheduleHousekeeping(ctx context.Context, c client.Client, queues workflows.Queues) error {
	_, err := c.ScheduleClient().Create(ctx, client.ScheduleOptions{
		ID:      queues.HousekeepingSchedule(),
		Spec:    client.ScheduleSpec{Intervals: []client.ScheduleIntervalSpec{{Every: housekeepingInterval}}},
		Overlap: enums.SCHEDULE_OVERLAP_POLICY_SKIP,
		// What was missed while everything was down is done by the next round.
		CatchupWindow: housekeepingInterval,
		Action: &client.ScheduleWorkflowAction{
			ID:            queues.HousekeepingSchedule(),
			Workflow:      workflows.HousekeepingType,
			TaskQueue:     queues.Housekeeping(),
			StaticSummary: "start again what has not moved; retire expired test services",
		},
	})
	if errors.Is(err, temporal.ErrScheduleAlreadyRunning) {
		return nil
	}
	return err
}
