package workflows

import (
	"time"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

const (
	// EmailType is the workflow type of an e-mail.
	EmailType = "Email"
	// SendEmail is the name of its activity.
	SendEmail = "SendEmail"
	// EmailGivenUp is the type of the error that fails the run of an e-mail
	// which was given up.
	EmailGivenUp = "email_given_up"
)

// Emails is the task queue of e-mails to customers.
func (q Queues) Emails() string { return q.named("emails") }

// EmailInput names the e-mail of a run; its workflow id is the same.
type EmailInput struct {
	EmailID string
}

// EmailResult is how an e-mail ended: sent or skipped. One that was given up
// fails its run, so that operators see it.
type EmailResult struct {
	Status string
}

// Email sends an issued note to its customer, for days if it must. The activity
// says when it is tried again; its row says how often it was, and why it failed.
func Email(ctx workflow.Context, input EmailInput) (EmailResult, error) {
	var result EmailResult
	err := workflow.ExecuteActivity(withEmail(ctx), SendEmail, input.EmailID).Get(ctx, &result)
	return result, err
}

// withEmail makes attempts for days. A conversation with the mail server takes
// at most half a minute. Each failure says itself when the next attempt is due,
// at most four hours and a tenth later; the engine would cut a longer wait to the
// maximum here.
func withEmail(ctx workflow.Context) workflow.Context {
	return workflow.WithActivityOptions(ctx, workflow.ActivityOptions{
		StartToCloseTimeout: 45 * time.Second,
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval:    5 * time.Second,
			BackoffCoefficient: 1,
			MaximumInterval:    5 * time.Hour,
		},
		Summary: "send the note to the customer",
	})
}
