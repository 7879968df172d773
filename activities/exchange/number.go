package exchange

import (
	"context"
	"errors"
	"reflect"
	"time"

	"go.temporal.io/sdk/activity"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/exchanges"
	"emissor/store/lifecycle"
	"emissor/store/numbers"
)

// number takes the note's fiscal number, once nothing is missing that the exchange needs,
// and goes on with it. A note that would certainly be rejected is rejected before a number
// is taken.
func (t *exchangeAttempt) number(ctx context.Context, live lifecycle.LiveNote) (done bool, err error) {
	if live.Profile == nil {
		return true, &activities.ActionRequired{Reason: fact.NoFiscalProfile.Fact()}
	}
	profile := live.Profile.ForDay(live.Competence)
	if queue := t.input.Authority; queue != "" && queue != profile.Authority {
		return true, nil // the note is read again, and goes to the queue of the other
	}
	t.authority = profile.Authority
	if err := t.waitBehindSibling(ctx, live, profile); err != nil {
		return true, err
	}
	t.turns.leave(ctx) // of a number before this one, which may be of another series
	authority, err := t.Authorities.serving(profile)
	if err != nil {
		return true, err
	}
	t.authority = authority.Name()
	declared, rejection, err := t.checked(ctx, live, profile, authority)
	if err != nil {
		return true, err
	}
	if rejection != nil {
		settled, err := t.Store.Lifecycle.SettleRejected(ctx, live.ID, *rejection)
		return true, t.reportSettled(ctx, settled, err)
	}
	authority, access, err := t.access(ctx, live, profile)
	if err != nil {
		return true, err
	}
	if err := t.mayTakeNumber(ctx, live, profile, authority, access.Credentials); err != nil {
		return true, err
	}
	turns, lease := waitsForTurns(authority, fiscal.Issue), t.exchangeLease.lease
	if turns && !t.gate.joinLine(profile) {
		lease = exchanges.Lease{} // it goes on at the queue
	}
	e, err := t.Store.Lifecycle.TakeNumber(ctx, live.ID, profile, authority.Capabilities(), lease)
	switch {
	case errors.Is(err, lifecycle.ErrNoNumberLeft):
		err = &activities.ActionRequired{Reason: noNumberLeft(profile, authority.Capabilities())}
	case errors.Is(err, numbers.ErrDocumentsUndecided):
		err = &activities.ActionRequired{Reason: fact.DocumentsNotOnRecord.With("series", profile.Series)}
	case errors.Is(err, numbers.ErrNumbersUnchecked):
		t.Recovery.Wake()
		err = numbersUnchecked
	}
	if err == nil && e == nil && turns {
		err = t.turns.notHeld(ctx, profile.SeriesKey())
	}
	if err != nil || e == nil { // it is to be cancelled, or another was faster: the note is read again
		return true, activities.AsActionRequired(err)
	}
	if turns {
		live.Status = nfse.StatusProcessing // by taking the number
	}
	t.exchangeLease.leased, live.Exchange = lease != exchanges.Lease{}, e
	t.state = stateOf(live)
	if turns {
		if err := t.releaseNote(ctx, live); err != nil {
			return true, err
		}
		live.HeldReason, live.Taxation, live.Classification = fact.Fact{}, declared.Taxation, declared.Classification
		if !t.exchangeLease.leased {
			return true, errQueued
		}
		return t.nextAction(ctx, live)
	}
	declared.Number = e.Number
	return t.signCheckedAndSend(ctx, live, declared, authority, access)
}

// numbersUnchecked is the error while it is not known which numbers of a series were taken: see Recovery.
var numbersUnchecked = activities.RetryLater{Code: "numbers_unchecked", After: 5 * time.Second, NotFailed: true,
	Reason: "the database may lack numbers that were taken: the authority is asked about them first"}

// noNumberLeft says why no number of a profile's series is left.
func noNumberLeft(profile nfse.FiscalProfile, authority fiscal.Capabilities) fact.Fact {
	if granted := profile.GrantedNumbers; granted != nil && granted.Last < authority.NumberLimit() {
		return fact.GrantedNumbersUsedUp.With("first", granted.First, "last", granted.Last, "series", profile.Series)
	}
	return fact.SeriesUsedUp.With("series", profile.Series)
}

