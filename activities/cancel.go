package activities

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/store"
	"emissor/workflows"
)

// CancelUnsent ends a note that was cancelled before anything was sent.
func (a *Notes) CancelUnsent(ctx context.Context, noteID string) (workflows.NoteState, error) {
	settled, err := a.Store.CancelUnsent(ctx, noteID)
	return a.report(ctx, noteID, settled, err)
}

// openCancellation begins the exchange that asks the authority to cancel an issued note.
func (t *exchangeAttempt) openCancellation(ctx context.Context, live store.LiveNote) (done bool, err error) {
	opened, err := t.Store.OpenCancellation(ctx, live.ID)
	if err != nil || opened {
		return false, err
	}
	// Another run was faster, or the note is not to be cancelled any more. Otherwise it is a bug.
	live, err = t.Store.LiveNote(ctx, live.ID, fiscal.Cancel)
	if err == nil && waitsFor(live, fiscal.Cancel) && !live.Open {
		err = fmt.Errorf("the issued live note %s has no document", live.ID)
	}
	return false, err
}

// refuseBlocked ends a cancellation that the authority's block forbids, without
// asking, as long as nothing of it may have been sent.
func (t *exchangeAttempt) refuseBlocked(ctx context.Context, live store.LiveNote) (refused bool, err error) {
	reason, blocked, err := t.Store.CancellationBlocked(ctx, live.ID)
	if err != nil || !blocked {
		return false, err
	}
	settled, err := t.Store.RefuseBlocked(ctx, live.ID, live.CancellationRequestID, fiscal.Blocked(reason))
	if err != nil || !settled.Fresh {
		return false, err
	}
	return true, t.ended(ctx, settled, nil)
}
