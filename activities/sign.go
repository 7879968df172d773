package activities

import (
	"context"
	"errors"
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/workflows"
)

// Sign builds and signs the message of an unsigned exchange, and stores it: what
// is sent later are these bytes. Where the number is to be asked about before, it is
// left to Transmit.
func (a *Exchanges) Sign(ctx context.Context, input workflows.ExchangeInput) (state workflows.NoteState, err error) {
	live, err := a.Store.LiveNote(ctx, input.NoteID, input.Kind)
	if err != nil {
		return workflows.NoteState{}, a.failure(ctx, input.NoteID, err)
	}
	state = stateOf(live)
	if live.Exchange == nil || live.Exchange.State != fiscal.Unsigned {
		return state, nil
	}
	state.Held, err = a.orHold(ctx, input.NoteID, func() error {
		authority, session, err := a.session(ctx, live.Scope.OrganizationID, live.Exchange.Profile)
		if err != nil || live.Exchange.Next(authority.Capabilities()).Action == fiscal.AskNumber {
			return err
		}
		return a.sign(ctx, live, authority, session)
	})
	return state, a.failure(ctx, input.NoteID, err)
}

func (a *Exchanges) sign(ctx context.Context, live store.LiveNote, authority fiscal.Authority,
	session fiscal.Session) error {
	if decision := live.Exchange.Next(authority.Capabilities()); decision.Action == fiscal.Hold {
		return &ActionRequired{Reason: decision.Reason}
	}
	declared := declaration(live, live.Exchange.Profile)
	if live.Exchange.Kind == fiscal.Issue {
		if err := a.stillSendable(ctx, authority, &declared); err != nil {
			return err
		}
	}
	message, err := message(live, declared, authority, session.Credentials, time.Now())
	if err != nil {
		if err := a.Store.EndUnbuilt(ctx, live.Exchange.ID); err != nil {
			return err
		}
		return a.unbuilt(ctx, live.ID, err)
	}
	return a.Store.SaveMessage(ctx, live.Exchange.ID, live.Exchange.Disposition, message)
}

// unbuilt holds a note of which no message can be built, unless err is nil.
func (a *Exchanges) unbuilt(ctx context.Context, noteID string, err error) error {
	var layout *fiscal.LayoutError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &layout):
		return &ActionRequired{Reason: fact.LayoutUnknown.With("layout", layout.Layout)}
	}
	a.Logger.ErrorContext(ctx, "a message to the authority cannot be built", "note_id", noteID, "error", err)
	return &ActionRequired{Reason: fact.MessageNotBuilt.Fact()}
}

// stillSendable holds a note that has a number and that the authority would not take
// any more: a day, a table or the parameters of a city may have changed since.
func (a *Exchanges) stillSendable(ctx context.Context, authority fiscal.Authority,
	declared *fiscal.Declaration) (err error) {
	if declared.Cities, _, err = a.Cities.Known(ctx, authority, *declared); err != nil {
		return err
	}
	objection, err := a.objection(ctx, authority, declared)
	switch {
	case err != nil || objection == nil:
		return err
	case objection.Rejection != nil:
		return &ActionRequired{Reason: fact.NoLongerTaken.With("code", objection.Rejection.Code,
			"why", objection.Rejection.Reason)}
	}
	return &ActionRequired{Reason: objection.Hold}
}

// message asks for a document, as it is declared, or to cancel the note's.
func message(live store.LiveNote, declared fiscal.Declaration, authority fiscal.Authority,
	credentials *fiscal.Credentials, at time.Time) (fiscal.Message, error) {
	profile := live.Exchange.Profile
	if live.Exchange.Kind == fiscal.Issue {
		return authority.SignDeclaration(declared, credentials, at)
	}
	return authority.SignCancellation(fiscal.CancellationRequest{
		AccessKey: orEmpty(live.Authority.AccessKey), Number: orEmpty(live.Authority.Number), Issuer: profile,
		ReasonCode: orEmpty(live.Cancellation.ReasonCode), ReasonText: orEmpty(live.Cancellation.ReasonText),
		Signings: live.Exchange.Signings,
	}, credentials, at)
}

// orEmpty is for what there may be none of: an access key of an authority that gives
// none, the reason of a cancellation that somebody outside made meanwhile.
func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
