package rules

import (
	"regexp"
	"strconv"

	"emissor/fiscal/national/schema"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// ValidateProfile refuses a fiscal profile that no document could be issued
// with. Whether its municipality exists is checked where municipalities are
// known. The error is an *nfse.Error: its Field is the profile's, in snake_case,
// and its Message reads after that name.
func ValidateProfile(profile nfse.FiscalProfile) error {
	if defect := findProfileDefect(profile); defect != nil {
		return nfse.Invalid(defect.field, "%s", defect.reason)
	}
	return nil
}

// profileDefect is what is wrong with a fiscal profile: the rule of the authority
// that every document would break, the field that is wrong, and why, which is said after
// its name.
type profileDefect struct {
	code, field string
	reason      fact.Fact
}

// profileInvalid is the code of what the layout does not know and no rule of the
// authority is about.
const profileInvalid = "fiscal_profile_invalid"

// registrationForm is the form of municipal registrations in use: the schema takes any 15 characters (TSInscMun).
var registrationForm = regexp.MustCompile(`^[0-9A-Za-z./-]{1,15}$`)

// findProfileDefect finds the first defect of a profile, nil when there is none.
func findProfileDefect(profile nfse.FiscalProfile) *profileDefect {
	for _, find := range []func(nfse.FiscalProfile) *profileDefect{
		identityDefect, regimeDefect, seriesDefect, approximateTaxesDefect, inactiveMunicipalitiesDefect,
		ownContributionsDefect, simplesRatesDefect,
	} {
		if defect := find(profile); defect != nil {
			return defect
		}
	}
	return nil
}

func identityDefect(profile nfse.FiscalProfile) *profileDefect {
	registration := profile.MunicipalRegistration
	switch {
	case !schema.ValidTaxID(profile.TaxID):
		code := "E0096"
		if profile.TaxID.IsCNPJ() {
			code = "E0080"
		}
		return &profileDefect{code, "tax_id", fact.MustBeTaxID.Fact()}
	case !schema.ValidMunicipality(profile.MunicipalityCode):
		return &profileDefect{"E0037", "municipality_code", fact.MustBeMunicipality.Fact()}
	case registration != nil && !registrationForm.MatchString(*registration):
		return &profileDefect{profileInvalid, "municipal_registration",
			fact.RegistrationForm.Fact()}
	case profile.SendMunicipalRegistration && registration == nil:
		return &profileDefect{"E0116", "municipal_registration", fact.RegistrationToSendMissing.Fact()}
	}
	return nil
}

func regimeDefect(profile nfse.FiscalProfile) *profileDefect {
	regime, special := profile.SimplesRegime, profile.SpecialRegime
	switch {
	case profile.Simples < nfse.SimplesNone || profile.Simples > nfse.SimplesME:
		return &profileDefect{profileInvalid, "simples", fact.SimplesUnknown.Fact()}
	case profile.Simples == nfse.SimplesME && regime == nil:
		return &profileDefect{"E0166", "simples_regime", fact.SimplesRegimeRequired.Fact()}
	case profile.Simples != nfse.SimplesME && regime != nil:
		return &profileDefect{"E0162", "simples_regime", fact.SimplesRegimeForbidden.Fact()}
	case regime != nil && (*regime < 1 || *regime > 3):
		return &profileDefect{profileInvalid, "simples_regime", fact.SimplesRegimeUnknown.Fact()}
	case special < 0 || special > 9 || special == 7 || special == 8:
		return &profileDefect{profileInvalid, "special_regime", fact.SpecialRegimeUnknown.Fact()}
	case special != 0 && profile.Simples == nfse.SimplesMEI:
		return &profileDefect{"E0174", "special_regime", fact.SpecialRegimeOfMEI.Fact()}
	case special != 0 && regime != nil && *regime == 1:
		return &profileDefect{"E0175", "special_regime",
			fact.SpecialRegimeWithinSimples.Fact()}
	}
	return nil
}

func seriesDefect(profile nfse.FiscalProfile) *profileDefect {
	if profile.Series < 1 || profile.Series > schema.MaxSeries {
		return &profileDefect{"E0010", "series", fact.SeriesOutOfRange.Fact()}
	}
	return nil
}

// approximateTaxesDefect finds what is wrong with the percentages of taxes: each
// kind of issuer informs its own (totTrib), and another's would be lost.
func approximateTaxesDefect(profile nfse.FiscalProfile) *profileDefect {
	const field = "approximate_taxes"
	taxes := profile.ApproximateTaxes
	for _, part := range []struct {
		code    string
		percent nfse.Percent
	}{{"E0706", taxes.Federal}, {"E0707", taxes.State}, {"E0708", taxes.Municipal}, {profileInvalid, taxes.Simples}} {
		if part.percent < 0 || part.percent > 100_00 {
			return &profileDefect{part.code, field, fact.TaxesOutOfRange.Fact()}
		}
	}
	general := taxes.Federal != 0 || taxes.State != 0 || taxes.Municipal != 0
	switch {
	case taxes.Federal+taxes.State+taxes.Municipal > 100_00:
		return &profileDefect{profileInvalid, field, fact.TaxesTogetherTooHigh.Fact()}
	case taxes.Simples == 100_00: // TSDec2V2
		return &profileDefect{profileInvalid, field, fact.TaxesOfSimplesTooHigh.Fact()}
	case profile.Simples == nfse.SimplesMEI && (general || taxes.Simples != 0):
		return &profileDefect{"E0710", field, fact.TaxesOfMEI.Fact()}
	case profile.Simples == nfse.SimplesME && general:
		return &profileDefect{profileInvalid, field,
			fact.TaxesMustBeOfSimples.Fact()}
	case profile.Simples == nfse.SimplesNone && taxes.Simples != 0:
		return &profileDefect{"E0713", field,
			fact.TaxesMustNotBeOfSimples.Fact()}
	}
	return nil
}

func inactiveMunicipalitiesDefect(profile nfse.FiscalProfile) *profileDefect {
	for _, code := range profile.InactiveMunicipalities {
		if !schema.ValidMunicipality(code) {
			return &profileDefect{profileInvalid, "inactive_municipalities",
				fact.MustBeMunicipalities.With("quoted", strconv.Quote(code))}
		}
	}
	return nil
}
