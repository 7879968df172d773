package activities

import (
	"context"
	"fmt"
	"time"

	"emissor/fiscal/simulation"
	"emissor/nfse"
	"emissor/workflows"
)

// SettleSimulation ends a note of the test environment as its scenario says.
func (a *Notes) SettleSimulation(ctx context.Context, noteID string) (workflows.NoteState, error) {
	note, scenario, err := a.Store.Lifecycle.NoteToSettle(ctx, noteID)
	if err != nil {
		return workflows.NoteState{}, Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if scenario == nfse.ScenarioRejected {
		settled, err := a.Store.Lifecycle.SettleRejected(ctx, noteID, simulation.Reject(note))
		return a.report(ctx, noteID, settled, err)
	}
	authorization, xml, err := simulation.Issue(note, nfse.Timestamp{Time: time.Now()})
	if err != nil {
		return workflows.NoteState{}, Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	settled, err := a.Store.Lifecycle.SettleIssued(ctx, noteID, authorization, xml)
	return a.report(ctx, noteID, settled, err)
}

// CancelSimulation asks the simulated authority to cancel an issued note of the
// test environment, and settles the note by its answer. Live notes have an exchange.
func (a *Notes) CancelSimulation(ctx context.Context, noteID string) (workflows.NoteState, error) {
	note, requestID, err := a.Store.Lifecycle.CancellationToSettle(ctx, noteID)
	if err == nil && note.Livemode {
		err = fmt.Errorf("the live note %s is not the simulation's to cancel", noteID)
	}
	if err != nil {
		return workflows.NoteState{}, Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	refusal, err := a.Simulation.Cancel(ctx, note)
	if err != nil {
		return workflows.NoteState{}, Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if refusal != nil {
		settled, err := a.Store.Lifecycle.RefuseCancellation(ctx, noteID, requestID, *refusal)
		return a.report(ctx, noteID, settled, err)
	}
	settled, err := a.Store.Lifecycle.AcceptCancellation(ctx, noteID, requestID)
	return a.report(ctx, noteID, settled, err)
}
