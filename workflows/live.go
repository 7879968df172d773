package workflows

import (
	"go.temporal.io/sdk/workflow"

	"emissor/nfse"
)

// Transmission is where a document stands after a transmission.
type Transmission struct {
	Settled bool // issued or rejected, to be settled; else the note is looked at again
	Held    bool // it waits for something only a person can give
}

// issueLive is a live note's way to an end: number, sign, transmit, settle.
// Where it cannot go on it returns, and the note is read again: because of a
// nudge, of something that is missing, or because the document must be numbered
// or signed anew.
func issueLive(ctx workflow.Context, input NoteInput, nudges nudges) (Standing, error) {
	standing, err := step(ctx, "take a fiscal number, if nothing is missing", NumberNote, input.NoteID)
	if err != nil || standing.Status != nfse.StatusProcessing {
		return standing, err
	}
	authority := standing.Authority
	if !standing.Held {
		standing, err = step(ctx, "render, sign and store the document", SignDocument, input.NoteID)
	}
	if err != nil || standing.Held || authority == "" {
		return hold(ctx, standing, nudges, err)
	}
	var transmission Transmission
	nudged, err := atAuthority(ctx, authority, "transmit the document to the authority", Transmit, input, nudges, &transmission)
	if err != nil || !transmission.Settled {
		standing.Held = transmission.Held && !nudged
		return hold(ctx, standing, nudges, err)
	}
	return step(ctx, "processing → issued or rejected, as the authority said", SettleDocument, input.NoteID)
}

// cancelLive asks the authority to cancel an issued note.
func cancelLive(ctx workflow.Context, input NoteInput, standing Standing, nudges nudges) (Standing, error) {
	nudged, err := atAuthority(ctx, standing.Authority, "issued → cancelled, if the authority agrees", CancelAtAuthority, input, nudges, &standing)
	standing.Held = standing.Held && !nudged
	return hold(ctx, standing, nudges, err)
}

// hold lets a held note wait for what it misses.
func hold(ctx workflow.Context, standing Standing, nudges nudges, err error) (Standing, error) {
	if err == nil && standing.Held {
		_, err = wait(ctx, heldPause, "waits for an operator: emissor note show says for what", nudges)
	}
	return standing, err
}

// atAuthority runs an activity on the authority's queue, and says whether a nudge
// came meanwhile. A nudge ends the pause between two attempts; an attempt under
// way is waited for, and its result counts.
func atAuthority(ctx workflow.Context, authority, summary, activity string, input NoteInput, nudges nudges, result any) (nudged bool, err error) {
	sending, stop := workflow.WithCancel(withAuthority(ctx, authority, summary))
	defer stop()
	future := workflow.ExecuteActivity(sending, activity, input.NoteID)
	if nudged = nudges.or(ctx, future); nudged {
		stop()
	}
	if err = future.Get(ctx, result); nudged && ctx.Err() == nil {
		err = nil // the note is looked at again
	}
	return nudged, err
}
