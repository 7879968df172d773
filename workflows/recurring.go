package workflows

import "go.temporal.io/sdk/workflow"

// RecurringNoteInput names the month of a recurrence of a run; its workflow id is the same.
type RecurringNoteInput struct {
	MonthID string
}

// RecurringNote accepts the note of a month, once: the month's row says whether that is left to do.
func RecurringNote(ctx workflow.Context, input RecurringNoteInput) error {
	return acceptRecurring(ctx, input.MonthID)
}
