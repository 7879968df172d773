package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
)

// The names of activities, as the Temporal UI shows them. Workflows call them
// through the functions below; package worker registers them.
const (
	ActivityBeginNote                = "BeginNote"
	ActivityVerifyMunicipality       = "VerifyMunicipality"
	ActivityKeepDeclaredMunicipality = "KeepDeclaredMunicipality"
	ActivityRejectMunicipality       = "RejectMunicipality"
	ActivitySettleSimulation         = "SettleSimulation"
	ActivityCancelSimulation         = "CancelSimulation"
	ActivityCancelUnsent             = "CancelUnsent"
	ActivityApplyExternalEvents      = "ApplyExternalEvents"
	ActivityExchangeAtOnce           = "ExchangeAtOnce"
	ActivityExchange                 = "Exchange"
	ActivityDeliver                  = "Deliver"
	ActivityDeliverAtOnce            = "DeliverAtOnce"
	ActivitySendEmail                = "SendEmail"
	ActivityPollDistribution         = "PollDistribution"
	ActivityMakeArchive              = "MakeArchive"
	ActivityKeepArchives             = "KeepArchives"
	ActivityRequeueNotes             = "RequeueNotes"
	ActivityRequeueDeliveries        = "RequeueDeliveries"
	ActivityRequeueEmails            = "RequeueEmails"
	ActivityRetireServices           = "RetireExpiredServices"
	ActivityWarnOfCertificates       = "WarnOfCertificates"
	ActivityForgetSecrets            = "ForgetPreviousSecrets"
	ActivityRemoveOldCopies          = "RemoveOldCopies"
	ActivityReportFailedChore        = "ReportFailedChore"

	ActivityRefreshMunicipalParameters = "RefreshMunicipalParameters"
	ActivityPollStandings              = "PollStandings"

	ActivityAcceptLines      = "AcceptLines"
	ActivityRequeueBatches   = "RequeueBatches"
	ActivityRemoveOldBatches = "RemoveOldBatches"

	ActivityAcceptRecurring  = "AcceptRecurring"
	ActivityStartRecurring   = "StartRecurring"
	ActivityRequeueRecurring = "RequeueRecurring"
)

// ExchangeInput names the exchange with the authority that an activity moves.
type ExchangeInput struct {
	NoteID    string
	Kind      fiscal.Kind
	Authority string `json:",omitempty"` // on whose queue the attempt is made; empty for the first attempt
}

// ExchangeResult is the state in which an attempt at an exchange left the note: settled, held,
// or to be read again. After a first attempt the exchange may go on at a queue.
type ExchangeResult struct {
	State NoteState

	Queued     bool          `json:",omitempty"` // it goes on at the authority's queue
	Authority  string        `json:",omitempty"` // whose queue
	RetryAfter time.Duration `json:",omitempty"` // after a pause; of a held one, the pause before it is tried again
}

// MunicipalityAnswer is what the late check of a municipality found.
type MunicipalityAnswer string

// The answers of the late check. That no service answered is an error of the
// activity, which is tried again.
const (
	MunicipalitySettled  MunicipalityAnswer = "settled"  // the services agreed, or know nothing better
	MunicipalityConflict MunicipalityAnswer = "conflict" // the zip code is in another municipality
)

// Batch is what one statement of the maintenance did.
type Batch struct {
	Looked int // rows that were due; fewer than the batch's limit means that there are no more
	Done   int // those of them that something was done about
}

func beginNote(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "queued → processing", ActivityBeginNote, noteID)
}

func keepDeclaredMunicipality(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "no zip code service answered: the municipality stays as declared",
		ActivityKeepDeclaredMunicipality, noteID)
}

func rejectMunicipality(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "processing → rejected: the zip code is in another municipality",
		ActivityRejectMunicipality, noteID)
}

func settleSimulation(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "processing → issued or rejected, as the scenario says",
		ActivitySettleSimulation, noteID)
}

func cancelSimulation(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "issued → cancelled, if the authority agrees",
		ActivityCancelSimulation, noteID)
}

func cancelUnsent(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "→ cancelled: nothing was sent", ActivityCancelUnsent, noteID)
}

func applyExternalEvents(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "apply what happened outside", ActivityApplyExternalEvents, noteID)
}

// exchangeAtOnce makes the first attempt at an exchange within the workflow task.
func exchangeAtOnce(ctx workflow.Context, input ExchangeInput) (result ExchangeResult, err error) {
	summary := "number, sign, send and settle, as far as the authority answers soon"
	switch input.Kind {
	case fiscal.Cancel:
		summary = "cancel at the authority, as far as it answers soon"
	case fiscal.Analysis:
		summary = "ask the city for an analysis, as far as the authority answers soon"
	}
	local := withStep(ctx, AuthorityAttempt, summary)
	err = workflow.ExecuteLocalActivity(local, ActivityExchangeAtOnce, input).Get(ctx, &result)
	return result, err
}

