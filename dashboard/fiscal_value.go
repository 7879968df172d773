package dashboard

import (
	"errors"
	"time"

	"emissor/store/companies"
)

// fiscalValue says what notes issued in a page's environment are worth: nothing in the test
// environment, and nothing at the authority's own test system, even with a live key.
type fiscalValue string

// The values, as the keys of their words end.
const (
	valueTest       fiscalValue = "test"       // nothing leaves the installation
	valueRestricted fiscalValue = "restricted" // the authority's own test system (produção restrita)
	valueProduction fiscalValue = "production"
	valueMixed      fiscalValue = "mixed" // of a period in which the profile changed from one of the two to the other
	valueUnset      fiscalValue = "unset" // there is no fiscal profile, for which live notes wait
)

// fiscalValueSince is what the notes since a moment are worth: the profile may have changed
// since.
func (r *request) fiscalValueSince(since time.Time) (fiscalValue, error) {
	value, err := r.fiscalValue()
	if err != nil || value != valueProduction && value != valueRestricted {
		return value, err
	}
	changed, err := r.d.store.Companies.EnvironmentChanged(r.Context(), r.scope.OrganizationID, since)
	if changed {
		value = valueMixed
	}
	return value, err
}

// fiscalValue reads the value from the profile of the page's organization.
func (r *request) fiscalValue() (fiscalValue, error) {
	if !r.scope.Livemode {
		return valueTest, nil
	}
	profile, err := r.d.store.Companies.FiscalProfile(r.Context(), r.scope.OrganizationID)
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
