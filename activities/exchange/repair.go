package exchange

import (
	"context"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// withRepair is a decision once it is known what corrects a refusal. What the company wants of such
// notes is what its profile says at present.
func withRepair(live lifecycle.LiveNote, authority fiscal.Authority, decision fiscal.Decision) fiscal.Decision {
	e := decision.Exchange
	switch {
	case decision.HoldsSiblings():
		return decision.Repaired(repairOf(live, authority, e.DoubtedCode), nil, false)
	case !e.Refused():
		return decision
	}
	can := func(autoFix fiscal.AutoFix) bool {
		autoFixer, is := authority.(fiscal.AutoFixer)
		return is && autoFixer.CanAutoFix(declaration(live, live.Exchange.Profile), autoFix)
	}
	return decision.Repaired(repairOf(live, authority, e.Rejection.Code), can, presentProfile(live).RejectRefused)
}

// repairOf is what is known of the code by which a note's exchange was refused.
func repairOf(live lifecycle.LiveNote, authority fiscal.Authority, code string) fiscal.Repair {
	if autoFixer, is := authority.(fiscal.AutoFixer); is {
		return autoFixer.RepairOf(declaration(live, live.Exchange.Profile), code)
	}
	return fiscal.Repair{}
}

// presentProfile is the organization's profile as it holds for the note's number; that of the number
// where there is none any more.
func presentProfile(live lifecycle.LiveNote) nfse.FiscalProfile {
	number := live.Exchange.Profile
	if live.Profile == nil {
		return number
	}
	return live.Profile.ForNumber(number, live.Competence)
}

// needsNewNumber reports whether a note goes on under another number, as that by which it was certainly
// refused is of another sequence than the profile's at present.
func needsNewNumber(live lifecycle.LiveNote) bool {
	e := live.Exchange
	autoFixed := e.Kind == fiscal.Issue && e.Handling == fiscal.AutoFixed && e.NothingExists()
	return (e.Refused() || e.Correctable() || autoFixed) && !lifecycle.SameSequence(presentProfile(live), e.Profile)
}

// afterRefusal goes on with an exchange that was refused, before it takes a turn: it waits behind
// the note whose sibling hold holds it, takes what is set at present, or waits for a person. One that was corrected
// and waits before it is signed takes what is set too, as another change may put that right; one
// that was corrected without a person, and waits for nobody, stays as it was accepted. goesOn is false
// when that was all that could be done now.
func (t *exchangeAttempt) afterRefusal(ctx context.Context, live lifecycle.LiveNote, authority fiscal.Authority,
	access fiscal.Access) (goesOn, done bool, err error) {
	e := live.Exchange
	profile := presentProfile(live)
	if e.Refused() || e.Correctable() {
		if err := t.waitBehindSibling(ctx, live, profile); err != nil {
			return false, true, err
		}
	}
	if e.Refused() || e.Correctable() || !live.HeldReason.None() {
		changed, err := t.Store.Lifecycle.TakePresent(ctx, e, t.exchangeLease.lease, profile, access.Credentials.ID)
		switch {
		case err != nil:
			return false, true, err
		case changed:
			return false, false, nil // the note is read again, with what it has taken
		}
	}
	switch decision := e.Next(authority.Capabilities()); decision.Action {
	case fiscal.Hold:
		decision.Reason = repairOf(live, authority, e.Rejection.Code).Reason(e.Rejection.Code)
		done, err = t.follow(decision)
	case fiscal.NextNumber:
		_, done, err = t.save(ctx, live, authority, 0, fiscal.Answer{}, decision, nil, false)
	default:
		return true, false, nil
	}
	return false, done, err
}

// waitBehindSibling is why a note waits behind another one of its company that is refused: for a person, as that one
// does, or for a while, where that refusal is doubted. One whose own doubt is over waits for a person only.
func (t *exchangeAttempt) waitBehindSibling(ctx context.Context, live lifecycle.LiveNote,
	profile nfse.FiscalProfile) error {
	why, held := live.HeldBySibling(profile)
	e := live.Exchange
	switch {
	case why.None(), !held && e != nil && e.DoubtedCode != "" && !e.RefusalDistrusted():
		return nil
	case held:
		return &activities.ActionRequired{Reason: why}
	}
	if !live.WasHeld {
		if err := t.Store.Lifecycle.WaitBehind(ctx, live.ID, why); err != nil {
			return err
		}
	}
	return activities.RetryLater{Code: "sibling_hold", Reason: "the refusal of another note of the company is doubted"}
}
