package exchange

import (
	"context"
	"errors"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/postgres"
	"emissor/store/received"
)

// awaited is a kind of event that is asked for once a day, beside what is distributed: mostly the
// distribution has told of it before.
type awaited struct {
	name string // of the question, in metrics
	due  func(ctx context.Context, authority string, limit int) (due, unread []received.AwaitedEvent, err error)
	find func(ctx context.Context, access fiscal.Access, issuer nfse.TaxID, accessKey string) fiscal.FoundEvent

	remindAfter int       // days without it
	reminder    fact.Code // of a person then, once
}

// awaitedOf are the kinds of events that an authority is asked for: what cities have decided about
// cancellations, and that notes were replaced.
func (a *Exchanges) awaitedOf(finder fiscal.EventFinder) []awaited {
	return []awaited{
		{"find_answer", a.Store.Received.AnalysesToPoll, finder.FindAnswer, 30, fact.AnalysisPendingLong},
		{"find_replacement", a.Store.Received.ReplacementsToConfirm, finder.FindReplacement, 7,
			fact.ReplacementUnconfirmed},
	}
}

// pollAwaited asks an authority for awaited events of notes that are due, at most limit of a kind.
func (a *Exchanges) pollAwaited(ctx context.Context, name string, finder fiscal.EventFinder, kind awaited, limit int,
	until time.Time) (looked, found int, err error) {
	due, unread, err := kind.due(ctx, name, limit)
	if err != nil {
		return 0, 0, err
	}
	for _, one := range unread {
		a.passAwaited(ctx, one, errUnread)
		if _, err := a.postponeAwaited(ctx, one); err != nil {
			return 0, 0, err
		}
	}
	for _, one := range due {
		if time.Now().After(until) {
			break
		}
		// It is postponed before it is asked for, so that one that fails stops no others.
		switch postponed, err := a.postponeAwaited(ctx, one); {
		case err != nil:
			return looked, found, err
		case !postponed || one.Over:
			continue
		}
		looked++
		var fresh bool
		err := panics.Caught(func() (err error) {
			fresh, err = a.askAwaited(ctx, finder, kind, one)
			return err
		})
		if err != nil {
			a.passAwaited(ctx, one, err)
		}
		if fresh {
			found++
		}
	}
	return looked, found, nil
}

var errUnread = errors.New("the profile of the note cannot be read")

// postponeAwaited has an event asked for again in a day, or never where it is over. A row of which the
// database does not take that is passed: nothing is asked about it, and the others are done.
func (a *Exchanges) postponeAwaited(ctx context.Context, one received.AwaitedEvent) (postponed bool, err error) {
	err = a.Store.Received.PostponeAwaited(ctx, one)
	if err == nil || postgres.IsUnavailable(err) && !postgres.TookTooLong(err) {
		return err == nil, err
	}
	a.passAwaited(ctx, one, err)
	return false, nil
}

// passAwaited reports a note of which an event cannot be asked for.
func (a *Exchanges) passAwaited(ctx context.Context, one received.AwaitedEvent, problem error) {
	a.Metrics.RowFailed(activities.LoopStandings)
	a.Logger.ErrorContext(ctx, "an event could not be asked for", "note_id", one.NoteID,
		"organization_id", one.OrganizationID, "error", problem)
}

// askAwaited asks for an awaited event of a note, and reports whether it is there. A person is told
// of one that takes long.
func (a *Exchanges) askAwaited(ctx context.Context, finder fiscal.EventFinder, kind awaited,
	one received.AwaitedEvent) (fresh bool, err error) {
	if err := a.remind(ctx, finder, kind, one); err != nil {
		return false, err
	}
	profile := one.Profile
	if !finder.Serves(profile.Production) {
		return false, nil
	}
	credentials, closed := a.Certificates.Open(ctx, one.OrganizationID, fiscal.HolderOf(finder, profile.TaxID),
		time.Now())
	if closed != nil {
		return false, nil
	}
	access := fiscal.Access{Production: profile.Production, Credentials: credentials}
	a.Budget.spend(ctx, profile.Authority)
	inTime, cancel := context.WithTimeout(ctx, a.CallTimeouts[profile.Authority])
	defer cancel()
	inTime, span := startCall(inTime, profile.Authority, kind.name)
	started := time.Now()
	found, err := activities.Guarded(inTime, func(ctx context.Context) fiscal.FoundEvent {
		return kind.find(ctx, access, profile.TaxID, one.AccessKey)
	})
	outcome := found.Answer().Outcome
	if err != nil {
		outcome = fiscal.OutcomeUnknown
	}
	a.Metrics.RecordAuthorityCall(profile.Authority, kind.name, string(outcome), time.Since(started))
	endCall(span, outcome, 0, err)
	if err != nil || found.Event == nil {
		return false, err
	}
	fresh, err = a.Store.Received.SaveFoundEvent(ctx, one.NoteID, *found.Event)
	if alarm := notApplied(*found.Event); err == nil && fresh && !alarm.None() {
		err = a.alarm(ctx, finder, one.NoteID, alarm)
	}
	return fresh, err
}

// remind tells a person once of an event that takes long.
func (a *Exchanges) remind(ctx context.Context, finder fiscal.EventFinder, kind awaited,
	one received.AwaitedEvent) error {
	if one.Since < time.Duration(kind.remindAfter)*24*time.Hour {
		return nil
	}
	return a.alarm(ctx, finder, one.NoteID, kind.reminder.With("days", kind.remindAfter))
}

// alarm records once what a person should look at.
func (a *Exchanges) alarm(ctx context.Context, finder fiscal.EventFinder, noteID string, alarm fact.Fact) error {
	fresh, err := a.Store.Received.RecordAlarm(ctx, noteID, alarm)
	if fresh {
		a.Metrics.Alarmed(finder.Name())
		a.Logger.ErrorContext(ctx, "a person should look at a note", "note_id", noteID, "alarm", alarm)
	}
	return err
}
