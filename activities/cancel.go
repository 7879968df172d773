package activities

import (
	"context"

	"emissor/workflows"
)

// CancelUnsent ends a note that was cancelled before anything was sent.
func (a *Notes) CancelUnsent(ctx context.Context, noteID string) (workflows.NoteState, error) {
	settled, err := a.Store.Lifecycle.CancelUnsent(ctx, noteID)
	return a.report(ctx, noteID, settled, err)
}
