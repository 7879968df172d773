package company

import (
	"context"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	"emissor/municipality"
	"emissor/nfse"
	"emissor/store"
)

// authority is the one by which profiles issue.
const authority = "national"

// NewProfile begins the profile of an organization that has none.
func NewProfile(organizationID string) nfse.FiscalProfile {
	return nfse.FiscalProfile{
		OrganizationID: organizationID, Authority: authority, InactiveMunicipalities: []string{},
	}
}

// CheckProfile refuses what no document could be issued with.
func CheckProfile(profile nfse.FiscalProfile) error {
	if err := rules.ValidateProfile(profile); err != nil {
		return err
	}
	if !municipality.Exists(profile.MunicipalityCode) {
		return noMunicipality("municipality_code", profile.MunicipalityCode)
	}
	for _, code := range profile.InactiveMunicipalities {
		if !municipality.Exists(code) {
			return noMunicipality("inactive_municipalities", code)
		}
	}
	return nil
}

func noMunicipality(field, code string) error {
	return nfse.Invalid(field, "no municipality has the IBGE code %q", code)
}

// greatestNumber is the greatest that the field nDPS holds.
const greatestNumber = 999_999_999_999_999

// CheckNextNumber refuses a number that no document can have.
func CheckNextNumber(number int64) error {
	if number < 1 || number > greatestNumber {
		return nfse.Invalid("next_number", "must be from 1 to %d", greatestNumber)
	}
	return nil
}

// CityOf names the parameters of a profile's own city.
func CityOf(profile nfse.FiscalProfile) store.CityKey {
	return store.CityKey{
		Authority: profile.Authority, Production: profile.Production, MunicipalityCode: profile.MunicipalityCode,
	}
}

// CityWarning says what the parameters of a profile's city hold against it, and since
// when they are known; empty when nothing is. They may be wrong, so that a profile is
// set all the same.
func CityWarning(
	ctx context.Context, db *store.Store, profile nfse.FiscalProfile,
) (reason string, city store.CityRecord, err error) {
	city, err = db.City(ctx, CityOf(profile))
	if err != nil || !city.Counts {
		return "", city, err
	}
	return rules.CityRefuses(fiscal.Declaration{
		Issuer: profile, Cities: map[string]fiscal.City{profile.MunicipalityCode: *city.City},
	}), city, nil
}
