package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
)

// The names of activities, as the Temporal UI shows them. Workflows call them
// through the functions below; package worker registers them.
const (
	ActivityBeginNote          = "BeginNote"
	ActivityVerifyMunicipality = "VerifyMunicipality"
	ActivityAcceptAsDeclared   = "AcceptAsDeclared"
	ActivityRejectMunicipality = "RejectMunicipality"
	ActivitySettleSimulation   = "SettleSimulation"
	ActivityCancelSimulation   = "CancelSimulation"
	ActivityCancelUnsent       = "CancelUnsent"
	ActivityApplyOutsideEvents = "ApplyOutsideEvents"
	ActivityIssueAtOnce        = "IssueAtOnce"
	ActivityNumberNote         = "NumberNote"
	ActivityOpenCancellation   = "OpenCancellation"
	ActivitySign               = "Sign"
	ActivityTransmit           = "Transmit"
	ActivityTransmitAtOnce     = "TransmitAtOnce"
	ActivitySettle             = "Settle"
	ActivityDeliver            = "Deliver"
	ActivityDeliverAtOnce      = "DeliverAtOnce"
	ActivitySendEmail          = "SendEmail"
	ActivityAskDistribution    = "AskDistribution"
	ActivityRequeueNotes       = "RequeueNotes"
	ActivityRequeueDeliveries  = "RequeueDeliveries"
	ActivityRequeueEmails      = "RequeueEmails"
	ActivityRetireServices     = "RetireExpiredServices"
	ActivityWarnOfCertificates = "WarnOfCertificates"
	ActivityForgetSecrets      = "ForgetPreviousSecrets"
	ActivityRemoveOldCopies    = "RemoveOldCopies"
	ActivityReportFailedChore  = "ReportFailedChore"

	ActivityRefreshMunicipalParameters = "RefreshMunicipalParameters"
	ActivityAskStandings               = "AskStandings"
)

// ExchangeInput names the exchange with the authority that an activity moves.
type ExchangeInput struct {
	NoteID    string
	Kind      fiscal.Kind
	Authority string `json:",omitempty"` // of a first attempt, which is not made on the authority's queue
}

// Transmission is where an exchange stands after a transmission. Where nothing is
// set, the note is looked at again.
type Transmission struct {
	Settled bool // the authority's answer ends it
	Held    bool // it waits for something only a person can give

	// Of a first attempt that did not end it: it goes on at the authority's queue, after a pause.
	Queued     bool          `json:",omitempty"`
	RetryAfter time.Duration `json:",omitempty"`
}

// Issuance is where a first attempt left a queued note. Unless its transmission is
// queued, the note was settled, or is looked at again.
type Issuance struct {
	State        NoteState
	Transmission Transmission
}

// MunicipalityAnswer is what the late check of a municipality found.
type MunicipalityAnswer string

// The answers of the late check. That no service answered is an error of the
// activity, which is tried again.
const (
	MunicipalitySettled  MunicipalityAnswer = "settled"  // it agreed, or nobody knows better
	MunicipalityConflict MunicipalityAnswer = "conflict" // the zip code is in another municipality
)

// Batch is what one statement of the housekeeping did.
type Batch struct {
	Looked int // rows that were due; fewer than asked for means that no more are
	Done   int // of them, those that something had to be done about
}

func beginNote(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "queued → processing", ActivityBeginNote, noteID)
}

func acceptAsDeclared(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "no zip code service answered: the municipality stays as declared",
		ActivityAcceptAsDeclared, noteID)
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

func applyOutsideEvents(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "apply what happened outside", ActivityApplyOutsideEvents, noteID)
}

func numberNote(ctx workflow.Context, noteID string) (NoteState, error) {
	ctx = withNumbering(ctx, "take a fiscal number, if nothing is missing")
	var state NoteState
	err := workflow.ExecuteLocalActivity(ctx, ActivityNumberNote, noteID).Get(ctx, &state)
	return state, err
}

func openCancellation(ctx workflow.Context, noteID string) (NoteState, error) {
	return databaseStep[NoteState](ctx, "begin to cancel at the authority",
		ActivityOpenCancellation, noteID)
}

func sign(ctx workflow.Context, input ExchangeInput) (NoteState, error) {
	return databaseStep[NoteState](ctx, "build, sign and store the message to the authority", ActivitySign, input)
}