// exchangeAtQueue is the one step of an exchange that waits for the authority. Its
// pauses end when the context is cancelled; an attempt under way is finished.
func exchangeAtQueue(ctx workflow.Context, authority string, input ExchangeInput) workflow.Future {
	input.Authority = authority
	summary := "issue the document at the authority"
	switch input.Kind {
	case fiscal.Cancel:
		summary = "ask the authority to cancel the document"
	case fiscal.Analysis:
		summary = "ask the city for an analysis of the cancellation"
	}
	return workflow.ExecuteActivity(withAuthority(ctx, authority, summary), ActivityExchange, input)
}

// verifyMunicipality asks the zip code services again.
func verifyMunicipality(ctx workflow.Context, noteID string, livemode bool) workflow.Future {
	return workflow.ExecuteActivity(withMunicipalityLookup(ctx, livemode), ActivityVerifyMunicipality, noteID)
}

// deliverAtOnce makes the first attempts of new deliveries within the workflow task.
// A delivery that they do not end has an outbox row, and gets a run of its own.
func deliverAtOnce(ctx workflow.Context, deliveryIDs []string) {
	var attempts []workflow.Future
	for _, id := range deliveryIDs {
		attempts = append(attempts, workflow.ExecuteLocalActivity(
			withFirstAttempt(ctx, deliveryAttempt, "send the event to the endpoint, if it answers soon"),
			ActivityDeliverAtOnce, id))
	}
	for _, attempt := range attempts {
		_ = attempt.Get(ctx, nil)
	}
}

func deliver(ctx workflow.Context, deliveryID string) (result DeliveryResult, err error) {
	err = workflow.ExecuteActivity(withDelivery(ctx), ActivityDeliver, deliveryID).Get(ctx, &result)
	return result, err
}

func sendEmail(ctx workflow.Context, emailID string) (result EmailResult, err error) {
	err = workflow.ExecuteActivity(withEmail(ctx), ActivitySendEmail, emailID).Get(ctx, &result)
	return result, err
}

// makeArchive makes the next parts of a ZIP.
func makeArchive(ctx workflow.Context, id string) (result ExportResult, err error) {
	err = workflow.ExecuteActivity(withExport(ctx), ActivityMakeArchive, id).Get(ctx, &result)
	return result, err
}

// refreshMunicipalParameters asks authorities. What fails is done in a later round.
func refreshMunicipalParameters(ctx workflow.Context) (int, error) {
	var batch Batch
	err := workflow.ExecuteActivity(withAsking(ctx, "fetch the parameters of cities that are a day old"),
		ActivityRefreshMunicipalParameters, maintenanceBatch).Get(ctx, &batch)
	return batch.Done, err
}

// pollStandings asks authorities too.
func pollStandings(ctx workflow.Context) (int, error) {
	var batch Batch
	err := workflow.ExecuteActivity(withAsking(ctx, "ask whether notes were cancelled outside"), ActivityPollStandings,
		maintenanceBatch).Get(ctx, &batch)
	return batch.Done, err
}

// reportFailedChore logs and counts that a chore of the maintenance failed. The result of the
// round says it too, so that nothing is lost when this fails.
func reportFailedChore(ctx workflow.Context, chore string) {
	local := withFirstAttempt(ctx, 5*time.Second, "report that "+chore+" failed")
	_ = workflow.ExecuteLocalActivity(local, ActivityReportFailedChore, chore).Get(ctx, nil)
}

// pollDistribution asks an authority for the next batch of a distribution. It waits for its lease, and is tried again
// after any failure on our side.
func pollDistribution(ctx workflow.Context, id string) (result Polled, err error) {
	err = workflow.ExecuteActivity(withDistribution(ctx), ActivityPollDistribution, id).Get(ctx, &result)
	return result, err
}

// acceptLines accepts the next lines of a spreadsheet.
func acceptLines(ctx workflow.Context, batchID string) (step BatchStep, err error) {
	err = workflow.ExecuteActivity(withLines(ctx), ActivityAcceptLines, batchID).Get(ctx, &step)
	return step, err
}

// acceptRecurring accepts the note of a month.
func acceptRecurring(ctx workflow.Context, monthID string) error {
	return workflow.ExecuteActivity(withRecurring(ctx), ActivityAcceptRecurring, monthID).Get(ctx, nil)
}

// choreStep runs a batch of a chore of the maintenance inside the workflow task.
func choreStep(ctx workflow.Context, summary, activity string) (batch Batch, err error) {
	err = workflow.ExecuteLocalActivity(withChore(ctx, summary), activity, maintenanceBatch).Get(ctx, &batch)
	return batch, err
}

// databaseStep runs one step on the database inside the workflow task.
func databaseStep[Result any](ctx workflow.Context, summary, activity string, input any) (result Result, err error) {
	err = workflow.ExecuteLocalActivity(withDatabaseStep(ctx, summary), activity, input).Get(ctx, &result)
	return result, err
}
