package workflows

import "go.temporal.io/sdk/workflow"

// HousekeepingResult is what one round put right.
type HousekeepingResult struct {
	NotesHealed      int
	DeliveriesHealed int
	ServicesRetired  int
	EmailsHealed     int `json:",omitempty"`
	Warnings         int `json:",omitempty"` // of certificates that expire
}

// Batch is what one statement of a round did.
type Batch struct {
	Looked int // rows that were due; fewer than asked for means that no more are
	Done   int // of them, those that something had to be done about
}

const (
	housekeepingBatch = 500 // rows a statement
	housekeepingMost  = 20  // batches a round: the next one goes on
)

// Housekeeping puts back in motion what should be moving and is not, retires
// test services whose time is over, and warns of certificates that expire. A
// schedule starts it.
func Housekeeping(ctx workflow.Context) (result HousekeepingResult, err error) {
	if result.NotesHealed, err = inBatches(ctx, "start again notes that have not moved", HealNotes); err != nil {
		return result, err
	}
	if result.DeliveriesHealed, err = inBatches(ctx, "start again deliveries that have not moved", HealDeliveries); err != nil {
		return result, err
	}
	if result.ServicesRetired, err = inBatches(ctx, "retire expired test services", RetireExpiredServices); err != nil {
		return result, err
	}
	if workflow.GetVersion(ctx, "live", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return result, nil
	}
	if result.EmailsHealed, err = inBatches(ctx, "start again e-mails that have not moved", HealEmails); err != nil {
		return result, err
	}
	result.Warnings, err = inBatches(ctx, "warn of certificates that expire", WarnOfCertificates)
	return result, err
}

func inBatches(ctx workflow.Context, summary, activity string) (total int, err error) {
	for range housekeepingMost {
		var batch Batch
		err := workflow.ExecuteLocalActivity(withDatabaseStep(ctx, summary), activity, housekeepingBatch).Get(ctx, &batch)
		total += batch.Done
		if err != nil || batch.Looked < housekeepingBatch {
			return total, err
		}
	}
	return total, nil
}
