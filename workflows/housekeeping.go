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

	Failed []string `json:",omitempty"` // chores, by their activities: the next round tries them again
}

const (
	housekeepingBatch   = 500 // rows a statement
	housekeepingBatches = 20  // at most in a round: the next one goes on
)

// Housekeeping puts back in motion what should be moving and is not, retires
// test services whose time is over, warns of certificates that expire, fetches the
// parameters of cities anew, asks whether notes were cancelled outside, forgets secrets that
// nothing signs by any more, and removes copies that are older than they are to be kept.
// What is wrong with one of these chores stops no other. A schedule starts it.
func Housekeeping(ctx workflow.Context) (HousekeepingResult, error) {
	var round HousekeepingResult
	round.inBatches(ctx, &round.NotesRequeued, "start again notes that have not moved", ActivityRequeueNotes)
	round.inBatches(ctx, &round.DeliveriesRequeued, "start again deliveries that have not moved",
		ActivityRequeueDeliveries)
	round.inBatches(ctx, &round.EmailsRequeued, "start again e-mails that have not moved", ActivityRequeueEmails)
	round.inBatches(ctx, &round.ServicesRetired, "retire expired test services", ActivityRetireServices)
	round.inBatches(ctx, &round.Warnings, "warn of certificates that expire", ActivityWarnOfCertificates)
	if workflow.GetVersion(ctx, "what need not be kept goes", workflow.DefaultVersion, 1) == workflow.DefaultVersion {
		return round, nil
	}
	if workflow.GetVersion(ctx, "municipal parameters are refreshed", workflow.DefaultVersion, 1) == 1 {
		fetched, err := refreshMunicipalParameters(ctx)
		round.add(ctx, &round.ParametersFetched, ActivityRefreshMunicipalParameters, fetched, err)
	}
	if workflow.GetVersion(ctx, "standings are asked for", workflow.DefaultVersion, 1) == 1 {
		cancelled, err := askStandings(ctx)
		round.add(ctx, &round.CancelledOutside, ActivityAskStandings, cancelled, err)
	}
	round.inBatches(ctx, &round.SecretsForgotten, "forget secrets of rotations that are over", ActivityForgetSecrets)
	round.inBatches(ctx, &round.CopiesRemoved, "remove copies that are older than they are to be kept",
		ActivityRemoveOldCopies)
	return round, nil
}

// inBatches takes the batches of a chore until there is nothing more to do.
func (r *HousekeepingResult) inBatches(ctx workflow.Context, done *int, summary, activity string) {
	for range housekeepingBatches {
		batch, err := choreStep(ctx, summary, activity)
		r.add(ctx, done, activity, batch.Done, err)
		if err != nil || batch.Looked < housekeepingBatch {
			return
		}
	}
}

// add takes down what came of a chore.
func (r *HousekeepingResult) add(ctx workflow.Context, done *int, activity string, more int, err error) {
	*done += more
	if err != nil {
		r.Failed = append(r.Failed, activity)
		reportFailedChore(ctx, activity)
	}
}
