package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/saopaulo"
	"emissor/fiscal/saopaulo/rules"
	"emissor/nfse"
	"emissor/store"
)

func tablesToday(editions *classification.Editions) classification.Tables {
	return editions.On(classification.Day(time.Now()))
}

// saoPaulo asks the city of São Paulo.
func (c *profileChecks) saoPaulo(ctx context.Context) error {
	possible := c.profileItself()
	authority, err := c.session.saoPaulo()
	reached := c.add("address", c.config.CityURL, err)
	session := fiscal.Session{Production: c.profile.Production, Credentials: c.certificate(ctx)}
	mayUse := c.taxID(ctx)
	asks := reached && mayUse && session.Credentials != nil
	if asks {
		c.registration(ctx, authority, session)
	} else {
		c.skip("registration", "the city cannot be asked")
	}
	number, err := c.series(ctx, mayUse)
	if err != nil {
		return err
	}
	trial, err := c.trial(ctx, possible, number)
	switch {
	case err != nil:
		return err
	case trial == nil || !asks:
		c.skip("test", "nothing was sent")
	default:
		c.test(ctx, authority, session, *trial)
	}
	return nil
}

// registration asks whether the city knows the company under the profile's
// registration, and lets it issue.
func (c *profileChecks) registration(ctx context.Context, authority *saopaulo.Authority, session fiscal.Session) {
	const check = "registration"
	wanted := c.profile.PlainRegistration()
	known, reason := authority.Registrations(ctx, session, c.profile.TaxID)
	if !reason.None() {
		c.add(check, "", errors.New("the city did not say: "+reason.English()))
		return
	}
	var others []string
	for _, one := range known {
		switch {
		case one.Number != wanted:
			others = append(others, one.Number)
		case !one.Issues:
			c.add(check, "", fmt.Errorf("the city knows the registration %s, and does not let it issue notes: "+
				"ask it for the permission to issue NFS-e on its site", wanted))
			return
		default:
			c.add(check, "the city knows "+wanted+", and it may issue notes", nil)
			return
		}
	}
	knows := "under none"
	if others != nil {
		knows = "under " + strings.Join(others, ", ")
	}
	c.add(check, "", fmt.Errorf("the city does not know the company under the registration %s, but %s: "+
		"--municipal-registration", wanted, knows))
}

// series checks that notes may be sent under the profile's series, and returns its next
// number. Of one that is not shown to be the organization's nothing is said.
func (c *profileChecks) series(ctx context.Context, mayUse bool) (next int64, err error) {
	if !mayUse {
		c.skip("series", "it is not shown to be the organization's")
		return 1, nil
	}
	held, err := c.store.SeriesHeld(ctx, c.profile.SeriesKey())
	if err != nil {
		return 0, err
	}
	found := fmt.Sprintf("nothing holds the series %d", c.profile.Series)
	if !held.None() {
		err = fmt.Errorf("the series %d is held: %s (emissor series)", c.profile.Series, held)
	}
	c.add("series", found, err)
	return c.store.NextNumber(ctx, c.profile)
}

// trial declares what is to be tested; nil when there is nothing that would be sent.
func (c *profileChecks) trial(ctx context.Context, possible bool, number int64) (*fiscal.Declaration, error) {
	const check = "service"
	services, err := c.activeServices(ctx)
	if err != nil {
		return nil, err
	}
	if len(services) == 0 {
		c.add(check, "", errors.New("the organization has no active live service: POST /v1/services with a live key"))
		return nil, nil
	}
	service := services[0]
	if !possible {
		c.skip(check, service.ID+": the profile comes first")
		return nil, nil
	}
	trial := newTrial(c.profile, service, number)
	editions, err := c.session.editions(ctx)
	if err != nil {
		return nil, err
	}
	checker := rules.Checker{Tables: editions.On}
	switch objection := checker.Check(trial, classification.Day(time.Now())); {
	case objection == nil:
		c.add(check, service.ID+" "+shorten(service.Name), nil)
		return &trial, nil
	case objection.Rejection != nil:
		c.reject(check, service.ID+": ", objection.Rejection)
	default:
		c.add(check, "", errors.New(service.ID+": "+objection.Hold.English()))
	}
	return nil, nil
}

// newTrial declares a service for a taker who does not exist. That the environment is
// restricted holds notes, not this.
func newTrial(profile nfse.FiscalProfile, service store.ClassifiedService, number int64) fiscal.Declaration {
	taker := nfse.TaxID("11144477735")
	if profile.TaxID == taker {
		taker = "52998224725"
	}
	profile.Production = true
	return fiscal.Declaration{
		Issuer: profile, Number: number, Classification: service.Classification,
		Note: nfse.Note{
			ID: nfse.NewID(nfse.PrefixNote), Status: nfse.StatusProcessing, Livemode: true, Reference: "check",
			AmountCents: max(service.DefaultAmountCents, 100), Competence: nfse.DayOf(time.Now()),
			Service:      service.Snapshot(nil),
			Customer:     nfse.CustomerSnapshot{TaxID: taker, Name: "Tomador de teste"},
			Municipality: nfse.NoteMunicipality{Code: rules.Municipality},
		},
	}
}

// test has the city validate it.
func (c *profileChecks) test(ctx context.Context, authority *saopaulo.Authority, session fiscal.Session,
	trial fiscal.Declaration) {
	const check = "test"
	answer, err := authority.Test(ctx, session, trial, time.Now())
	switch {
	case err != nil:
		c.add(check, "", errors.New("the message cannot be built: "+err.Error()))
	case answer.Outcome == fiscal.OutcomeAccepted && answer.Reason.None():
		c.add(check, "the city would take a note of this service; none was made", nil)
	case answer.Outcome == fiscal.OutcomeAccepted:
		c.add(check, "the city would take a note of this service, and says: "+answer.Reason.English()+
			"; none was made", nil)
	case answer.Rejection != nil:
		c.reject(check, "the city answered ", answer.Rejection)
	case !answer.NeedsPerson.None():
		c.add(check, "", errors.New(answer.NeedsPerson.English()))
	default:
		c.add(check, "", errors.New("the city did not say: "+answer.Reason.English()))
	}
}

// reject notes a refusal with what it means and what to do.
func (c *profileChecks) reject(check, begins string, rejection *nfse.Rejection) {
	c.done = append(c.done, profileCheck{Check: check, State: checkFailed,
		Found:       begins + rejection.Code + ": " + rejection.Message,
		Explanation: rejection.Explanation, Action: rejection.Action})
}