func settle(ctx workflow.Context, input ExchangeInput) (NoteState, error) {
	summary := "processing → issued or rejected, as the authority said"
	if input.Kind == fiscal.Cancel {
		summary = "issued → cancelled, or not, as the authority said"
	}
	return databaseStep[NoteState](ctx, summary, ActivitySettle, input)
}

// issueAtOnce makes the first attempt at a note of which nothing was done. Whatever goes
// wrong with it, the note goes the longer way.
func issueAtOnce(ctx workflow.Context, noteID string) (result Issuance) {
	local := withFirstAttempt(ctx, authorityAttempt, "queued → issued or rejected, if the authority answers soon")
	if err := workflow.ExecuteLocalActivity(local, ActivityIssueAtOnce, noteID).Get(ctx, &result); err != nil {
		result.Transmission.Queued = true
	}
	return result
}

// transmitAtOnce makes the first attempt within the workflow task. Whatever goes
// wrong with it, the exchange goes on at the authority's queue.
func transmitAtOnce(ctx workflow.Context, authority string, input ExchangeInput) (result Transmission) {
	input.Authority = authority
	local := withFirstAttempt(ctx, authorityAttempt, "transmit, if the authority answers soon")
	if err := workflow.ExecuteLocalActivity(local, ActivityTransmitAtOnce, input).Get(ctx, &result); err != nil {
		return Transmission{Queued: true}
	}
	return result
}

// transmit is the one step of an exchange that waits for the authority. Its
// pauses end when the context is cancelled; an attempt under way is finished.
func transmit(ctx workflow.Context, authority string, input ExchangeInput) workflow.Future {
	summary := "transmit the document to the authority"
	if input.Kind == fiscal.Cancel {
		summary = "ask the authority to cancel the document"
	}
	return workflow.ExecuteActivity(withAuthority(ctx, authority, summary), ActivityTransmit, input)
}

// verifyMunicipality asks the zip code services again.
func verifyMunicipality(ctx workflow.Context, noteID string, livemode bool) workflow.Future {
	return workflow.ExecuteActivity(withMunicipalityLookup(ctx, livemode), ActivityVerifyMunicipality, noteID)
}

// deliverAtOnce makes the first attempts of new deliveries within the workflow task.
// What they do not end has an outbox row, and gets a run of its own.
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

// refreshMunicipalParameters asks authorities, of which one may be out: then it is
// done another time.
func refreshMunicipalParameters(ctx workflow.Context) (int, error) {
	var batch Batch
	err := workflow.ExecuteActivity(withAsking(ctx, "fetch the parameters of cities that are a day old"),
		ActivityRefreshMunicipalParameters, housekeepingBatch).Get(ctx, &batch)
	return batch.Done, err
}

// askStandings asks authorities, likewise.
func askStandings(ctx workflow.Context) (int, error) {
	var batch Batch
	err := workflow.ExecuteActivity(withAsking(ctx, "ask whether notes were cancelled outside"), ActivityAskStandings,
		housekeepingBatch).Get(ctx, &batch)
	return batch.Done, err
}

// reportFailedChore puts into log and metric that a chore of the housekeeping failed. The
// result of the round says it too, so that nothing is lost when this fails.
func reportFailedChore(ctx workflow.Context, chore string) {
	local := withFirstAttempt(ctx, 5*time.Second, "report that "+chore+" failed")
	_ = workflow.ExecuteLocalActivity(local, ActivityReportFailedChore, chore).Get(ctx, nil)
}

// askDistribution asks an authority what happened outside. It waits for its turn,
// and is tried again whatever went wrong here.
func askDistribution(ctx workflow.Context, id string) (result Asked, err error) {
	err = workflow.ExecuteActivity(withDistribution(ctx), ActivityAskDistribution, id).Get(ctx, &result)
	return result, err
}

// choreStep runs a batch of a chore of the housekeeping inside the workflow task.
func choreStep(ctx workflow.Context, summary, activity string) (batch Batch, err error) {
	err = workflow.ExecuteLocalActivity(withChore(ctx, summary), activity, housekeepingBatch).Get(ctx, &batch)
	return batch, err
}

// databaseStep runs one step on the database inside the workflow task.
func databaseStep[Result any](ctx workflow.Context, summary, activity string, input any) (result Result, err error) {
	err = workflow.ExecuteLocalActivity(withDatabaseStep(ctx, summary), activity, input).Get(ctx, &result)
	return result, err
}
