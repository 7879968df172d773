package workflows

import "go.temporal.io/sdk/workflow"

// EmailInput names the e-mail of a run; its workflow id is the same.
type EmailInput struct {
	EmailID string
}

// EmailResult is how an e-mail ended: sent or skipped. One that was given up
// fails its run, so that operators see it.
type EmailResult struct {
	Status string
}

// Email sends an issued note to its customer, with attempts for days if needed. The activity
// says when the next one is due; the e-mail's row says how many there were, and why they failed.
func Email(ctx workflow.Context, input EmailInput) (EmailResult, error) {
	return sendEmail(ctx, input.EmailID)
}
