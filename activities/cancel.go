package activities

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/workflows"
)

// CancelUnsent ends a note that was cancelled before anything was sent.
func (a *Notes) CancelUnsent(ctx context.Context, noteID string) (workflows.NoteState, error) {
	settled, err := a.Store.CancelUnsent(ctx, noteID)
	return a.report(ctx, noteID, settled, err)
}

// OpenCancellation begins the exchange that asks the authority to cancel an
// issued live note. What it needs is looked for on the authority's queue, where a
// worker speaks to it.
func (a *Notes) OpenCancellation(ctx context.Context, noteID string) (workflows.NoteState, error) {
	state, err := a.openCancellation(ctx, noteID)
	return state, failure(ctx, a.Logger.With("note_id", noteID), err)
}

func (a *Notes) openCancellation(ctx context.Context, noteID string) (workflows.NoteState, error) {
	if err := a.Store.OpenCancellation(ctx, noteID); err != nil {
		return workflows.NoteState{}, err
	}
	live, err := a.Store.LiveNote(ctx, noteID, fiscal.Cancel)
	if err != nil {
		return workflows.NoteState{}, err
	}
	state := stateOf(live)
	if live.Status == nfse.StatusIssued && state.CancellationPending && live.Exchange == nil {
		return state, fmt.Errorf("the issued live note %s has no document", noteID)
	}
	return state, nil
}
