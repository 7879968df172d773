package activities

import (
	"context"

	"emissor/workflows"
)

// ApplyExternalEvents applies a note's external events, in order.
func (a *Notes) ApplyExternalEvents(ctx context.Context, noteID string) (state workflows.NoteState, err error) {
	var deliveries []string
	for {
		settled, applied, err := a.Store.Lifecycle.ApplyExternalEvent(ctx, noteID)
		if err != nil {
			// What was applied before stays applied, and its deliveries have rows in the outbox.
			return state, Failure(ctx, a.Logger.With("note_id", noteID), err)
		}
		deliveries = append(deliveries, settled.Deliveries...)
		if state, err = a.report(ctx, noteID, settled, nil); err != nil || !applied {
			state.Deliveries = deliveries
			return state, err
		}
	}
}
