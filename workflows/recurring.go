package workflows

import "go.temporal.io/sdk/workflow"

// RecurringNoteInput names the month of a recurrence of a run; its workflow id is the same.
type RecurringNoteInput struct {
	MonthID string
}

// RecurringNote accepts the note of a month, once: the month's row says whether that is left to do.
// It is one short run for each month, which the maintenance's scan starts. A run for each recurrence, with a
// timer of a month, would be open without doing anything, be woken up for every change, and decide after an
// outage by its own clock.
func RecurringNote(ctx workflow.Context, input RecurringNoteInput) error {
	return acceptRecurring(ctx, input.MonthID)
}
