package activities

import (
	"context"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/store"
	"emissor/workflows"
)

// askStandingsFor bounds one round of questions: the next goes on.
const askStandingsFor = 3 * time.Minute

// AskStandings asks authorities that do not tell what happens outside how documents
// stand whose day has come, at most limit of each: many of one issuer in one question.
func (a *Exchanges) AskStandings(ctx context.Context, limit int) (batch workflows.Batch, err error) {
	until := time.Now().Add(askStandingsFor)
	for name, authority := range a.Authorities {
		finder, asks := authority.(fiscal.StandingFinder)
		if !asks {
			continue
		}
		due, err := a.Store.DocumentsToAsk(ctx, name, limit)
		if err != nil {
			return batch, failure(ctx, a.Logger, err)
		}
		for len(due) > 0 && time.Now().Before(until) {
			of := ofOneIssuer(due, finder.MaxNumbers())
			due = due[len(of):]
			cancelled, err := a.askStandings(ctx, finder, of)
			if err != nil { // the others are asked about all the same
				a.Logger.WarnContext(ctx, "documents could not be asked about", "error", err,
					"organization_id", of[0].OrganizationID)
				continue
			}
			batch.Looked, batch.Done = batch.Looked+len(of), batch.Done+cancelled
		}
	}
	return batch, nil
}

// ofOneIssuer are the first documents that one question can be about.
func ofOneIssuer(due []store.WatchedDocument, most int) []store.WatchedDocument {
	first := due[0]
	end := slices.IndexFunc(due, func(d store.WatchedDocument) bool {
		return d.OrganizationID != first.OrganizationID || d.Profile.TaxID != first.Profile.TaxID ||
			orEmpty(d.Profile.MunicipalRegistration) != orEmpty(first.Profile.MunicipalRegistration)
	})
	if end < 0 {
		end = len(due)
	}
	return due[:min(end, most)]
}

// askStandings asks about documents of one issuer. What cannot be asked is tried again
// before long.
func (a *Exchanges) askStandings(ctx context.Context, finder fiscal.StandingFinder,
	documents []store.WatchedDocument) (cancelled int, err error) {
	profile := documents[0].Profile
	var found fiscal.Standings
	session := fiscal.Session{Production: profile.Production}
	session.Credentials, err = a.Certificates.Open(ctx, documents[0].OrganizationID, profile.TaxID, time.Now())
	if err == nil {
		var numbers []string
		for _, document := range documents {
			numbers = append(numbers, document.Number)
		}
		a.Budget.spend(ctx, profile.Authority)
		inTime, cancel := context.WithTimeout(ctx, a.CallTimeouts[profile.Authority])
		started := time.Now()
		found = finder.FindStandings(inTime, session, profile, numbers)
		cancel()
		outcome := fiscal.OutcomeAccepted
		if found.Reason != "" {
			outcome = fiscal.OutcomeUnknown
		}
		a.Metrics.Asked(profile.Authority, "find_standings", string(outcome), time.Since(started))
	}
	every, duration := finder.Watch()
	return a.Store.SaveStandings(ctx, documents, found, every, duration)
}
