package activities

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/workflows"
)

// Cancellations are the steps of cancelling a note.
type Cancellations struct {
	Notes
	Authority fiscal.Canceller
}

// CancelUnsent ends a note that was cancelled before anything was sent.
func (a *Cancellations) CancelUnsent(ctx context.Context, noteID string) (workflows.Standing, error) {
	settled, err := a.Store.CancelUnsent(ctx, noteID)
	return a.report(ctx, noteID, settled, err)
}

// CancelIssued asks the simulated authority to cancel an issued note of the test
// environment, and settles its answer. Live ones go by CancelAtAuthority.
func (a *Cancellations) CancelIssued(ctx context.Context, noteID string) (workflows.Standing, error) {
	note, requestID, err := a.Store.CancellationToSettle(ctx, noteID)
	if err == nil && note.Livemode {
		err = fmt.Errorf("the live note %s is not the simulation's to cancel", noteID)
	}
	if err != nil {
		return workflows.Standing{}, failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	refusal, err := a.Authority.Cancel(ctx, note)
	if err != nil {
		return workflows.Standing{}, failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if refusal != nil {
		settled, err := a.Store.RefuseCancellation(ctx, noteID, requestID, *refusal)
		return a.report(ctx, noteID, settled, err)
	}
	settled, err := a.Store.AcceptCancellation(ctx, noteID, requestID)
	return a.report(ctx, noteID, settled, err)
}
