package workflows

import "go.temporal.io/sdk/workflow"

// HousekeepingResult is what one round put right.
type HousekeepingResult struct {
	NotesRequeued      int
	DeliveriesRequeued int
	EmailsRequeued     int
	ServicesRetired    int
	Warnings           int // of certificates that expire
	SecretsForgotten   int // of webhook endpoints, whose rotation is over
	ParametersFetched  int // of cities, and of services in them
	CancelledOutside   int // notes, found by asking
	CopiesRemoved      int // of what is older than it is to be kept
}

const (
	housekeepingBatch   = 500 // rows a statement
	housekeepingBatches = 20  // at most in a round: the next one goes on
)

// Housekeeping puts back in motion what should be moving and is not, retires
// test services whose time is over, warns of certificates that expire, fetches the
// parameters of cities anew, asks whether notes were cancelled outside, forgets secrets that
// nothing signs by any more, and removes copies that are older than they are to be kept.
// A schedule starts it.
func Housekeeping(ctx workflow.Context) (result HousekeepingResult, err error) {
	for _, chore := range []struct {
		summary, activity string
		done              *int
	}{
		{"start again notes that have not moved", ActivityRequeueNotes, &result.NotesRequeued},
		{"start again deliveries that have not moved", ActivityRequeueDeliveries, &result.DeliveriesRequeued},
		{"start again e-mails that have not moved", ActivityRequeueEmails, &result.EmailsRequeued},
		{"retire expired test services", ActivityRetireServices, &result.ServicesRetired},
		{"warn of certificates that expire", ActivityWarnOfCertificates, &result.Warnings},
	} {
		if *chore.done, err = inBatches(ctx, chore.summary, chore.activity); err != nil {
			return result, err
		}
	}
	if workflow.GetVersion(ctx, "what need not be kept goes", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return result, nil
	}
	if workflow.GetVersion(ctx, "municipal parameters are refreshed", workflow.DefaultVersion, 1) == 1 {
		result.ParametersFetched = refreshMunicipalParameters(ctx)
	}
	if workflow.GetVersion(ctx, "standings are asked for", workflow.DefaultVersion, 1) == 1 {
		result.CancelledOutside = askStandings(ctx)
	}
	result.SecretsForgotten, err = inBatches(ctx, "forget secrets of rotations that are over", ActivityForgetSecrets)
	if err == nil {
		result.CopiesRemoved, err = inBatches(ctx, "remove copies that are older than they are to be kept",
			ActivityRemoveOldCopies)
	}
	return result, err
}

func inBatches(ctx workflow.Context, summary, activity string) (total int, err error) {
	for range housekeepingBatches {
		batch, err := databaseStep[Batch](ctx, summary, activity, housekeepingBatch)
		total += batch.Done
		if err != nil || batch.Looked < housekeepingBatch {
			return total, err
		}
	}
	return total, nil
}
