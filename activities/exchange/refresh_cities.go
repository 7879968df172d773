package exchange

import (
	"context"
	"errors"
	"time"

	"emissor/activities"
	"emissor/fiscal"
	"emissor/internal/panics"
	"emissor/internal/retry"
	"emissor/nfse/fact"
	"emissor/store/companies"
	"emissor/store/postgres"
	"emissor/workflows"
)

const (
	// refreshFor bounds one round of refreshing: the next goes on.
	refreshFor = 3 * time.Minute
	// refreshWait is for one city, or one service in a city.
	refreshWait = 20 * time.Second
	// refreshFailures is after how many failures, and no answer, a round ends: the authority
	// is out. Once it has answered, a failure is the city's own.
	refreshFailures = 3
)

// RefreshMunicipalParameters fetches the parameters of cities, and of services in
// them, that profiles and notes use and whose day has come, at most limit of each
// authority and kind; one after the other.
func (a *Exchanges) RefreshMunicipalParameters(ctx context.Context, limit int) (batch workflows.Batch, err error) {
	begun := time.Now()
	until := begun.Add(refreshFor)
	for name, authority := range a.Authorities {
		asked, tells := authority.(fiscal.CityParameters)
		if !tells || !asked.ServesCities(true) && !asked.ServesCities(false) {
			continue
		}
		err = a.Store.Companies.UseProfileCities(ctx, name)
		for _, list := range []func(context.Context, string, int) ([]companies.DueCity, error){
			a.Store.Companies.CitiesDue, a.Store.Companies.ServicesDue,
		} {
			var due []companies.DueCity
			if err == nil {
				due, err = list(ctx, name, limit)
			}
			if err == nil {
				err = a.refreshAll(ctx, asked, due, until, &batch)
			}
		}
		if err != nil {
			return batch, activities.Failure(ctx, a.Logger, err)
		}
	}
	return batch, activities.Failure(ctx, a.Logger, a.warnOfTurnedCities(ctx, begun))
}

// mostTurned is of how many companies a round warns at most.
const mostTurned = 100

// warnOfTurnedCities warns of companies that issue by their city, where this round has learnt that it is
// on the national system too: once a day, as often as a city is asked about. Nothing is changed.
func (a *Exchanges) warnOfTurnedCities(ctx context.Context, begun time.Time) error {
	turned, err := a.Store.Notes.TurnedCities(ctx, mostTurned)
	for _, one := range turned {
		if one.FetchedAt.Before(begun) {
			continue
		}
		a.Logger.WarnContext(ctx, "the city by which a company issues is on the national system too by now: decide "+
			"whether it goes over, nothing is switched by itself", "organization_id", one.OrganizationID,
			"authority", one.Authority, "municipality_code", one.MunicipalityCode)
	}
	return err
}

func (a *Exchanges) refreshAll(ctx context.Context, authority fiscal.CityParameters, all []companies.DueCity,
	until time.Time, batch *workflows.Batch) error {
	failures, answered := 0, false
	for _, due := range all {
		if failures == refreshFailures && !answered || time.Now().After(until) {
			return nil
		}
		batch.Looked++
		if !authority.ServesCities(due.Production) {
			continue // another process may
		}
		var had bool
		err := panics.Caught(func() (err error) {
			had, err = a.refresh(ctx, authority, due)
			return err
		})
		switch {
		case postgres.IsUnavailable(err) && !postgres.TookTooLong(err):
			return err
		case err != nil:
			a.passCity(ctx, due, err)
		case had:
			answered = true
			batch.Done++
		default:
			failures++
		}
	}
	return nil
}

// passCity postpones a city, or a service in it, that failed on our side.
func (a *Exchanges) passCity(ctx context.Context, due companies.DueCity, problem error) {
	a.Cities.Failed(ctx, due.CityKey, problem)
	if err := a.failCity(ctx, due, activities.FailedHere); err != nil {
		a.Logger.WarnContext(ctx, "a city that could not be refreshed stays in front", "municipality_code",
			due.MunicipalityCode, "service", due.Service, "error", err)
	}
}

// failCity postpones a city, or a service in it, that could not be had.
func (a *Exchanges) failCity(ctx context.Context, due companies.DueCity, reason fact.Fact) error {
	if due.Service == "" {
		return a.Store.Companies.FailCity(ctx, due.CityKey, reason, retry.NotBefore(activities.FailedRest))
	}
	return a.Store.Companies.FailCityService(ctx, due.CityKey, due.Service, reason,
		retry.NotBefore(activities.FailedRest))
}

// refresh fetches a city, or a service in it. had is false when it could not be had.
func (a *Exchanges) refresh(ctx context.Context, authority fiscal.CityParameters, due companies.DueCity) (had bool,
	err error) {
	inTime, cancel := context.WithTimeout(ctx, refreshWait)
	defer cancel()
	profile, err := a.Store.Companies.FiscalProfile(ctx, due.OrganizationID)
	if err != nil {
		return false, err
	}
	askers, err := a.Cities.Askers(ctx, due.OrganizationID, authority, profile)
	var missing *activities.ActionRequired
	switch {
	case errors.As(err, &missing):
		return false, a.failCity(ctx, due, fact.CityNobodyToAsk.Fact())
	case err != nil:
		return false, err
	case due.Service == "":
		record, err := a.Cities.Fetch(ctx, inTime, authority, companies.CityRecord{CityKey: due.CityKey, Due: true},
			due.OrganizationID, askers)
		a.Cities.Kept.Remove(due.CityKey)
		return !record.Due && record.Failure.None(), err
	}
	var answer fiscal.ServiceAnswer
	letIn, err := a.Cities.AskWith(ctx, due.Production, askers, func(access fiscal.Access) (bool, bool, error) {
		answer, err = activities.Guarded(inTime, func(inTime context.Context) fiscal.ServiceAnswer {
			return authority.AskService(inTime, access, due.MunicipalityCode, due.Service, time.Now())
		})
		return answer.Service != nil, answer.ShutOut, err
	})
	switch {
	case err != nil || !letIn:
		return false, err
	case answer.Service == nil:
		return false, a.failCity(ctx, due, answer.Reason)
	}
	return true, a.Store.Companies.SaveCityService(ctx, due.CityKey, due.Service, *answer.Service, activities.ADay())
}
