package workflows_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/workflow"

	"emissor/workflows"
)

// distribute runs the workflow with an activity that answers so, and says how often it
// asked and how long it took.
func distribute(t *testing.T, wakeUp time.Duration, ask func(n int) (workflows.Polled, error)) (asked int,
	took time.Duration, err error) {
	t.Helper()
	environment := newEnvironment(t)
	environment.RegisterWorkflowWithOptions(workflows.Distribution,
		workflow.RegisterOptions{Name: workflows.DistributionType})
	environment.RegisterActivityWithOptions(func(_ context.Context, id string) (workflows.Polled, error) {
		asked++
		if id != "dst_x" {
			t.Errorf("asked is for %q", id)
		}
		return ask(asked)
	}, activity.RegisterOptions{Name: workflows.ActivityPollDistribution})
	if wakeUp > 0 {
		environment.RegisterDelayedCallback(func() { environment.SignalWorkflow(workflows.ResumeSignal, nil) }, wakeUp)
	}
	started := environment.Now()
	environment.ExecuteWorkflow(workflows.DistributionType, workflows.DistributionInput{DistributionID: "dst_x"})
	return asked, environment.Now().Sub(started), environment.GetWorkflowError()
}

// It asks on while more follows, pauses when nothing does, and ends with its issuer.
func TestDistribution_UntilItIsOver(t *testing.T) {
	asked, took, err := distribute(t, 0, func(n int) (workflows.Polled, error) {
		return map[int]workflows.Polled{3: {Pause: 7 * time.Minute}, 5: {Over: true}}[n], nil
	})
	if err != nil || asked != 5 || took < 7*time.Minute || took > 8*time.Minute {
		t.Errorf("it asked %d times in %s, %v", asked, took, err)
	}
}

func TestDistribution_WakeUp(t *testing.T) {
	_, took, err := distribute(t, time.Minute, func(n int) (workflows.Polled, error) {
		return workflows.Polled{Pause: time.Hour, Over: n == 2}, nil
	})
	if err != nil || took != time.Minute {
		t.Errorf("it took %s, %v", took, err)
	}
}

// Its history stays short: it goes on as a new run.
func TestDistribution_ContinuesAsNew(t *testing.T) {
	asked, _, err := distribute(t, 0, func(int) (workflows.Polled, error) {
		return workflows.Polled{Pause: time.Minute}, nil
	})
	var next *workflow.ContinueAsNewError
	if !errors.As(err, &next) || next.WorkflowType.Name != workflows.DistributionType || asked > 500 {
		t.Errorf("after %d times: %v", asked, err)
	}
}
