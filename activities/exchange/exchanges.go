package exchange

import (
	"context"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/cities"
	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/workflows"
)

// Exchanges are the activities of live notes' exchanges with their authorities, to issue and
// to cancel.
type Exchanges struct {
	activities.Notes
	Authorities  Authorities
	Certificates *activities.CertificateCache
	Cities       *activities.Cities
	CallTimeouts map[string]time.Duration // the longest a call to each of them may take
	Budget       *Budget
	First        *activities.FirstAttempts
	// UncataloguedFor is how long a message that is answered with a code of no catalogue is
	// sent again before its note is held.
	UncataloguedFor time.Duration
	Lines           *Lines
	Recovery        *Recovery // nil: nothing is checked after a restore
}

// Authorities are those that this process is configured for, by name.
type Authorities map[string]fiscal.Authority

// serving returns the authority of a profile. ActionRequired says that this
// process is not configured for it, why a city is off, or that it is in the table no more.
func (a Authorities) serving(profile nfse.FiscalProfile) (fiscal.Authority, error) {
	authority, known := a[profile.Authority]
	if known && authority.Serves(profile.Production) {
		return authority, nil
	}
	switch by, _ := authorities.Named(profile.Authority); {
	case a.gone(profile.Authority):
		return nil, &activities.ActionRequired{Reason: fact.CityGone.With("authority", profile.Authority)}
	case known && by.Off != "":
		city, _ := municipality.Find(by.Municipality)
		return nil, &activities.ActionRequired{Reason: fact.CityOff.With("city", city.String(), "why", by.WhyOff)}
	}
	return nil, &activities.ActionRequired{Reason: fact.EnvironmentNotServed.With(
		"environment", nfse.EnvironmentName(profile.Production), "authority", profile.Authority)}
}

// gone reports whether there is no authority of a name, as its city was taken out of the table: no
// worker is at its queue. Before the table on record is read that is not known.
func (a Authorities) gone(name string) bool {
	_, exists := authorities.Named(name)
	return a[name] == nil && !exists && cities.Loaded()
}

// hold records what a note waits for, and logs it once.
func (a *Exchanges) hold(ctx context.Context, noteID string, missing *activities.ActionRequired) (fresh bool,
	err error) {
	fresh, err = a.Store.Lifecycle.HoldNote(ctx, noteID, missing.Reason)
	switch {
	case fresh && missing.Reason.Is(fact.HeldBySibling): // which has the reference of another note
		a.Logger.InfoContext(ctx, "a live note waits behind one that is refused", "note_id", noteID)
	case fresh:
		a.Logger.WarnContext(ctx, "a live note waits for an operator", "note_id", noteID, "reason", missing.Reason)
	}
	return fresh, err
}

// releaseNote records that a note does not miss anything any more.
func (a *Exchanges) releaseNote(ctx context.Context, live lifecycle.LiveNote) error {
	if live.HeldReason.None() {
		return nil
	}
	return a.Store.Lifecycle.ReleaseNote(ctx, live.ID)
}

func (a *Exchanges) failure(ctx context.Context, noteID string, err error) error {
	return activities.Failure(ctx, a.Logger.With("note_id", noteID), err)
}

func stateOf(live lifecycle.LiveNote) workflows.NoteState {
	return workflows.NoteState{Status: live.Status, Livemode: true, CancellationPending: live.CancellationToDo()}
}
