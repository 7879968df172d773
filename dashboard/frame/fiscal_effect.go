package frame

import (
	"errors"
	"time"

	"emissor/store/companies"
)

// FiscalValue says what notes issued in a page's environment are worth: nothing in the test
// environment, and nothing at the authority's own test system, even with a live key.
type FiscalValue string

// The values, as the keys of their words end.
const (
	valueTest       FiscalValue = "test"       // nothing leaves the installation
	valueRestricted FiscalValue = "restricted" // the authority's own test system (produção restrita)
	valueProduction FiscalValue = "production"
	valueMixed      FiscalValue = "mixed" // of a period in which the profile changed from one of the two to the other
	valueUnset      FiscalValue = "unset" // there is no fiscal profile, for which live notes wait
)

// FiscalValueSince is what the notes since a moment are worth: the profile may have changed
// since.
func (r *Request) FiscalValueSince(since time.Time) (FiscalValue, error) {
	value, err := r.FiscalValue()
	if err != nil || value != valueProduction && value != valueRestricted {
		return value, err
	}
	changed, err := r.D.Store.Companies.EnvironmentChanged(r.Context(), r.Scope.OrganizationID, since)
	if changed {
		value = valueMixed
	}
	return value, err
}

// FiscalValue reads the value from the profile of the page's organization.
func (r *Request) FiscalValue() (FiscalValue, error) {
	if !r.Scope.Livemode {
		return valueTest, nil
	}
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	switch {
	case errors.Is(err, companies.ErrNoFiscalProfile):
		return valueUnset, nil
	case err != nil:
		return "", err
	case profile.Production:
		return valueProduction, nil
	}
	return valueRestricted, nil
}
