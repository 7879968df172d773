package national

import (
	"fmt"
	"regexp"

	"emissor/nfse"
)

// profileFault is what is wrong with a fiscal profile: the field that is at
// fault, in words that read after its name, and the rule of the authority that
// such a document would break.
type profileFault struct {
	code, field, words string
}

// ValidateProfile refuses a fiscal profile that no document could be issued
// with. Whether its municipality exists is checked where municipalities are
// known. The error is an *nfse.Error whose message reads after the field's name.
func ValidateProfile(profile nfse.FiscalProfile) error {
	if fault := faultOf(profile); fault != nil {
		return nfse.Invalid(fault.field, "%s", fault.words)
	}
	return nil
}

var (
	municipalityForm = regexp.MustCompile(`^[0-9]{7}$`)
	// The schema takes any 15 characters (TSInscMun); cities use these.
	registrationForm = regexp.MustCompile(`^[0-9A-Za-z./-]{1,15}$`)
)

// faultOf finds the first fault of a profile, nil when there is none.
func faultOf(profile nfse.FiscalProfile) *profileFault {
	regime, special := profile.SimplesRegime, profile.SpecialRegime
	switch {
	case !sound(profile.TaxID):
		code := "E0096"
		if profile.TaxID.IsCNPJ() {
			code = "E0080"
		}
		return &profileFault{code, "tax_id", "is no CPF or CNPJ with right check digits"}
	case !municipalityForm.MatchString(profile.MunicipalityCode):
		return &profileFault{"E0037", "municipality_code", "must be the 7-digit IBGE code of a municipality"}
	case profile.MunicipalRegistration != nil && !registrationForm.MatchString(*profile.MunicipalRegistration):
		return &profileFault{"fiscal_profile_invalid", "municipal_registration", "must have 1 to 15 letters, digits, dots, hyphens or slashes"}
	case profile.SendMunicipalRegistration && profile.MunicipalRegistration == nil:
		return &profileFault{"E0116", "municipal_registration", "is to be sent, but there is none"}
	case profile.Simples < nfse.SimplesNone || profile.Simples > nfse.SimplesME:
		return &profileFault{"fiscal_profile_invalid", "simples", "must be none, mei or me"}
	case profile.Simples == nfse.SimplesME && regime == nil:
		return &profileFault{"E0166", "simples_regime", "is required of an ME or EPP (simples me): 1, 2 or 3"}
	case profile.Simples != nfse.SimplesME && regime != nil:
		return &profileFault{"E0162", "simples_regime", "is only for an ME or EPP (simples me)"}
	case regime != nil && (*regime < 1 || *regime > 3):
		return &profileFault{"fiscal_profile_invalid", "simples_regime", "must be 1, 2 or 3"}
	case special < 0 || special > 9 || special == 7 || special == 8:
		return &profileFault{"fiscal_profile_invalid", "special_regime", "must be 0 to 6, or 9"}
	case special != 0 && profile.Simples == nfse.SimplesMEI:
		return &profileFault{"E0174", "special_regime", "must be 0 for an MEI (simples mei)"}
	case special != 0 && regime != nil && *regime == 1:
		return &profileFault{"E0175", "special_regime", "must be 0 for an ME or EPP whose taxes are all assessed within Simples (regime 1)"}
	case profile.Series < 1 || profile.Series > 49999:
		return &profileFault{"E0010", "series", "must be from 1 to 49999, the range of an issuer's own software"}
	}
	if fault := taxesFault(profile); fault != nil {
		return fault
	}
	for _, code := range profile.InactiveMunicipalities {
		if !municipalityForm.MatchString(code) {
			return &profileFault{"fiscal_profile_invalid", "inactive_municipalities", fmt.Sprintf("must be the 7-digit IBGE code of a municipality, not %q", code)}
		}
	}
	return nil
}

// taxesFault finds what is wrong with the percentages of taxes: each kind of
// issuer informs its own (totTrib), and informing another's would be lost.
func taxesFault(profile nfse.FiscalProfile) *profileFault {
	taxes := profile.ApproximateTaxes
	general := []nfse.Percent{taxes.Federal, taxes.State, taxes.Municipal}
	for i, percent := range append(general, taxes.Simples) {
		if percent < 0 || percent > 100_00 {
			code := [...]string{"E0706", "E0707", "E0708", "fiscal_profile_invalid"}[i]
			return &profileFault{code, "approximate_taxes", "must be from 0 to 100.00 percent"}
		}
	}
	if taxes.Simples == 100_00 { // TSDec2V2
		return &profileFault{"fiscal_profile_invalid", "approximate_taxes", "of Simples must be at most 99.99 percent"}
	}
	hasGeneral := taxes.Federal != 0 || taxes.State != 0 || taxes.Municipal != 0
	switch {
	case profile.Simples == nfse.SimplesMEI && (hasGeneral || taxes.Simples != 0):
		return &profileFault{"E0710", "approximate_taxes", "must not be given for an MEI (simples mei)"}
	case profile.Simples == nfse.SimplesME && hasGeneral:
		return &profileFault{"fiscal_profile_invalid", "approximate_taxes", "must be the one percentage of Simples for an ME or EPP (simples me)"}
	case profile.Simples == nfse.SimplesNone && taxes.Simples != 0:
		return &profileFault{"E0713", "approximate_taxes", "must be federal, state and municipal for an issuer outside Simples (simples none)"}
	}
	return nil
}

// sound reports whether a document is bare and its check digits are right.
func sound(document nfse.TaxID) bool {
	parsed, err := nfse.ParseTaxID(string(document))
	return err == nil && parsed == document
}
