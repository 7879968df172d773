package workflows

import (
	"time"

	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
)

// exchange is a live note's way through its authority, for issuing and for
// cancelling: open, sign, transmit, settle. When the authority answers in time all of
// it is one workflow task; after a first attempt that was queued, transmitting waits for
// its turn. Where it cannot go on it returns, and the note is read again: because of a
// wake-up, of something that is missing, or because another number is needed.
//
// Transmitting signs what is not signed. An issuance is signed before, as a step
// of the same workflow task as its number; a cancellation can be begun by a worker
// that speaks to no authority, so it is left to the authority's queue.
func exchange(ctx workflow.Context, input ExchangeInput, first Transmission, wakeUps wakeUps) (NoteState, error) {
	open := numberNote
	if input.Kind == fiscal.Cancel {
		open = openCancellation
	}
	state, err := open(ctx, input.NoteID)
	if err != nil || !state.waitsFor(input.Kind) {
		return state, err
	}
	authority := state.Authority
	if !state.Held && input.Kind == fiscal.Issue {
		state, err = sign(ctx, input)
	}
	if err != nil || state.Held || authority == "" {
		return hold(ctx, state, wakeUps, err)
	}
	transmission := first
	if !first.Queued {
		transmission = transmitAtOnce(ctx, authority, input)
	}
	if transmission.Queued {
		transmission, err = goOn(ctx, authority, input, transmission.RetryAfter, wakeUps)
	}
	if err != nil || !transmission.Settled {
		state.Held = transmission.Held
		return hold(ctx, state, wakeUps, err)
	}
	return settle(ctx, input)
}

// hold lets a held note wait for what it misses.
func hold(ctx workflow.Context, state NoteState, wakeUps wakeUps, err error) (NoteState, error) {
	if err == nil && state.Held {
		_, err = wait(ctx, heldPause, "waits for an operator: emissor note show says for what", wakeUps)
	}
	return state, err
}

// goOn transmits what a first attempt did not end, after a pause.
func goOn(ctx workflow.Context, authority string, input ExchangeInput, pause time.Duration,
	wakeUps wakeUps) (Transmission, error) {
	if pause > 0 {
		wokenUp, err := wait(ctx, pause, "before the next attempt at the authority", wakeUps)
		if err != nil || wokenUp {
			return Transmission{}, err
		}
	}
	return awaitTransmission(ctx, authority, input, wakeUps)
}

// awaitTransmission transmits, on the authority's queue. A wake-up ends the pause
// between two attempts; an attempt under way is waited for, and its result
// counts.
func awaitTransmission(ctx workflow.Context, authority string, input ExchangeInput,
	wakeUps wakeUps) (result Transmission, err error) {
	sending, stop := workflow.WithCancel(ctx)
	defer stop()
	future := transmit(sending, authority, input)
	wokenUp := wakeUps.or(ctx, future)
	if wokenUp {
		stop()
	}
	err = future.Get(ctx, &result)
	if wokenUp && ctx.Err() == nil {
		result.Held, err = false, nil // the note is looked at again
	}
	return result, err
}
