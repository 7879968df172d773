package dispatch

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"emissor/store/outbox"
	"emissor/workflows"
)

// Outcomes of a start, for the metrics.
const (
	outcomeStarted = "started"
	outcomeOpen    = "open"   // a run is open already
	outcomeFailed  = "failed" // tried again later
)

// Starter starts or signals the workflows of outbox rows. To start a row twice has
// the effect of starting it once.
type Starter struct {
	Client client.Client
	Queues workflows.Queues
}

// Start makes sure that a run for the row is open. A run that is open already is
// a success (outcome open): it reads the state of its note or delivery again
// before it ends.
func (s Starter) Start(ctx context.Context, start outbox.Start) (outcome string, err error) {
	switch start.Kind {
	case outbox.StartNote:
		err = s.startNote(ctx, start)
	case outbox.StartCancellation:
		err = s.wakeUp(ctx, start, workflows.CancelSignal)
	case outbox.StartResume:
		err = s.wakeUp(ctx, start, workflows.ResumeSignal)
	case outbox.StartDelivery:
		_, err = s.Client.ExecuteWorkflow(ctx, s.deliveryOptions(start), workflows.DeliveryType,
			workflows.DeliveryInput{DeliveryID: start.SubjectID})
	case outbox.StartEmail:
		_, err = s.Client.ExecuteWorkflow(ctx, followUpOptions(start, s.Queues.Emails(), "e-mail"),
			workflows.EmailType, workflows.EmailInput{EmailID: start.SubjectID})
	case outbox.StartBatch:
		_, err = s.Client.ExecuteWorkflow(ctx, followUpOptions(start, s.Queues.Notes(), "spreadsheet"),
			workflows.BatchType, workflows.BatchInput{BatchID: start.SubjectID})
	case outbox.StartRecurrence:
		_, err = s.Client.ExecuteWorkflow(ctx, followUpOptions(start, s.Queues.Notes(), "recurring note"),
			workflows.RecurringNoteType, workflows.RecurringNoteInput{MonthID: start.SubjectID})
	case outbox.StartExport:
		_, err = s.Client.ExecuteWorkflow(ctx, followUpOptions(start, s.Queues.Exports(), "ZIP of a month"),
			workflows.ExportType, workflows.ExportInput{ArchiveID: start.SubjectID})
	case outbox.StartDistribution:
		err = s.distribute(ctx, start)
	default:
		err = fmt.Errorf("an outbox row of the unknown kind %q", start.Kind)
	}
	var open *serviceerror.WorkflowExecutionAlreadyStarted
	switch {
	case errors.As(err, &open):
		return outcomeOpen, nil
	case err != nil:
		return outcomeFailed, err
	}
	return outcomeStarted, nil
}

// Check asks for the engine's health. An engine that has no health check, or does not permit
// it to us, counts as healthy.
func (s Starter) Check(ctx context.Context) error {
	_, err := s.Client.CheckHealth(ctx, &client.CheckHealthRequest{})
	var unasked *serviceerror.Unimplemented
	var forbidden *serviceerror.PermissionDenied
	if errors.As(err, &unasked) || errors.As(err, &forbidden) {
		return nil
	}
	return err
}

// startNote starts the run of a note. A run that is open under the note's id may be that of an earlier note of
// the same reference, which the database no longer knows: it was restored to a time before that note, and the caller
// sent it again. That run can only fail, so it is replaced. The run of a later note stays: then this row is late.
func (s Starter) startNote(ctx context.Context, start outbox.Start) error {
	options, input := s.noteOptions(start), workflows.NoteInput{NoteID: start.SubjectID}
	_, err := s.Client.ExecuteWorkflow(ctx, options, workflows.NoteType, input)
	if open := (*serviceerror.WorkflowExecutionAlreadyStarted)(nil); !errors.As(err, &open) {
		return err
	}
	run, describeErr := s.Client.DescribeWorkflow(ctx, options.ID, "")
	if describeErr != nil {
		return describeErr
	}
	if note, found := run.TypedSearchAttributes.GetKeyword(workflows.NoteIDAttribute); !found || note >= start.SubjectID {
		return err
	}
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING
	_, err = s.Client.ExecuteWorkflow(ctx, options, workflows.NoteType, input)
	return err
}

