package activities

import (
	"cmp"
	"context"
	"errors"
	"math"
	"time"

	"go.temporal.io/sdk/activity"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/workflows"
)

// NumberNote takes the note's fiscal number, once nothing is missing that the
// rest of the way needs. What certainly would be rejected is, before a number
// is taken.
func (a *Exchanges) NumberNote(ctx context.Context, noteID string) (state workflows.NoteState, err error) {
	var held bool
	held, err = a.orHold(ctx, noteID, func() (err error) {
		state, err = a.number(ctx, noteID)
		return err
	})
	state.Held = held
	return state, a.failure(ctx, noteID, err)
}

func (a *Exchanges) number(ctx context.Context, noteID string) (workflows.NoteState, error) {
	live, err := a.Store.LiveNote(ctx, noteID, fiscal.Issue)
	if err != nil {
		return workflows.NoteState{}, err
	}
	if live.Status == nfse.StatusQueued {
		begun, err := a.Store.BeginNote(ctx, noteID)
		if err != nil {
			return workflows.NoteState{}, err
		}
		live.Status = begun.Status
	}
	state := stateOf(live)
	if live.Status != nfse.StatusProcessing || live.Exchange != nil && live.Exchange.Ended() {
		return state, nil // the authority is not needed any more
	}
	profile, err := a.profile(ctx, live)
	if err != nil {
		return state, err
	}
	authority, err := a.Authorities.serving(profile)
	if err != nil {
		return state, err
	}
	if live.Exchange == nil {
		declared := declaration(live, profile)
		declared.Cities, err = a.Cities.Fetched(ctx, authority, live.Scope.OrganizationID, declared,
			a.waitsForOthers(ctx))
		if err != nil {
			return state, err
		}
		objection, err := a.objection(ctx, authority, &declared)
		if err != nil {
			return state, err
		}
		if objection != nil && objection.Rejection != nil {
			settled, err := a.Store.SettleRejected(ctx, noteID, *objection.Rejection)
			return a.report(ctx, noteID, settled, err)
		}
		if objection != nil {
			return state, &ActionRequired{Reason: objection.Hold}
		}
	}
	credentials, err := a.Certificates.Open(ctx, live.Scope.OrganizationID, fiscal.HolderOf(authority, profile.TaxID),
		time.Now())
	if err != nil {
		return state, err
	}
	if live.Exchange == nil {
		if err := a.takeNumber(ctx, live, authority, profile, credentials); err != nil {
			return state, err
		}
	}
	state.Authority = profile.Authority
	if live.Exchange != nil && live.Exchange.State != fiscal.Unsigned {
		return state, nil // what it waits for may be another answer: the next one tells
	}
	return state, a.releaseNote(ctx, live)
}

// objection is what the authority's check says, once a note without a needed
// classification has taken the one that its service has by now.
func (a *Exchanges) objection(ctx context.Context, authority fiscal.Authority,
	declared *fiscal.Declaration) (*fiscal.Objection, error) {
	objection := authority.Check(*declared, time.Now())
	if objection == nil || !objection.Unclassified {
		return objection, nil
	}
	taken, err := a.Store.TakeClassification(ctx, declared.Note.ID)
	if err != nil || taken == nil {
		return objection, err
	}
	declared.Classification = taken
	return authority.Check(*declared, time.Now()), nil
}

// waitsForOthers tells that the run of an activity waits for somebody else.
func (a *Exchanges) waitsForOthers(ctx context.Context) func() {
	return func() { a.Waits(activity.GetInfo(ctx).WorkflowExecution.RunID) }
}

func (a *Exchanges) takeNumber(ctx context.Context, live store.LiveNote, authority fiscal.Authority,
	profile nfse.FiscalProfile, credentials *fiscal.Credentials) error {
	if err := a.Certificates.mayUse(ctx, profile); err != nil {
		return err
	}
	if waitsForTurns(authority, fiscal.Issue) {
		held, err := a.Store.SeriesHeld(ctx, profile)
		if err != nil {
			return err
		}
		if !held.None() {
			return &ActionRequired{Reason: fact.SeriesHeld.With("why", held)}
		}
	}
	conflicts, unbuilt, err := a.Store.NumbersLost(ctx, live.ID, profile)
	if err != nil {
		return err
	}
	if decision := fiscal.TakeNumber(conflicts, profile.Series); decision.Action == fiscal.Hold {
		return &ActionRequired{Reason: decision.Reason}
	}
	if unbuilt { // a second number is not lost to what cannot be built either
		if err := a.tryToBuild(ctx, live, authority, profile, credentials); err != nil {
			return err
		}
	}
	_, err = a.Store.TakeNumber(ctx, live.ID, profile, greatestNumber(authority))
	if errors.Is(err, store.ErrNoNumberLeft) {
		err = &ActionRequired{Reason: fact.SeriesUsedUp.With("series", profile.Series)}
	}
	return orAction(err)
}

// mayUse is ActionRequired where the issuer of a profile is not its organization's: nothing
// of its series is told, taken or asked.
func (c *CertificateCache) mayUse(ctx context.Context, profile nfse.FiscalProfile) error {
	return orAction(c.Store.CheckTaxID(ctx, profile))
}

// orAction makes of the store's word that an issuer is not an organization's what a note
// waits for.
func orAction(err error) error {
	switch {
	case errors.Is(err, store.ErrTaxIDNotShown):
		return &ActionRequired{Reason: fact.TaxIDNotShown.Fact()}
	case errors.Is(err, store.ErrTaxIDOfAnother):
		return &ActionRequired{Reason: fact.TaxIDOfAnother.Fact()}
	}
	return err
}

// tryToBuild builds the message that the note would be sent by under the next number.
func (a *Exchanges) tryToBuild(ctx context.Context, live store.LiveNote, authority fiscal.Authority,
	profile nfse.FiscalProfile, credentials *fiscal.Credentials) error {
	next, err := a.Store.NextNumber(ctx, profile)
	if err != nil || next > greatestNumber(authority) {
		return err
	}
	declared := declaration(live, profile)
	declared.Number = next
	if declared.Cities, _, err = a.Cities.Known(ctx, authority, declared); err != nil {
		return err
	}
	_, err = authority.SignDeclaration(declared, credentials, time.Now())
	return a.unbuilt(ctx, live.ID, err)
}

// greatestNumber is the greatest that a declaration to the authority can bear.
func greatestNumber(authority fiscal.Authority) int64 {
	return cmp.Or(authority.Capabilities().GreatestNumber, math.MaxInt64)
}

// profile is the organization's, or the one that the number was taken under.
func (a *Exchanges) profile(ctx context.Context, live store.LiveNote) (nfse.FiscalProfile, error) {
	if live.Exchange != nil {
		return live.Exchange.Profile, nil
	}
	profile, err := a.Store.FiscalProfile(ctx, live.Scope.OrganizationID)
	if errors.Is(err, store.ErrNoFiscalProfile) {
		err = &ActionRequired{Reason: fact.NoFiscalProfile.Fact()}
	}
	return profile, err
}

func declaration(live store.LiveNote, profile nfse.FiscalProfile) fiscal.Declaration {
	d := fiscal.Declaration{
		Note: live.Note, Issuer: profile, ConfirmMunicipalOperation: live.ConfirmMunicipalOperation,
		Classification: live.Classification,
	}
	if live.Exchange != nil {
		d.Number, d.Signings, d.Layout = live.Exchange.Number, live.Exchange.Signings, live.Exchange.Layout
	}
	return d
}
