// Package readiness checks whether a company can issue live notes, without issuing any: its profile,
// its certificate, whether its CNPJ is shown to be its own, what is known of its city, and its
// services. What an authority itself is asked for that is in a package of its own below.
package readiness

import (
	"context"
	"fmt"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/catalogues"
)

// State is the result of a check.
type State string

// The states of a check.
const (
	Passed  State = "ok"
	Failed  State = "failed"
	Skipped State = "not checked" // it needs what failed, or nothing is known
)

// Check is something that was checked, and what was found.
type Check struct {
	Name  string
	State State
	Found string // in words
	Wrong error  // instead of Found, of a check that failed

	Service string // the name of the service that was tried, to be shown after Found; empty where none was

	Explanation, Action string // of an authority's code; empty where none was answered
}

// Company is the company that is checked.
type Company struct {
	Store    *store.Store
	Profile  nfse.FiscalProfile             // as it holds on Day
	Day      nfse.Day                       // of competence
	Services []catalogues.ClassifiedService // that its notes may be of
	Editions *classification.Editions

	// Cities says whether the worker sends to the servers of cities (EMISSOR_CITIES); nil: not known here.
	Cities *bool

	// Open opens the certificate with which it issues.
	Open func(context.Context) (*fiscal.Credentials, error)
}

// Report is a company and the checks of it.
type Report struct {
	Company
	Checks []Check
}

// Failed is how many checks failed: with none the company can issue.
func (r *Report) Failed() (failed int) {
	for _, check := range r.Checks {
		if check.State == Failed {
			failed++
		}
	}
	return failed
}

// Add adds a check: failed with wrong, or else passed with found.
func (r *Report) Add(name, found string, wrong error) (passed bool) {
	if wrong != nil {
		r.Checks = append(r.Checks, Check{Name: name, State: Failed, Wrong: wrong})
		return false
	}
	r.Checks = append(r.Checks, Check{Name: name, State: Passed, Found: found})
	return true
}

// Skip adds a check that was not made, and why.
func (r *Report) Skip(name, why string) {
	r.Checks = append(r.Checks, Check{Name: name, State: Skipped, Found: why})
}

// Reject adds a check that failed by a rejection, with what that means and what to do; begins is
// what Found begins with.
func (r *Report) Reject(name, begins string, rejection *nfse.Rejection) {
	r.Checks = append(r.Checks, Check{Name: name, State: Failed,
		Found:       begins + rejection.Code + ": " + rejection.Message,
		Explanation: rejection.Explanation, Action: rejection.Action})
}

// CheckProfile checks the profile by the rules of its authority.
func (r *Report) CheckProfile() (passed bool) {
	return r.Add("profile", fmt.Sprintf("%s, series %d, environment %s", r.Profile.Authority, r.Profile.Series,
		nfse.EnvironmentName(r.Profile.Production)), company.CheckProfile(r.Profile))
}

// OpenCertificate opens the company's certificate; nil where none opens.
func (r *Report) OpenCertificate(ctx context.Context) *fiscal.Credentials {
	credentials, err := r.Open(ctx)
	found := ""
	if err == nil {
		found = credentials.ID + " opens, valid until " +
			credentials.Certificate.Leaf.NotAfter.UTC().Format("2006-01-02")
	}
	if !r.Add("certificate", found, err) {
		return nil
	}
	return credentials
}

// CheckTaxID checks that the issuer is the company's: about another's nothing is asked or shown.
func (r *Report) CheckTaxID(ctx context.Context) (passed bool) {
	return r.Add("document", "its series is the organization's", r.Store.Companies.CheckTaxID(ctx, r.Profile))
}

// CheckNumbers checks that numbers are left of those that a city has granted, where it grants them.
func (r *Report) CheckNumbers(ctx context.Context) error {
	granted := r.Profile.GrantedNumbers
	if granted == nil || r.Store.Companies.CheckTaxID(ctx, r.Profile) != nil {
		return nil
	}
	next, err := r.Store.Lifecycle.NextNumber(ctx, r.Profile)
	if err != nil {
		return err
	}
	left, few := granted.Left(next)
	found := fmt.Sprintf("%d of the numbers %s are left", left, granted)
	switch {
	case left == 0:
		r.Add("numbers", "", fmt.Errorf("the numbers %s that the city has granted are used up: ask it for others "+
			"(--granted-numbers)", granted))
	case few:
		r.Add("numbers", found+": ask the city for others soon (--granted-numbers)", nil)
	default:
		r.Add("numbers", found, nil)
	}
	return nil
}
