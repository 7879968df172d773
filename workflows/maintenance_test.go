package workflows_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"

	"emissor/test/long"
	"emissor/workflows"
)

// A round works in bounded batches and is itself bounded: what is left waits
// for the next.
func TestMaintenance_Bounded(t *testing.T) {
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
			for _, other := range chores[1:] {
				environment.RegisterActivityWithOptions(func(context.Context, int) (workflows.Batch, error) {
					return workflows.Batch{}, nil
				}, activity.RegisterOptions{Name: other})
			}
			environment.ExecuteWorkflow(workflows.Maintenance)
			var result workflows.MaintenanceResult
			if err := environment.GetWorkflowResult(&result); err != nil || result.NotesRequeued != test.requeued ||
				batches != test.batches {
				t.Errorf("%+v in %d batches, %v", result, batches, err)
			}
		})
	}
}

// chores are all activities of the maintenance, in their order.
var chores = []string{
	workflows.ActivityRequeueNotes, workflows.ActivityRequeueDeliveries, workflows.ActivityRequeueEmails,
	workflows.ActivityRetireServices, workflows.ActivityWarnOfCertificates,
	workflows.ActivityRefreshMunicipalParameters, workflows.ActivityPollStandings,
	workflows.ActivityForgetSecrets, workflows.ActivityRemoveOldCopies,
	workflows.ActivityRequeueBatches, workflows.ActivityRemoveOldBatches, workflows.ActivityKeepArchives,
	workflows.ActivityStartRecurring, workflows.ActivityRequeueRecurring,
}

// All other chores have their turn no matter how one fails, and the result names that one.
func TestMaintenance_ChoreFails(t *testing.T) {
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	for name, bad := range map[string]func(context.Context) error{
		"fails":          func(context.Context) error { return errors.New("bad") },
		"panics":         func(context.Context) error { panic("bad") },
		"takes for ever": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"never returns":  func(context.Context) error { <-ended; return nil },
	} {
		for _, failing := range chores {
			asks := failing == workflows.ActivityRefreshMunicipalParameters ||
				failing == workflows.ActivityPollStandings
			if asks && name != "fails" && name != "panics" {
				continue // they are activities of the engine, which bounds them by minutes of its own clock
			}
			t.Run(failing+" "+name, func(t *testing.T) {
				if name == "takes for ever" || name == "never returns" {
					workflows.BoundChores(t, time.Duration(long.Cases(600, 200))*time.Millisecond)
				}
				environment := newEnvironment(t)
				var mu sync.Mutex // an attempt that is given up may still end
				var done, reported []string
				for _, chore := range chores {
					environment.RegisterActivityWithOptions(func(ctx context.Context, _ int) (workflows.Batch, error) {
						if chore == failing {
							return workflows.Batch{}, bad(ctx)
						}
						mu.Lock()
						defer mu.Unlock()
						done = append(done, chore)
						return workflows.Batch{Looked: 1, Done: 1}, nil
					}, activity.RegisterOptions{Name: chore})
				}
				environment.RegisterActivityWithOptions(func(_ context.Context, chore string) error {
					reported = append(reported, chore)
					return errors.New("and even that fails")
				}, activity.RegisterOptions{Name: workflows.ActivityReportFailedChore})
				environment.ExecuteWorkflow(workflows.Maintenance)
				var result workflows.MaintenanceResult
				if err := environment.GetWorkflowResult(&result); err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				defer mu.Unlock()
				others := slices.DeleteFunc(slices.Clone(chores), func(chore string) bool { return chore == failing })
				if done = slices.Compact(done); !slices.Equal(done, others) { // on a busy machine one is tried twice
					t.Errorf("done are %v, expected %v", done, others)
				}
				if !slices.Equal(result.Failed, []string{failing}) || !slices.Equal(reported, result.Failed) {
					t.Errorf("failed are %v, reported %v", result.Failed, reported)
				}
			})
		}
	}
}
