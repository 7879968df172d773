package activities

import (
	"context"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store"
	"emissor/workflows"
)

// Settle ends a note, or its cancellation, as the exchange with the authority
// ended. An exchange that is still open settles nothing.
func (a *Exchanges) Settle(ctx context.Context, input workflows.ExchangeInput) (workflows.NoteState, error) {
	live, err := a.Store.LiveNote(ctx, input.NoteID, input.Kind)
	if err != nil {
		return workflows.NoteState{}, a.failure(ctx, input.NoteID, err)
	}
	e := live.Exchange
	if e == nil || !e.Ended() {
		return stateOf(live), nil
	}
	settle := a.settleIssuance
	if e.Kind == fiscal.Cancel {
		settle = a.settleCancellation
	} else if authority, known := a.Authorities[e.Profile.Authority]; known {
		a.doubtCities(ctx, declaration(live, e.Profile), authority, e.Exchange)
	}
	return settle(ctx, e)
}

// doubtCities has the parameters that an issuance went by fetched again, when the
// authority's rejection says that they may have changed: before the note is
// settled, so that it is not forgotten.
func (a *Exchanges) doubtCities(ctx context.Context, declared fiscal.Declaration, authority fiscal.Authority,
	ended fiscal.Exchange) {
	held := ended.State == fiscal.Unsigned && ended.Disposition == fiscal.NeedsPerson
	if (held || ended.State == fiscal.Rejected) && ended.Rejection.Source == nfse.RejectedByAuthority {
		a.Cities.Doubt(ctx, authority, declared, ended.Rejection.Code)
	}
}

func (a *Exchanges) settleIssuance(ctx context.Context, e *store.Exchange) (workflows.NoteState, error) {
	if e.State == fiscal.Rejected {
		settled, err := a.Store.SettleRejected(ctx, e.NoteID, *e.Rejection)
		return a.report(ctx, e.NoteID, settled, err)
	}
	if finder, asks := a.Authorities[e.Profile.Authority].(fiscal.StandingFinder); asks {
		every, _ := finder.Watch()
		if err := a.Store.WatchDocument(ctx, e.ID, every); err != nil {
			return workflows.NoteState{}, a.failure(ctx, e.NoteID, err)
		}
	}
	settled, err := a.Store.SettleIssued(ctx, e.NoteID, e.Document.Authorization, e.Document.XML)
	return a.report(ctx, e.NoteID, settled, err)
}

func (a *Exchanges) settleCancellation(ctx context.Context, e *store.Exchange) (workflows.NoteState, error) {
	if e.State == fiscal.Rejected {
		settled, err := a.Store.RefuseCancellation(ctx, e.NoteID, e.RequestID, e.Rejection.Refusal())
		return a.report(ctx, e.NoteID, settled, err)
	}
	settled, err := a.Store.AcceptCancellation(ctx, e.NoteID, e.RequestID)
	return a.report(ctx, e.NoteID, settled, err)
}
