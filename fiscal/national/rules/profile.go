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
	if fault := findProfileFault(profile); fault != nil {
		return nfse.Invalid(fault.field, "%s", fault.reason)
	}
	return nil
}

// profileFault is what is wrong with a fiscal profile: the rule of the authority
// that every document would break, the field at fault, and why, which is said after
// its name.
type profileFault struct {
	code, field string
	reason      fact.Fact
}

// profileInvalid is the code of what the layout does not know and no rule of the
// authority is about.
const profileInvalid = "fiscal_profile_invalid"

// registrationForm is that of municipal registrations: the schema takes any 15
// characters (TSInscMun); cities use these.
var registrationForm = regexp.MustCompile(`^[0-9A-Za-z./-]{1,15}$`)

// findProfileFault finds the first fault of a profile, nil when there is none.
func findProfileFault(profile nfse.FiscalProfile) *profileFault {
	for _, find := range []func(nfse.FiscalProfile) *profileFault{
		identityFault, regimeFault, seriesFault, approximateTaxesFault, inactiveMunicipalitiesFault,
	} {
		if fault := find(profile); fault != nil {
			return fault
		}
	}
	return nil
}

func identityFault(profile nfse.FiscalProfile) *profileFault {
	registration := profile.MunicipalRegistration
	switch {
	case !schema.ValidTaxID(profile.TaxID):
		code := "E0096"
		if profile.TaxID.IsCNPJ() {
			code = "E0080"
		}
		return &profileFault{code, "tax_id", fact.MustBeTaxID.Fact()}
	case !schema.ValidMunicipality(profile.MunicipalityCode):
		return &profileFault{"E0037", "municipality_code", fact.MustBeMunicipality.Fact()}
	case registration != nil && !registrationForm.MatchString(*registration):
		return &profileFault{profileInvalid, "municipal_registration",
			fact.RegistrationForm.Fact()}
	case profile.SendMunicipalRegistration && registration == nil:
		return &profileFault{"E0116", "municipal_registration", fact.RegistrationToSendMissing.Fact()}
	}
	return nil
}

func regimeFault(profile nfse.FiscalProfile) *profileFault {
	regime, special := profile.SimplesRegime, profile.SpecialRegime
	switch {
	case profile.Simples < nfse.SimplesNone || profile.Simples > nfse.SimplesME:
		return &profileFault{profileInvalid, "simples", fact.SimplesUnknown.Fact()}
	case profile.Simples == nfse.SimplesME && regime == nil:
		return &profileFault{"E0166", "simples_regime", fact.SimplesRegimeRequired.Fact()}
	case profile.Simples != nfse.SimplesME && regime != nil:
		return &profileFault{"E0162", "simples_regime", fact.SimplesRegimeForbidden.Fact()}
	case regime != nil && (*regime < 1 || *regime > 3):
		return &profileFault{profileInvalid, "simples_regime", fact.SimplesRegimeUnknown.Fact()}
	case special < 0 || special > 9 || special == 7 || special == 8:
		return &profileFault{profileInvalid, "special_regime", fact.SpecialRegimeUnknown.Fact()}
	case special != 0 && profile.Simples == nfse.SimplesMEI:
		return &profileFault{"E0174", "special_regime", fact.SpecialRegimeOfMEI.Fact()}
	case special != 0 && regime != nil && *regime == 1:
		return &profileFault{"E0175", "special_regime",
			fact.SpecialRegimeWithinSimples.Fact()}
	}
	return nil
}

func seriesFault(profile nfse.FiscalProfile) *profileFault {
	if profile.Series < 1 || profile.Series > schema.MaxSeries {
		return &profileFault{"E0010", "series", fact.SeriesOutOfRange.Fact()}
	}
	return nil
}

// approximateTaxesFault finds what is wrong with the percentages of taxes: each
// kind of issuer informs its own (totTrib), and another's would be lost.
func approximateTaxesFault(profile nfse.FiscalProfile) *profileFault {
	const field = "approximate_taxes"
	taxes := profile.ApproximateTaxes
	for _, part := range []struct {
		code    string
		percent nfse.Percent
	}{{"E0706", taxes.Federal}, {"E0707", taxes.State}, {"E0708", taxes.Municipal}, {profileInvalid, taxes.Simples}} {
		if part.percent < 0 || part.percent > 100_00 {
			return &profileFault{part.code, field, fact.TaxesOutOfRange.Fact()}
		}
	}
	general := taxes.Federal != 0 || taxes.State != 0 || taxes.Municipal != 0
	switch {
	case taxes.Federal+taxes.State+taxes.Municipal > 100_00:
		return &profileFault{profileInvalid, field, fact.TaxesTogetherTooHigh.Fact()}
	case taxes.Simples == 100_00: // TSDec2V2
		return &profileFault{profileInvalid, field, fact.TaxesOfSimplesTooHigh.Fact()}
	case profile.Simples == nfse.SimplesMEI && (general || taxes.Simples != 0):
		return &profileFault{"E0710", field, fact.TaxesOfMEI.Fact()}
	case profile.Simples == nfse.SimplesME && general:
		return &profileFault{profileInvalid, field,
			fact.TaxesMustBeOfSimples.Fact()}
	case profile.Simples == nfse.SimplesNone && taxes.Simples != 0:
		return &profileFault{"E0713", field,
			fact.TaxesMustNotBeOfSimples.Fact()}
	}
	return nil
}

func inactiveMunicipalitiesFault(profile nfse.FiscalProfile) *profileFault {
	for _, code := range profile.InactiveMunicipalities {
		if !schema.ValidMunicipality(code) {
			return &profileFault{profileInvalid, "inactive_municipalities",
				fact.MustBeMunicipalities.With("quoted", strconv.Quote(code))}
		}
	}
	return nil
}
