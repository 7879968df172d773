package activities

import (
	"context"
	"time"

	"emissor/fiscal"
	"emissor/store"
	"emissor/workflows"
)

const (
	// refreshFor bounds one round of refreshing: the next goes on.
	refreshFor = 3 * time.Minute
	// refreshWait is for one city, or one service in a city.
	refreshWait = 20 * time.Second
	// refreshFailures in a row end a round: the authority is out.
	refreshFailures = 3
)

// RefreshMunicipalParameters fetches the parameters of cities, and of services in
// them, that profiles and notes use and whose day has come, at most limit of each
// authority and kind; one after the other.
func (a *Exchanges) RefreshMunicipalParameters(ctx context.Context, limit int) (batch workflows.Batch, err error) {
	until := time.Now().Add(refreshFor)
	for name, authority := range a.Authorities {
		asked, tells := authority.(fiscal.CityParameters)
		if !tells || !asked.ServesCities(true) && !asked.ServesCities(false) {
			continue
		}
		err = a.Store.UseProfileCities(ctx, name)
		for _, list := range []func(context.Context, string, int) ([]store.DueCity, error){
			a.Store.CitiesDue, a.Store.ServicesDue,
		} {
			var due []store.DueCity
			if err == nil {
				due, err = list(ctx, name, limit)
			}
			if err == nil {
				err = a.refreshAll(ctx, asked, due, until, &batch)
			}
		}
		if err != nil {
			return batch, failure(ctx, a.Logger, err)
		}
	}
	return batch, nil
}

func (a *Exchanges) refreshAll(ctx context.Context, authority fiscal.CityParameters, all []store.DueCity,
	until time.Time, batch *workflows.Batch) error {
	failures := 0
	for _, due := range all {
		if failures == refreshFailures || time.Now().After(until) {
			return nil
		}
		batch.Looked++
		if !authority.ServesCities(due.Production) {
			continue // another process may
		}
		had, err := a.refresh(ctx, authority, due)
		if err != nil {
			return err
		}
		failures++
		if had {
			failures = 0
			batch.Done++
		}
	}
	return nil
}

// refresh fetches one. had is false when it could not be had.
func (a *Exchanges) refresh(ctx context.Context, authority fiscal.CityParameters, due store.DueCity) (had bool,
	err error) {
	inTime, cancel := context.WithTimeout(ctx, refreshWait)
	defer cancel()
	profile, err := a.Store.FiscalProfile(ctx, due.OrganizationID)
	if err != nil {
		return false, err
	}
	session := fiscal.Session{Production: due.Production}
	const closed = "no certificate opens to ask with"
	session.Credentials, err = a.Certificates.Open(ctx, due.OrganizationID, profile.TaxID, time.Now())
	if due.Service == "" {
		if err != nil {
			return false, a.Store.FailCity(ctx, due.CityKey, closed, jittered(time.Hour))
		}
		record, err := a.Cities.fetch(ctx, inTime, authority, store.CityRecord{CityKey: due.CityKey, Due: true},
			due.OrganizationID, session)
		a.Cities.forget(due.CityKey)
		return !record.Due && record.Failure == nil, err
	}
	answer := fiscal.ServiceAnswer{Reason: closed}
	if err == nil {
		answer = authority.AskService(inTime, session, due.MunicipalityCode, due.Service, time.Now())
	}
	if answer.Service == nil {
		return false, a.Store.FailCityService(ctx, due.CityKey, due.Service, answer.Reason, jittered(time.Hour))
	}
	return true, a.Store.SaveCityService(ctx, due.CityKey, due.Service, *answer.Service, aDay())
}
