package exchange

import (
	"context"
	"errors"
	"slices"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/store/postgres"
	"emissor/store/received"
	"emissor/workflows"
)

// pollStandingsFor bounds one round of questions: the next goes on.
const pollStandingsFor = 3 * time.Minute

// partOf is until when one of so many that are left may ask: who needs less leaves the rest to the
// others, and who hangs takes nothing of theirs.
func partOf(until time.Time, left int) time.Time {
	return time.Now().Add(time.Until(until) / time.Duration(left))
}

// PollStandings asks authorities that do not distribute external events for the standings of
// documents that are due, at most limit of each: many of one issuer in one question. Others
// are asked for awaited events.
func (a *Exchanges) PollStandings(ctx context.Context, limit int) (batch workflows.Batch, err error) {
	end, left := time.Now().Add(pollStandingsFor), len(a.Authorities)
	for name, authority := range a.Authorities {
		until := partOf(end, left)
		left--
		if finder, asks := authority.(fiscal.EventFinder); asks {
			kinds := a.awaitedOf(finder)
			for i, kind := range kinds {
				looked, found, err := a.pollAwaited(ctx, name, finder, kind, limit, partOf(until, len(kinds)-i))
				if err != nil {
					return batch, activities.Failure(ctx, a.Logger, err)
				}
				batch.Looked, batch.Done = batch.Looked+looked, batch.Done+found
			}
		}
		finder, asks := authority.(fiscal.StandingFinder)
		if !asks {
			continue
		}
		due, unread, err := a.Store.Received.DocumentsToPoll(ctx, name, limit)
		if err != nil {
			return batch, activities.Failure(ctx, a.Logger, err)
		}
		for _, document := range unread {
			a.passStanding(ctx, finder, document.PolledDocument, document.Problem)
		}
		for len(due) > 0 && time.Now().Before(until) {
			of := ofOneIssuer(due, finder.MaxNumbers())
			due = due[len(of):]
			batch.Looked, batch.Done = batch.Looked+len(of), batch.Done+a.askOfIssuer(ctx, finder, of, until)
		}
	}
	return batch, nil
}

// passStanding postpones a document that cannot be asked about, so that it stops no others.
func (a *Exchanges) passStanding(ctx context.Context, finder fiscal.StandingFinder, document received.PolledDocument,
	problem error) {
	a.Metrics.RowFailed(activities.LoopStandings)
	a.Logger.ErrorContext(ctx, "a document could not be asked about", "note_id", document.NoteID,
		"organization_id", document.OrganizationID, "error", problem)
	every, _ := finder.PollInterval()
	if err := a.Store.Received.PostponeStanding(ctx, document, every/4); err != nil {
		a.Logger.WarnContext(ctx, "a document that could not be asked about stays in front", "note_id", document.NoteID,
			"error", err)
	}
}

// ofOneIssuer are the first documents that one question can be about.
func ofOneIssuer(due []received.PolledDocument, most int) []received.PolledDocument {
	first := due[0]
	end := slices.IndexFunc(due, func(d received.PolledDocument) bool {
		return d.OrganizationID != first.OrganizationID || d.Profile.TaxID != first.Profile.TaxID ||
			d.Profile.PlainRegistration() != first.Profile.PlainRegistration()
	})
	if end < 0 {
		end = len(due)
	}
	return due[:min(end, most)]
}

// askOfIssuer asks about documents of one issuer in one question, and counts those that
// were cancelled. Where the question fails on our side it asks about fewer at a time, until
// the document that causes the failure is alone: that one is postponed.
func (a *Exchanges) askOfIssuer(ctx context.Context, finder fiscal.StandingFinder, documents []received.PolledDocument,
	until time.Time) (cancelled int) {
	var found fiscal.Standings
	err := panics.Caught(func() (err error) {
		found, err = a.askStandings(ctx, finder, documents)
		return err
	})
	switch {
	case err == nil:
		return a.saveStandings(ctx, finder, documents, found)
	case len(documents) == 1 || errors.Is(err, activities.ErrNeverEnds): // fewer documents may hang as well
		for _, document := range documents {
			a.passStanding(ctx, finder, document, err)
		}
		return 0
	}
	half := len(documents) / 2
	for _, part := range [][]received.PolledDocument{documents[:half], documents[half:]} {
		if time.Now().Before(until) {
			cancelled += a.askOfIssuer(ctx, finder, part, until)
		}
	}
	return cancelled
}

// askStandings asks about documents of one issuer. The error is a failure on our side. What
// cannot be asked about stays unknown, and is asked about again before long.
func (a *Exchanges) askStandings(ctx context.Context, finder fiscal.StandingFinder,
	documents []received.PolledDocument) (found fiscal.Standings, err error) {
	profile := documents[0].Profile
	credentials, closed := a.Certificates.Open(ctx, documents[0].OrganizationID,
		fiscal.HolderOf(a.Authorities[profile.Authority], profile.TaxID), time.Now())
	if closed != nil {
		return found, nil
	}
	access := fiscal.Access{Production: profile.Production, Credentials: credentials}
	var numbers []string
	for _, document := range documents {
		numbers = append(numbers, document.Number)
	}
	a.Budget.spend(ctx, profile.Authority)
	inTime, cancel := context.WithTimeout(ctx, a.CallTimeouts[profile.Authority])
	defer cancel()
	inTime, span := startCall(inTime, profile.Authority, "find_standings")
	started := time.Now()
	found, err = activities.Guarded(inTime, func(ctx context.Context) fiscal.Standings {
		return finder.FindStandings(ctx, access, profile, numbers)
	})
	outcome := fiscal.OutcomeAccepted
	if !found.Reason.None() || err != nil {
		outcome = fiscal.OutcomeUnknown
	}
	a.Metrics.RecordAuthorityCall(profile.Authority, "find_standings", string(outcome), time.Since(started))
	endCall(span, outcome, 0, err)
	return found, err
}

// saveStandings stores what was found about documents: together or, where that fails, each on
// its own, so that one that the database refuses does not stop the others.
func (a *Exchanges) saveStandings(ctx context.Context, finder fiscal.StandingFinder,
	documents []received.PolledDocument,
	found fiscal.Standings) (cancelled int) {
	every, duration := finder.PollInterval()
	cancelled, err := a.Store.Received.SaveStandings(ctx, documents, found, every, duration)
	switch {
	case err == nil:
		return cancelled
	case postgres.IsUnavailable(err) && !postgres.TookTooLong(err):
		a.Logger.WarnContext(ctx, "how documents stand could not be stored; they are asked about again", "error", err,
			"organization_id", documents[0].OrganizationID)
		return 0
	case len(documents) == 1:
		a.passStanding(ctx, finder, documents[0], err)
		return 0
	}
	for _, document := range documents {
		cancelled += a.saveStandings(ctx, finder, []received.PolledDocument{document}, found)
	}
	return cancelled
}
