package company

import (
	"context"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
	"emissor/store/companies"
)

func authorityOf(profile nfse.FiscalProfile) (description.Authority, error) {
	by, known := authorities.Named(profile.Authority)
	if !known {
		return by, nfse.Invalid("authority", "must be %s", strings.Join(authorities.Names(), " or "))
	}
	return by, nil
}

// NewProfile makes a first profile for an organization that has none.
func NewProfile(organizationID string) nfse.FiscalProfile {
	return nfse.FiscalProfile{
		OrganizationID: organizationID, Authority: authorities.Default, InactiveMunicipalities: []string{},
	}
}

// CheckProfile refuses what no document could be issued with, by the rules of the
// profile's authorities.
func CheckProfile(profile nfse.FiscalProfile) error {
	if err := checkByAuthority(profile.Periods()[0]); err != nil {
		return err
	}
	if err := checkMoves(profile); err != nil {
		return err
	}
	if days := profile.CompetenceDaysBack; days != nil && (*days < 0 || *days > nfse.MaxCompetenceDaysBack) {
		return nfse.Invalid("competence_days_back", "must be from 0 to %d", nfse.MaxCompetenceDaysBack)
	}
	if asks := profile.Analyses(); asks != nfse.AskPerson && asks != nfse.RequestAnalysis {
		return nfse.Invalid("cancellation_analysis", "must be %s or %s", nfse.AskPerson, nfse.RequestAnalysis)
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
// anything. As CityOf and CityWarning it looks at the profile of a day: see Present.
func AsksCities(profile nfse.FiscalProfile) bool {
	by, _ := authorityOf(profile)
	return by.CityRefuses != nil
}

// CityOf is the key of the parameters of a profile's own city, which the national system has of every
// city, whichever authority issues.
func CityOf(profile nfse.FiscalProfile) companies.CityKey {
	return companies.CityKey{
		Authority: authorities.Default, Production: profile.Production, MunicipalityCode: profile.MunicipalityCode,
	}
}

// CityWarning says why, by the parameters of a profile's city, its notes would be refused,
// and since when they are known; empty when nothing is wrong. They may be wrong themselves,
// so a profile is set in spite of it.
func CityWarning(
	ctx context.Context, db *store.Store, profile nfse.FiscalProfile,
) (reason fact.Fact, city companies.CityRecord, err error) {
	by, _ := authorityOf(profile)
	if by.CityRefuses == nil {
		return fact.Fact{}, city, nil
	}
	city, err = db.Companies.City(ctx, CityOf(profile))
	if err != nil || !city.Counts {
		return fact.Fact{}, city, err
	}
	return by.CityRefuses(fiscal.Declaration{
		Issuer: profile, Cities: map[string]fiscal.City{profile.MunicipalityCode: *city.City},
	}), city, nil
}
