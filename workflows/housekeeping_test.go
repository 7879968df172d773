package workflows_test

import (
	"context"
	"testing"

	"go.temporal.io/sdk/activity"

	"emissor/workflows"
)

// A round works in bounded batches and is itself bounded: what is left waits
// for the next.
func TestHousekeeping_Bounded(t *testing.T) {
	for name, test := range map[string]struct{ stale, requeued, batches int }{
		"nothing":          {0, 0, 1},
		"less than batch":  {7, 7, 1},
		"two full batches": {1000, 1000, 3},
		"more than fits":   {1_000_000, 20 * 500, 20},
	} {
		t.Run(name, func(t *testing.T) {
			left, batches := test.stale, 0
			environment := newEnvironment(t)
			environment.RegisterActivityWithOptions(func(_ context.Context, limit int) (workflows.Batch, error) {
				batches++
				done := min(left, limit)
				left -= done
				return workflows.Batch{Looked: done, Done: done}, nil
			}, activity.RegisterOptions{Name: workflows.ActivityRequeueNotes})
			for _, other := range []string{workflows.ActivityRequeueDeliveries, workflows.ActivityRetireServices,
				workflows.ActivityRequeueEmails, workflows.ActivityWarnOfCertificates,
				workflows.ActivityForgetSecrets, workflows.ActivityRemoveOldCopies,
				workflows.ActivityRefreshMunicipalParameters, workflows.ActivityAskStandings} {
				environment.RegisterActivityWithOptions(func(context.Context,
					int) (workflows.Batch, error) {
					return workflows.Batch{}, nil
				},
					activity.RegisterOptions{Name: other})
			}
			environment.ExecuteWorkflow(workflows.Housekeeping)
			var result workflows.HousekeepingResult
			if err := environment.GetWorkflowResult(&result); err != nil || result.NotesRequeued != test.requeued ||
				batches != test.batches {
				t.Errorf("%+v in %d batches, %v", result, batches, err)
			}
		})
	}
}
