package workflows

import "go.temporal.io/sdk/workflow"

// HousekeepingResult is what one round put right.
type HousekeepingResult struct {
	NotesHealed      int
	DeliveriesHealed int
	ServicesRetired  int
}

const (
	housekeepingBatch = 500 // rows a statement
	housekeepingMost  = 20  // batches a round: the next one goes on
)

// Housekeeping puts back in motion what should be moving and is not, and
// retires test services whose time is over. A schedule starts it.
func Housekeeping(ctx workflow.Context) (result HousekeepingResult, err error) {
	if result.NotesHealed, err = inBatches(ctx, "start again notes that have not moved", HealNotes); err != nil {
		return result, err
	}
	if result.DeliveriesHealed, err = inBatches(ctx, "start again deliveries that have not moved", HealDeliveries); err != nil {
		return result, err
	}
	result.ServicesRetired, err = inBatches(ctx, "retire expired test services", RetireExpiredServices)
	return result, err
}

func inBatches(ctx workflow.Context, summary, activity string) (total int, err error) {
	for range housekeepingMost {
		var done int
		err := workflow.ExecuteLocalActivity(withDatabaseStep(ctx, summary), activity, housekeepingBatch).Get(ctx, &done)
		total += done
		if err != nil || done < housekeepingBatch {
			return total, err
		}
	}
	return total, nil
}