// checked returns the declaration that a note is to be numbered for, with what is known of
// its cities, or why it is rejected. ActionRequired says what it must wait for.
func (t *exchangeAttempt) checked(ctx context.Context, live lifecycle.LiveNote, profile nfse.FiscalProfile,
	authority fiscal.Authority) (declared fiscal.Declaration, rejection *nfse.Rejection, err error) {
	declared = declaration(live, profile)
	if declared.Cities, err = t.citiesOf(ctx, live, authority, declared); err != nil {
		return declared, nil, err
	}
	objection, err := t.objection(ctx, authority, &declared)
	if err == nil && !reflect.DeepEqual(declared.Taxation, live.Taxation) { // which may lead to another city
		if declared.Cities, err = t.citiesOf(ctx, live, authority, declared); err != nil {
			return declared, nil, err
		}
		objection = authority.Check(declared, time.Now())
	}
	switch {
	case err != nil || objection == nil:
		return declared, nil, err
	case objection.Rejection != nil:
		return declared, objection.Rejection, nil
	}
	return declared, nil, &activities.ActionRequired{Reason: objection.Hold}
}

// citiesOf returns what is known of a declaration's cities, and asks the authority where nothing is.
func (t *exchangeAttempt) citiesOf(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	declared fiscal.Declaration) (map[string]fiscal.City, error) {
	cities, known, err := t.Cities.Known(ctx, authority, declared)
	if err != nil || known {
		return cities, err
	}
	return t.Cities.Fetched(ctx, authority, live.Scope.OrganizationID, declared, t.waitsForOthers(ctx))
}

// mayTakeNumber is ActionRequired where the note must not take a number, or not another.
func (t *exchangeAttempt) mayTakeNumber(ctx context.Context, live lifecycle.LiveNote, profile nfse.FiscalProfile,
	authority fiscal.Authority, credentials *fiscal.Credentials) error {
	if !live.Numbered {
		return nil
	}
	conflicts, unbuilt, err := t.Store.Lifecycle.NumbersLost(ctx, live.ID, profile.SeriesKey())
	if err != nil {
		return err
	}
	if decision := fiscal.TakeNumber(conflicts, profile.Series); decision.Action == fiscal.Hold {
		return &activities.ActionRequired{Reason: decision.Reason}
	}
	if unbuilt { // so that the same failure does not cost a second number
		return t.tryToBuild(ctx, live, authority, profile, credentials)
	}
	return nil
}

// objection is what the authority's check objects to. A note that lacks something of its
// service or customer first takes what is set for these by now.
func (a *Exchanges) objection(ctx context.Context, authority fiscal.Authority,
	declared *fiscal.Declaration) (*fiscal.Objection, error) {
	objection := authority.Check(*declared, time.Now())
	if objection != nil && objection.Untaxed {
		taken, err := a.Store.Lifecycle.TakeTaxation(ctx, declared.Note.ID)
		if err != nil || taken == nil {
			return objection, err
		}
		declared.Taxation = *taken
		objection = authority.Check(*declared, time.Now())
	}
	if objection == nil || !objection.Unclassified {
		return objection, nil
	}
	taken, err := a.Store.Lifecycle.TakeClassification(ctx, declared.Note.ID)
	if err != nil || taken == nil {
		return objection, err
	}
	declared.Classification = taken
	return authority.Check(*declared, time.Now()), nil
}

// waitsForOthers returns what reports that an activity's run waits for an authority.
func (a *Exchanges) waitsForOthers(ctx context.Context) func() {
	return func() { a.Waits(activity.GetInfo(ctx).WorkflowExecution.RunID) }
}

// tryToBuild builds the message that the note would be sent by under the next number.
func (a *Exchanges) tryToBuild(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	profile nfse.FiscalProfile, credentials *fiscal.Credentials) error {
	next, err := a.Store.Lifecycle.NextNumber(ctx, profile)
	if err != nil || next > profile.LastNumber(authority.Capabilities().NumberLimit()) {
		return activities.AsActionRequired(err)
	}
	declared := declaration(live, profile)
	declared.Number = next
	if declared.Cities, _, err = a.Cities.Known(ctx, authority, declared); err != nil {
		return err
	}
	_, err = authority.SignDeclaration(declared, credentials, time.Now())
	return a.unbuilt(ctx, live.ID, err)
}

func declaration(live lifecycle.LiveNote, profile nfse.FiscalProfile) fiscal.Declaration {
	d := fiscal.Declaration{
		Note: live.Note, Issuer: profile, ConfirmMunicipalOperation: live.ConfirmMunicipalOperation,
		Classification: live.Classification, Taxation: live.Taxation, Details: live.Details,
	}
	if live.Exchange != nil {
		d.Number, d.Signings, d.Layout = live.Exchange.Number, live.Exchange.Signings, live.Exchange.Layout
		d.AutoFixes = live.Exchange.AutoFixes
		switch {
		case d.AutoFixes.Has(fiscal.SendRegistration):
			d.Issuer.SendMunicipalRegistration = true
		case d.AutoFixes.Has(fiscal.OmitRegistration):
			d.Issuer.SendMunicipalRegistration = false
		}
	}
	return d
}
