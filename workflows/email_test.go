package workflows_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/temporal"

	"emissor/workflows"
)

// email runs the workflow with an activity that answers so, and says how long it
// took.
func email(t *testing.T, send func(attempt int32) (workflows.EmailResult, error)) (result workflows.EmailResult,
	took time.Duration, err error) {
	t.Helper()
	environment := newEnvironment(t)
	environment.RegisterActivityWithOptions(func(ctx context.Context, id string) (workflows.EmailResult, error) {
		if id != "eml_x" {
			t.Errorf("the activity is asked for %q", id)
		}
		return send(activity.GetInfo(ctx).Attempt)
	}, activity.RegisterOptions{Name: workflows.ActivitySendEmail})
	started := environment.Now()
	environment.ExecuteWorkflow(workflows.Email, workflows.EmailInput{EmailID: "eml_x"})
	took = environment.Now().Sub(started)
	if err := environment.GetWorkflowError(); err != nil {
		return result, took, err
	}
	return result, took, environment.GetWorkflowResult(&result)
}

func TestEmail_Sent(t *testing.T) {
	sent := func(int32) (workflows.EmailResult, error) { return workflows.EmailResult{Status: "sent"}, nil }
	result, _, err := email(t, sent)
	if err != nil || result.Status != "sent" {
		t.Errorf("%+v, %v", result, err)
	}
}

// The longest pause that an attempt asks for is kept, however often it asks.
func TestEmail_TriedForDays(t *testing.T) {
	const pause = 264 * time.Minute
	result, took, err := email(t, func(attempt int32) (workflows.EmailResult, error) {
		if attempt < 9 { // the test environment knows ten
			return workflows.EmailResult{}, temporal.NewApplicationErrorWithOptions("later", "email_attempt_failed",
				temporal.ApplicationErrorOptions{NextRetryDelay: pause})
		}
		return workflows.EmailResult{Status: "sent"}, nil
	})
	if err != nil || result.Status != "sent" || took < 8*pause || took > 9*pause {
		t.Errorf("%+v after %s, %v", result, took, err)
	}
}

// Giving up fails the run, so that operators see it.
func TestEmail_GivenUp(t *testing.T) {
	_, _, err := email(t, func(int32) (workflows.EmailResult, error) {
		return workflows.EmailResult{}, temporal.NewNonRetryableApplicationError("given up", workflows.EmailGivenUp,
			nil)
	})
	var failure *temporal.ApplicationError
	if !errors.As(err, &failure) || failure.Type() != workflows.EmailGivenUp {
		t.Errorf("%v", err)
	}
}

func TestQueues_Emails(t *testing.T) {
	for prefix, expected := range map[string]string{"": "emissor-emails", "other": "other-emails"} {
		queues := workflows.Queues{Prefix: prefix}
		if name := queues.Emails(); name != expected || name == queues.Notes() || !strings.HasSuffix(name, "emails") {
			t.Errorf("the queue is %q", name)
		}
	}
}
