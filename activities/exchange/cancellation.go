package exchange

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/store/lifecycle"
)

// openCancellation begins the exchange that asks the authority to cancel an issued note, or
// the city for an analysis.
func (t *exchangeAttempt) openCancellation(ctx context.Context, live lifecycle.LiveNote) (done bool, err error) {
	opened, err := t.Store.Exchanges.OpenCancellation(ctx, live.ID, t.input.Kind)
	if err != nil || opened {
		return false, err
	}
	// Another run was faster, or the note is not to be cancelled any more. Otherwise it is a bug.
	live, err = t.Store.Lifecycle.LiveNote(ctx, live.ID, t.input.Kind)
	if err == nil && waitsFor(live, t.input.Kind) && !live.Open {
		err = fmt.Errorf("the issued live note %s has no document", live.ID)
	}
	return false, err
}

// refuseHere ends a cancellation that the authority certainly refuses, without asking, as
// long as nothing of it may have been sent: of a note that the city has blocked, or whose
// cancellation it has denied after an analysis.
func (t *exchangeAttempt) refuseHere(ctx context.Context, live lifecycle.LiveNote) (refused bool, err error) {
	reason, blocked, err := t.Store.Lifecycle.CancellationBlocked(ctx, live.ID)
	var settled lifecycle.Settled
	switch {
	case err != nil:
		return false, err
	case live.AnalysisDenied():
		settled, err = t.Store.Lifecycle.RefuseDenied(ctx, live.ID, live.CancellationRequestID)
	case blocked:
		settled, err = t.Store.Lifecycle.RefuseBlocked(ctx, live.ID, live.CancellationRequestID, fiscal.Blocked(reason))
	}
	if err != nil || !settled.Changed {
		return false, err
	}
	return true, t.reportSettled(ctx, settled, nil)
}