// wakeUp signals the open run of the note, or starts another one where none is open:
// under one id, so issuing and cancelling never run side by side.
func (s Starter) wakeUp(ctx context.Context, start outbox.Start, signal string) error {
	options := s.noteOptions(start)
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	options.EnableEagerStart = false // not with a signal
	_, err := s.Client.SignalWithStartWorkflow(ctx, options.ID, signal, nil, options,
		workflows.NoteType, workflows.NoteInput{NoteID: start.SubjectID})
	return err
}

// distribute makes sure that the one run of an issuer's distribution is open, and ends
// its pause.
func (s Starter) distribute(ctx context.Context, start outbox.Start) error {
	options := options(start, start.SubjectID, s.Queues.Distributions())
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	options.EnableEagerStart = false // not with a signal
	options.StaticSummary = fmt.Sprintf("what happens outside to the notes of one issuer of %s (%s)",
		start.OrganizationID, start.Environment())
	// Later runs keep the memo, and not the summary.
	options.Memo = map[string]any{"summary": options.StaticSummary}
	_, err := s.Client.SignalWithStartWorkflow(ctx, options.ID, workflows.ResumeSignal, nil, options,
		workflows.DistributionType, workflows.DistributionInput{DistributionID: start.SubjectID})
	return err
}

// followUpOptions returns the options of a run that follows a note, under the id
// of its own record. A retry by an operator replaces a run that is open.
func followUpOptions(start outbox.Start, queue, kind string) client.StartWorkflowOptions {
	options := options(start, start.SubjectID, queue)
	if start.Restart {
		options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING
	}
	options.StaticSummary = fmt.Sprintf("%s %s (%s)", kind, start.SubjectID, start.Environment())
	return options
}

// deliveryOptions returns the options of a delivery's run: it says what goes where, and is found by its note. A path or
// a query of the address may hold a secret, so that only the host is named.
func (s Starter) deliveryOptions(start outbox.Start) client.StartWorkflowOptions {
	options := followUpOptions(start, s.Queues.Deliveries(), "webhook delivery")
	if start.NoteID == "" {
		return options // its rows are gone
	}
	options.TypedSearchAttributes = temporal.NewSearchAttributes(workflows.NoteIDAttribute.ValueSet(start.NoteID))
	host := "an address that is none"
	if address, err := url.Parse(start.URL); err == nil {
		host = address.Host
	}
	options.StaticSummary = fmt.Sprintf("%s of %s to %s (%s)", start.EventType, start.NoteID, shorten(host),
		start.Environment())
	options.StaticDetails = fmt.Sprintf("Delivery %s of organization %s.", start.SubjectID, start.OrganizationID)
	return options
}

// noteOptions returns the options of a note's run. The engine guarantees one run
// at a time under the note's id. That a note is settled only once the database
// guarantees, because the engine forgets closed runs.
func (s Starter) noteOptions(start outbox.Start) client.StartWorkflowOptions {
	options := options(start, workflows.NoteID(start.Scope, start.Reference), s.Queues.Notes())
	options.TypedSearchAttributes = temporal.NewSearchAttributes(workflows.NoteIDAttribute.ValueSet(start.SubjectID))
	options.StaticSummary = fmt.Sprintf("NFS-e %s (%s)", shorten(start.Reference), start.Environment())
	options.StaticDetails = fmt.Sprintf("Note %s of organization %s.", start.SubjectID, start.OrganizationID)
	return options
}

// options returns what all starts have in common: one open run for an id, and
// fairness between organizations.
func options(start outbox.Start, id, queue string) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:                                       id,
		TaskQueue:                                queue,
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		EnableEagerStart:                         true,
		Priority:                                 temporal.Priority{FairnessKey: start.OrganizationID},
	}
}

// shorten keeps a summary below the 400 bytes that an engine may allow.
func shorten(reference string) string {
	const most = 80 // characters of at most four bytes
	if runes := []rune(reference); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return reference
}
