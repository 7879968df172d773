package workflows

import (
	"cmp"

	"go.temporal.io/sdk/workflow"

	"emissor/fiscal"
)

// exchange runs a live note's exchange with its authority, to issue or to cancel. When the
// authority answers in time all of it is one step of one workflow task; else it goes on at
// the authority's queue, with the same steps. When something is missing, or after a
// wake-up, it returns, and the note is read again.
func exchange(ctx workflow.Context, noteID string, kind fiscal.Kind, wakeUps wakeUps) (NoteState, error) {
	input := ExchangeInput{NoteID: noteID, Kind: kind}
	result, err := exchangeAtOnce(ctx, input)
	if err == nil && result.Queued {
		result, err = goOn(ctx, input, result, wakeUps)
	}
	if err == nil && result.State.Held {
		_, err = wait(ctx, cmp.Or(result.RetryAfter, HeldPause),
			"waits for an operator: emissor note show says for what", wakeUps)
	}
	return result.State, err
}

// goOn goes on at the queue after a first attempt, once its pause is over.
func goOn(ctx workflow.Context, input ExchangeInput, first ExchangeResult,
	wakeUps wakeUps) (ExchangeResult, error) {
	if first.RetryAfter > 0 {
		wokenUp, err := wait(ctx, first.RetryAfter, "before the next attempt at the authority", wakeUps)
		if err != nil || wokenUp {
			return ExchangeResult{}, err
		}
	}
	return awaitAuthority(ctx, first.Authority, input, wakeUps)
}

// awaitAuthority waits for the exchange to end on the authority's queue. A wake-up ends
// the pause between two attempts; an attempt under way is waited for, and its result
// counts.
func awaitAuthority(ctx workflow.Context, authority string, input ExchangeInput,
	wakeUps wakeUps) (result ExchangeResult, err error) {
	attempts, stop := workflow.WithCancel(ctx)
	defer stop()
	future := exchangeAtQueue(attempts, authority, input)
	wokenUp := wakeUps.or(ctx, future)
	if wokenUp {
		stop()
	}
	err = future.Get(ctx, &result)
	if wokenUp && ctx.Err() == nil {
		result.State.Held, err = false, nil // the note is read again
	}
	return result, err
}
