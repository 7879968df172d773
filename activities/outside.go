package activities

import (
	"context"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/workflows"
)

// ApplyOutsideEvents applies what happened to a note outside, in order.
func (a *Notes) ApplyOutsideEvents(ctx context.Context, noteID string) (state workflows.NoteState, err error) {
	var deliveries []string
	for {
		settled, applied, err := a.Store.ApplyOutsideEvent(ctx, noteID)
		if err != nil {
			// What was applied before stays so, and its deliveries have rows in the outbox.
			return state, failure(ctx, a.Logger.With("note_id", noteID), err)
		}
		deliveries = append(deliveries, settled.Deliveries...)
		if state, err = a.report(ctx, noteID, settled, nil); err != nil || !applied {
			state.Deliveries = deliveries
			return state, err
		}
	}
}

// blocked is the refusal of a cancellation that a block of the authority's bars.
func blocked(reason string) nfse.Refusal {
	message := fact.NoteBlocked.Fact()
	if reason != "" {
		message = fact.NoteBlockedInWords.With("words", reason)
	}
	return nfse.Refusal{
		Code: "blocked", Message: message.English(), // MERGE: Refusal.Message
		Explanation: "The city has blocked the cancellation of this note at the national system (event 305102), " +
			"so the authority was not asked.",
		Action: "Ask the city to lift the block; then cancel again.",
	}
}
