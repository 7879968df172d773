package exchange

import (
	"context"
	"errors"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
)

// signAndSend builds and signs the message of an exchange, and sends it if a call is allowed.
// It is stored before; what is sent, now or later, are exactly these bytes.
func (t *exchangeAttempt) signAndSend(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (done bool, err error) {
	if t.signed == nil { // not while it waited for its turn
		if err := t.sign(ctx, live, authority, access); err != nil {
			return true, err
		}
	}
	return t.sendSigned(ctx, live, *t.signed, authority, access)
}

// signCheckedAndSend is signAndSend of a declaration that has been checked.
func (t *exchangeAttempt) signCheckedAndSend(ctx context.Context, live lifecycle.LiveNote, declared fiscal.Declaration,
	authority fiscal.Authority, access fiscal.Access) (done bool, err error) {
	message, err := t.message(ctx, live, declared, authority, access)
	if err != nil {
		return true, err
	}
	return t.sendSigned(ctx, live, message, authority, access)
}

// sendSigned sends a message that was just signed if a call is allowed, and else stores it.
func (t *exchangeAttempt) sendSigned(ctx context.Context, live lifecycle.LiveNote, message fiscal.Message,
	authority fiscal.Authority, access fiscal.Access) (done bool, err error) {
	if !t.gate.mayCall(ctx, authority.Name()) {
		if err := t.storeUnsent(ctx, live, message); err != nil {
			return true, err
		}
		return true, errQueued
	}
	if err := t.releaseNote(ctx, live); err != nil {
		return true, err
	}
	live.HeldReason = fact.Fact{}
	return t.send(ctx, live, &message, authority, access)
}

// sign builds and signs the message of an exchange.
func (t *exchangeAttempt) sign(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) error {
	declared, err := t.sendable(ctx, live, authority)
	if err != nil {
		return err
	}
	message, err := t.message(ctx, live, declared, authority, access)
	if err == nil {
		t.signed = &message
	}
	return err
}

// storeUnsent stores a message that is sent later.
func (t *exchangeAttempt) storeUnsent(ctx context.Context, live lifecycle.LiveNote, message fiscal.Message) error {
	if err := t.Store.Exchanges.SaveMessage(ctx, live.Exchange.ID, live.Exchange.Handling, message); err != nil {
		return err
	}
	return t.releaseNote(ctx, live)
}

// sendable is the declaration of an exchange that is to be signed. The note is held where
// the rules of the exchange say so, and where the authority would not take it any more: a
// day, a table or the parameters of a city may have changed since it took its number.
func (t *exchangeAttempt) sendable(ctx context.Context, live lifecycle.LiveNote,
	authority fiscal.Authority) (declared fiscal.Declaration, err error) {
	if decision := live.Exchange.Next(authority.Capabilities()); decision.Action == fiscal.Hold {
		return declared, &activities.ActionRequired{Reason: decision.Reason}
	}
	declared = declaration(live, live.Exchange.Profile)
	if live.Exchange.Kind != fiscal.Issue {
		return declared, nil
	}
	if declared.Cities, _, err = t.Cities.Known(ctx, authority, declared); err != nil {
		return declared, err
	}
	objection, err := t.objection(ctx, authority, &declared)
	switch {
	case err != nil || objection == nil:
		return declared, err
	case objection.Rejection != nil:
		return declared, &activities.ActionRequired{Reason: fact.NoLongerTaken.With("code", objection.Rejection.Code,
			"why", objection.Rejection.Reason)}
	}
	return declared, &activities.ActionRequired{Reason: objection.Hold}
}

// message builds the message that asks for a document, for its cancellation or for an analysis. When it cannot
// be built the number ends as unused; when only its signature is not to be had, the number is kept.
func (t *exchangeAttempt) message(ctx context.Context, live lifecycle.LiveNote, declared fiscal.Declaration,
	authority fiscal.Authority, access fiscal.Access) (message fiscal.Message, err error) {
	if live.Exchange.Kind == fiscal.Issue {
		message, err = authority.SignDeclaration(declared, access.Credentials, time.Now())
	} else {
		message, err = authority.SignCancellation(fiscal.CancellationRequest{
			Analysis:  live.Exchange.Kind == fiscal.Analysis,
			AccessKey: nfse.OrEmpty(live.Authority.AccessKey), Number: nfse.OrEmpty(live.Authority.Number),
			Issuer:     live.Exchange.Profile,
			ReasonCode: nfse.OrEmpty(live.Cancellation.ReasonCode), ReasonText: nfse.OrEmpty(live.Cancellation.ReasonText),
			Signings: live.Exchange.Signings,
		}, access.Credentials, time.Now())
	}
	if err == nil {
		return message, nil
	}
	if unsigned := notSigned(err); unsigned != nil {
		return message, unsigned
	}
	if err := t.Store.Lifecycle.EndUnbuilt(ctx, live.Exchange.ID); err != nil {
		return message, err
	}
	return message, t.unbuilt(ctx, live.ID, err)
}

// unbuilt is ActionRequired where err says why a message cannot be built; nil where err is.
func (a *Exchanges) unbuilt(ctx context.Context, noteID string, err error) error {
	var layout *fiscal.LayoutError
	switch {
	case err == nil:
		return nil
	case notSigned(err) != nil:
		return notSigned(err)
	case errors.As(err, &layout):
		return &activities.ActionRequired{Reason: fact.LayoutUnknown.With("layout", layout.Layout)}
	}
	a.Logger.ErrorContext(ctx, "a message to the authority cannot be built", "note_id", noteID, "error", err)
	return &activities.ActionRequired{Reason: fact.MessageNotBuilt.Fact()}
}
