package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// BatchInput names the spreadsheet of a run; its workflow id is the same.
type BatchInput struct {
	BatchID string
}

// BatchStep is the result of accepting some lines of a spreadsheet.
type BatchStep struct {
	Done bool          `json:",omitempty"` // every line has ended
	Wait time.Duration `json:",omitempty"` // before a line is tried again; 0 when more may follow at once
}

// stepsPerRun keeps the history of a run short.
const stepsPerRun = 200

// AcceptBatch accepts the lines of a spreadsheet, some at a time, until each has ended. It keeps
// no state: the lines' rows say which still wait.
func AcceptBatch(ctx workflow.Context, input BatchInput) error {
	for range stepsPerRun {
		step, err := acceptLines(ctx, input.BatchID)
		if err != nil || step.Done {
			return err
		}
		if step.Wait > 0 {
			if err := workflow.Sleep(ctx, step.Wait); err != nil {
				return err
			}
		}
	}
	return workflow.NewContinueAsNewError(ctx, BatchType, input)
}
