package workflows

import "go.temporal.io/sdk/workflow"

// MaintenanceResult is what one round of the maintenance did.
type MaintenanceResult struct {
	NotesRequeued       int
	DeliveriesRequeued  int
	EmailsRequeued      int
	ServicesRetired     int
	Warnings            int // of certificates that expire
	SecretsForgotten    int // of webhook endpoints, whose rotation is over
	ParametersFetched   int // of cities, and of services in them
	CancelledExternally int // notes, found by asking
	CopiesRemoved       int // that were past their retention
	BatchesRequeued     int // spreadsheets
	BatchesRemoved      int // spreadsheets that ended, or that nobody accepted
	RecurringStarted    int `json:",omitempty"` // months of recurring notes: issued, or asked about
	RecurringRequeued   int `json:",omitempty"`
	ArchivesKept        int `json:",omitempty"` // ZIPs of months that were started again or removed

	Failed []string `json:",omitempty"` // chores, by the names of their activities: the next round tries them again
}

const (
	maintenanceBatch   = 500 // rows a statement
	maintenanceBatches = 20  // at most in a round: the next one goes on
)

// Maintenance requeues what should move and does not, retires test services whose time is
// over, warns of certificates that expire, refreshes the parameters of cities, asks whether
// notes were cancelled outside, erases secrets of rotations that are over, and removes copies
// past their retention. A chore that fails stops no other. A schedule starts it.
func Maintenance(ctx workflow.Context) (MaintenanceResult, error) {
	var round MaintenanceResult
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
		cancelled, err := pollStandings(ctx)
		round.add(ctx, &round.CancelledExternally, ActivityPollStandings, cancelled, err)
	}
	round.inBatches(ctx, &round.SecretsForgotten, "forget secrets of rotations that are over", ActivityForgetSecrets)
	round.inBatches(ctx, &round.CopiesRemoved, "remove copies that are older than they are to be kept",
		ActivityRemoveOldCopies)
	if workflow.GetVersion(ctx, "spreadsheets are looked after", workflow.DefaultVersion, 1) == 1 {
		round.inBatches(ctx, &round.BatchesRequeued, "start again spreadsheets that have not moved",
			ActivityRequeueBatches)
		round.inBatches(ctx, &round.BatchesRemoved, "remove old spreadsheets", ActivityRemoveOldBatches)
	}
	if workflow.GetVersion(ctx, "archives are kept", workflow.DefaultVersion, 1) == 1 {
		round.inBatches(ctx, &round.ArchivesKept, "start again archives that have not moved, and remove old ones",
			ActivityKeepArchives)
	}
	if workflow.GetVersion(ctx, "recurring notes are started", workflow.DefaultVersion, 1) == 1 {
		round.inBatches(ctx, &round.RecurringStarted, "start recurring notes whose day it is", ActivityStartRecurring)
		round.inBatches(ctx, &round.RecurringRequeued, "start again recurring notes that have not moved",
			ActivityRequeueRecurring)
	}
	return round, nil
}

// inBatches takes the batches of a chore until there is nothing more to do.
func (r *MaintenanceResult) inBatches(ctx workflow.Context, done *int, summary, activity string) {
	for range maintenanceBatches {
		batch, err := choreStep(ctx, summary, activity)
		r.add(ctx, done, activity, batch.Done, err)
		if err != nil || batch.Looked < maintenanceBatch {
			return
		}
	}
}

// add records the result of a chore.
func (r *MaintenanceResult) add(ctx workflow.Context, done *int, activity string, more int, err error) {
	*done += more
	if err != nil {
		r.Failed = append(r.Failed, activity)
		reportFailedChore(ctx, activity)
	}
}
