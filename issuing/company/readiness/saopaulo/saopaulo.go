// Package saopaulo checks whether a company can issue notes by the city of São Paulo: it asks the
// city, which issues none for it.
package saopaulo

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/saopaulo/rules"
	"emissor/issuing/company/readiness"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/catalogues"
)

// City is the calls to the city by which a company is checked; they issue no note.
type City interface {
	// Registrations are those under which the city knows an issuer; reason says why they are not known.
	Registrations(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile) (
		list []fiscal.Registration, reason fact.Fact)
	// Test has the city validate a declaration.
	Test(ctx context.Context, access fiscal.Access, declaration fiscal.Declaration, at time.Time) (
		fiscal.Answer, error)
}

// report is the report of a company of the city.
type report struct {
	*readiness.Report
	city City
}

// Check asks the city whether a company can issue notes by it: whether its registration is known and
// may issue, and whether the city would accept a note of its first service. reach connects to the
// city at the address.
func Check(
	ctx context.Context, of readiness.Company, address string, reach func() (City, error),
) (*readiness.Report, error) {
	r := report{Report: &readiness.Report{Company: of}}
	possible := r.CheckProfile()
	var unreached error
	r.city, unreached = reach()
	reached := r.Add("address", address, unreached)
	access := fiscal.Access{Production: of.Profile.Production, Credentials: r.OpenCertificate(ctx)}
	mayUse := r.CheckTaxID(ctx)
	if err := r.CheckAuthority(ctx); err != nil {
		return r.Report, err
	}
	asks := reached && mayUse && access.Credentials != nil
	if asks {
		r.registration(ctx, access)
	} else {
		r.Skip("registration", "the city cannot be asked")
	}
	number, err := r.series(ctx, mayUse)
	if err != nil {
		return r.Report, err
	}
	trial := r.trial(possible, number)
	if trial == nil || !asks {
		r.Skip("test", "nothing was sent")
	} else {
		r.test(ctx, access, *trial)
	}
	return r.Report, nil
}

// registration asks whether the city knows the company under the profile's
// registration, and lets it issue.
func (r report) registration(ctx context.Context, access fiscal.Access) {
	const check = "registration"
	wanted := r.Profile.PlainRegistration()
	known, reason := r.city.Registrations(ctx, access, r.Profile)
	if !reason.None() {
		r.Add(check, "", errors.New("the city did not say: "+reason.English()))
		return
	}
	var others []string
	for _, one := range known {
		switch {
		case one.Number != wanted:
			others = append(others, one.Number)
		case !one.Issues:
			r.Add(check, "", fmt.Errorf("the city knows the registration %s, and does not let it issue notes: "+
				"ask it for the permission to issue NFS-e on its site", wanted))
			return
		default:
			r.Add(check, "the city knows "+wanted+", and it may issue notes", nil)
			return
		}
	}
	knows := "under none"
	if others != nil {
		knows = "under " + strings.Join(others, ", ")
	}
	r.Add(check, "", fmt.Errorf("the city does not know the company under the registration %s, but %s: "+
		"--municipal-registration", wanted, knows))
}

// series checks that notes may be sent under the profile's series, and returns its next
// number. Nothing is shown of a series that is not shown to be the organization's.
func (r report) series(ctx context.Context, mayUse bool) (next int64, err error) {
	if !mayUse {
		r.Skip("series", "it is not shown to be the organization's")
		return 1, nil
	}
	held, err := r.Store.Numbers.SeriesHeld(ctx, r.Profile.SeriesKey())
	if err != nil {
		return 0, err
	}
	found := fmt.Sprintf("nothing holds the series %d", r.Profile.Series)
	if !held.None() {
		err = fmt.Errorf("the series %d is held: %s (emissor series)", r.Profile.Series, held)
	}
	r.Add("series", found, err)
	return r.Store.Lifecycle.NextNumber(ctx, r.Profile)
}

// trial makes the declaration that is to be tested; nil when none would be sent.
func (r report) trial(possible bool, number int64) *fiscal.Declaration {
	const check = "service"
	if len(r.Services) == 0 {
		r.Add(check, "", errors.New("the organization has no active live service: POST /v1/services with a live key"))
		return nil
	}
	service := r.Services[0]
	if !possible {
		r.Skip(check, service.ID+": the profile comes first")
		return nil
	}
	trial := newTrial(r.Profile, service, number)
	checker := rules.Checker{Tables: r.Editions.On}
	switch objection := checker.Check(trial, classification.Day(time.Now())); {
	case objection == nil:
		r.Checks = append(r.Checks, readiness.Check{Name: check, State: readiness.Passed, Found: service.ID,
			Service: service.Name})
		return &trial
	case objection.Rejection != nil:
		r.Reject(check, service.ID+": ", objection.Rejection)
	default:
		r.Add(check, "", errors.New(service.ID+": "+objection.Hold.English()))
	}
	return nil
}

// newTrial declares a service for a taker who does not exist, always for production: the
// restricted environment would hold a note, but not this test.
func newTrial(profile nfse.FiscalProfile, service catalogues.ClassifiedService, number int64) fiscal.Declaration {
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

// test has the city validate the trial.
func (r report) test(ctx context.Context, access fiscal.Access, trial fiscal.Declaration) {
	const check = "test"
	answer, err := r.city.Test(ctx, access, trial, time.Now())
	switch {
	case err != nil:
		r.Add(check, "", errors.New("the message cannot be built: "+err.Error()))
	case answer.Outcome == fiscal.OutcomeAccepted && answer.Reason.None():
		r.Add(check, "the city would take a note of this service; none was made", nil)
	case answer.Outcome == fiscal.OutcomeAccepted:
		r.Add(check, "the city would take a note of this service, and says: "+answer.Reason.English()+
			"; none was made", nil)
	case answer.Rejection != nil:
		r.Reject(check, "the city answered ", answer.Rejection)
	case !answer.NeedsPerson.None():
		r.Add(check, "", errors.New(answer.NeedsPerson.English()))
	default:
		r.Add(check, "", errors.New("the city did not say: "+answer.Reason.English()))
	}
}
