package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"
)

// DistributionInput names the distribution of a run; its workflow id is the same.
type DistributionInput struct {
	DistributionID string
}

// Polled is the result of asking for a batch.
type Polled struct {
	Over  bool          `json:",omitempty"` // no fiscal profile has the issuer any more
	Pause time.Duration `json:",omitempty"` // before the next batch; 0 when more may follow at once
}

// batchesPerRun keeps the history of a run short.
const batchesPerRun = 200

// Distribution asks for what others did with the documents of one issuer, for as long as
// a fiscal profile has it: batch after batch, and after a pause again. It keeps no state:
// the database says where to go on. A wake-up ends a pause; one that is lost between two
// runs does no harm, because a run begins by asking.
func Distribution(ctx workflow.Context, input DistributionInput) error {
	wakeUps := newWakeUps(ctx)
	for range batchesPerRun {
		asked, err := pollDistribution(ctx, input.DistributionID)
		if err != nil || asked.Over {
			return err
		}
		if asked.Pause > 0 {
			if _, err := wait(ctx, asked.Pause, "before asking again what happened outside", wakeUps); err != nil {
				return err
			}
		}
		wakeUps.drain()
	}
	return workflow.NewContinueAsNewError(ctx, DistributionType, input)
}
