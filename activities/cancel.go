package activities

import (
	"context"
	"fmt"
	"time"

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
// issued live note, once nothing is missing that it needs. An authority that
// takes no cancellations is not asked.
func (a *Exchanges) OpenCancellation(ctx context.Context, noteID string) (state workflows.NoteState, err error) {
	var held bool
	held, err = a.orHold(ctx, noteID, func() (err error) {
		state, err = a.openCancellation(ctx, noteID)
		return err
	})
	state.Held = held
	return state, a.failure(ctx, noteID, err)
}

func (a *Exchanges) openCancellation(ctx context.Context, noteID string) (workflows.NoteState, error) {
	if err := a.Store.OpenCancellation(ctx, noteID); err != nil {
		return workflows.NoteState{}, err
	}
	live, err := a.Store.LiveNote(ctx, noteID, fiscal.Cancel)
	if err != nil {
		return workflows.NoteState{}, err
	}
	state := stateOf(live)
	if live.Status != nfse.StatusIssued || !state.CancellationPending {
		return state, nil
	}
	if live.Exchange == nil {
		return state, fmt.Errorf("the issued live note %s has no document", noteID)
	}
	if live.Exchange.Ended() {
		return state, nil
	}
	profile := live.Exchange.Profile
	authority, err := a.Authorities.serving(profile)
	if err != nil {
		return state, err
	}
	if !authority.Capabilities().Cancels {
		settled, err := a.Store.RefuseCancellation(ctx, noteID, live.CancellationRequestID, notSupported)
		return a.report(ctx, noteID, settled, err)
	}
	if _, err := a.Certificates.Open(ctx, live.Scope.OrganizationID, profile.TaxID, time.Now()); err != nil {
		return state, err
	}
	return state, a.release(ctx, live)
}

var notSupported = nfse.Refusal{
	Code:        "cancellation_not_supported",
	Message:     "the authority takes no cancellations from programs",
	Explanation: "The authority that issued the note has no way for a program to cancel it, so it was not asked.",
	Action:      "Cancel the note at the authority's own site.",
}
