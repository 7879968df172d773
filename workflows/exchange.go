package workflows

import (
	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
)

// exchange is a live note's way through its authority, for issuing and for
// cancelling: open, sign, transmit, settle. Where it cannot go on it returns, and
// the note is read again: because of a wake-up, of something that is missing, or
// because the message must be numbered or signed anew.
func exchange(ctx workflow.Context, input ExchangeInput, wakeUps wakeUps) (NoteState, error) {
	open := numberNote
	if input.Kind == fiscal.Cancel {
		open = openCancellation
	}
	state, err := open(ctx, input.NoteID)
	if err != nil || !state.waitsFor(input.Kind) {
		return state, err
	}
	authority := state.Authority
	if !state.Held {
		state, err = sign(ctx, input)
	}
	if err != nil || state.Held || authority == "" {
		return hold(ctx, state, wakeUps, err)
	}
	transmission, err := awaitTransmission(ctx, authority, input, wakeUps)
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
