package dispatch

import (
	"context"
	"errors"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"emissor/workflows"
)

// maintenanceInterval is how often the maintenance runs.
const maintenanceInterval = 5 * time.Minute

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
