package dispatch

import (
	"context"
	"errors"
	"fmt"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"emissor/store"
	"emissor/workflows"
)

// What came of a start, for the metrics.
const (
	outcomeStarted = "started"
	outcomeOpen    = "open"   // a run of it is under way already
	outcomeFailed  = "failed" // tried again later
)

// Starter hands outbox rows to the workflow engine. What it starts does not
// depend on how often.
type Starter struct {
	Client client.Client
	Queues workflows.Queues
}

// Start makes sure that a run for the row is open. That one is already is a
// success: it reads where its note or delivery stands before it ends.
func (s Starter) Start(ctx context.Context, start store.Start) (outcome string, err error) {
	switch start.Kind {
	case store.StartNote:
		_, err = s.Client.ExecuteWorkflow(ctx, s.noteOptions(start), workflows.NoteType, workflows.NoteInput{NoteID: start.SubjectID})
	case store.StartCancellation:
		err = s.nudge(ctx, start, workflows.CancelSignal)
	case store.StartResume:
		err = s.nudge(ctx, start, workflows.ResumeSignal)
	case store.StartDelivery:
		_, err = s.Client.ExecuteWorkflow(ctx, s.deliveryOptions(start), workflows.DeliveryType, workflows.DeliveryInput{DeliveryID: start.SubjectID})
	case store.StartEmail:
		_, err = s.Client.ExecuteWorkflow(ctx, s.emailOptions(start), workflows.EmailType, workflows.EmailInput{EmailID: start.SubjectID})
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

// nudge signals the run that is issuing the note, or starts a second one of a
// note that has ended: under one id, so issuing and cancelling never run side by
// side.
func (s Starter) nudge(ctx context.Context, start store.Start, signal string) error {
	options := s.noteOptions(start)
	options.WorkflowIDConflictPolicy = enums.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING
	options.EnableEagerStart = false // not with a signal
	_, err := s.Client.SignalWithStartWorkflow(ctx, options.ID, signal, nil, options,
		workflows.NoteType, workflows.NoteInput{NoteID: start.SubjectID})
	return err
}

func (s Starter) deliveryOptions(start store.Start) client.StartWorkflowOptions {
	return followUp(start, s.Queues.Deliveries(), "webhook delivery")
}

func (s Starter) emailOptions(start store.Start) client.StartWorkflowOptions {
	return followUp(start, s.Queues.Emails(), "e-mail")
}

// followUp is something that follows a note, under an id of its own. A retry by
// an operator replaces a run that is open.
func followUp(start store.Start, queue, what string) client.StartWorkflowOptions {
	conflict := enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL
	if start.Restart {
		conflict = enums.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING
	}
	return client.StartWorkflowOptions{
		ID:                                       start.SubjectID,
		TaskQueue:                                queue,
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy:                 conflict,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		EnableEagerStart:                         true,
		Priority:                                 temporal.Priority{FairnessKey: start.OrganizationID},
		TypedSearchAttributes: temporal.NewSearchAttributes(
			workflows.OrganizationAttribute.ValueSet(start.OrganizationID),
			workflows.LivemodeAttribute.ValueSet(start.Livemode),
		),
		StaticSummary: fmt.Sprintf("%s %s (%s)", what, start.SubjectID, start.Environment()),
	}
}

// noteOptions: the engine guarantees one run at a time under the note's id; the
// database, which has no retention, that a note is settled once.
func (s Starter) noteOptions(start store.Start) client.StartWorkflowOptions {
	return client.StartWorkflowOptions{
		ID:                                       workflows.NoteID(start.Scope, start.Reference),
		TaskQueue:                                s.Queues.Notes(),
		WorkflowIDReusePolicy:                    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy:                 enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
		WorkflowExecutionErrorWhenAlreadyStarted: true,
		EnableEagerStart:                         true,
		Priority:                                 temporal.Priority{FairnessKey: start.OrganizationID},
		TypedSearchAttributes: temporal.NewSearchAttributes(
			workflows.OrganizationAttribute.ValueSet(start.OrganizationID),
			workflows.LivemodeAttribute.ValueSet(start.Livemode),
			workflows.NoteIDAttribute.ValueSet(start.SubjectID),
			workflows.ReferenceAttribute.ValueSet(start.Reference),
		),
		StaticSummary: fmt.Sprintf("NFS-e %s (%s)", shorten(start.Reference), start.Environment()),
		StaticDetails: fmt.Sprintf("Note %s of organization %s.", start.SubjectID, start.OrganizationID),
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
