package company

import (
	"context"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/rules"
	saopaulo "emissor/fiscal/saopaulo/rules"
	"emissor/municipality"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// National is the authority of a profile that does not say another.
const National = rules.Name

// SaoPaulo is the city of São Paulo.
const SaoPaulo = saopaulo.Name

// authority is one by which profiles issue.
type authority struct {
	name           string
	validate       func(nfse.FiscalProfile) error
	greatestNumber int64 // that its field of the number holds
	exactHolder    bool  // see fiscal.Holder
}

var authorities = []authority{
	{National, rules.ValidateProfile, 999_999_999_999_999, false},
	{SaoPaulo, saopaulo.ValidateProfile, 999_999_999_999, saopaulo.ExactHolder},
}

// Authorities are the names of those by which profiles issue.
func Authorities() (names []string) {
	for _, one := range authorities {
		names = append(names, one.name)
	}
	return names
}

func authorityOf(profile nfse.FiscalProfile) (authority, error) {
	i := slices.IndexFunc(authorities, func(one authority) bool { return one.name == profile.Authority })
	if i < 0 {
		return authority{}, nfse.Invalid("authority", "must be %s", strings.Join(Authorities(), " or "))
	}
	return authorities[i], nil
}

// NewProfile begins the profile of an organization that has none.
func NewProfile(organizationID string) nfse.FiscalProfile {
	return nfse.FiscalProfile{
		OrganizationID: organizationID, Authority: National, InactiveMunicipalities: []string{},
	}
}

// CheckProfile refuses what no document could be issued with, by the rules of the
// profile's authority.
func CheckProfile(profile nfse.FiscalProfile) error {
	by, err := authorityOf(profile)
	if err != nil {
		return err
	}
	if err := by.validate(profile); err != nil {
		return err
	}
	if days := profile.CompetenceDaysBack; days != nil && (*days < 0 || *days > nfse.MaxCompetenceDaysBack) {
		return nfse.Invalid("competence_days_back", "must be from 0 to %d", nfse.MaxCompetenceDaysBack)
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

// AsksCities reports whether what cities have set at the profile's authority decides
// anything.
func AsksCities(profile nfse.FiscalProfile) bool { return profile.Authority == National }

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
) (reason fact.Fact, city store.CityRecord, err error) {
	city, err = db.City(ctx, CityOf(profile))
	if err != nil || !city.Counts {
		return fact.Fact{}, city, err
	}
	return rules.CityRefuses(fiscal.Declaration{
		Issuer: profile, Cities: map[string]fiscal.City{profile.MunicipalityCode: *city.City},
	}), city, nil
}
