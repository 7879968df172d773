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

// Starter hands outbox rows to the workflow engine.
type Starter struct {
	Client client.Client
	Queues workflows.Queues
}

// Start makes sure that a run for the row is open. That one is already is a
// success: it reads where its note stands before it ends.
func (s Starter) Start(ctx context.Context, start store.Start) (outcome string, err error) {
	_, err = s.Client.ExecuteWorkflow(ctx, s.noteOptions(start), workflows.NoteType, workflows.NoteInput{NoteID: start.SubjectID})
	var open *serviceerror.WorkflowExecutionAlreadyStarted
	switch {
	case errors.As(err, &open):
		return outcomeOpen, nil
	case err != nil:
		return outcomeFailed, err
	}
	return outcomeStarted, nil
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
		StaticSummary: fmt.Sprintf("NFS-e %s (%s)", start.Reference, start.Environment()),
		StaticDetails: fmt.Sprintf("Note %s of organization %s.", start.SubjectID, start.OrganizationID),
	}
}
