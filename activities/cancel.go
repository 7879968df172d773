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
	if state, refused, err := a.refuseBarred(ctx, noteID); err != nil || refused {
		return state, err
	}
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

// refuseBarred ends a cancellation that a block of the authority's bars, without
// asking, as long as nothing of it may have been sent.
func (a *Notes) refuseBarred(ctx context.Context, noteID string) (workflows.NoteState, bool, error) {
	reason, barred, err := a.Store.CancellationBarred(ctx, noteID)
	if err != nil || !barred {
		return workflows.NoteState{}, false, err
	}
	live, err := a.Store.LeasedNote(ctx, noteID, nil)
	if err != nil {
		return workflows.NoteState{}, false, err
	}
	settled, err := a.Store.RefuseBarred(ctx, noteID, live.CancellationRequestID, fiscal.Blocked(reason))
	if err != nil || !settled.Fresh {
		return workflows.NoteState{}, false, err
	}
	state, err := a.report(ctx, noteID, settled, nil)
	return state, true, err
}
