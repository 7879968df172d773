package rules

import (
	"regexp"
	"strings"

	"emissor/nfse"
	"emissor/nfse/fact"
)

const (
	// Name is the city's in fiscal profiles, task queues and metrics.
	Name = "sao-paulo"
	// Municipality is the city's IBGE code.
	Municipality = "3550308"

	// ExactHolder: the CNPJ of a certificate must be that of the issuer (error 1107), and not
	// of another establishment of the company. See fiscal.Holder.
	ExactHolder = true

	maxSeries = 99999 // five digits
)

var registrationForm = regexp.MustCompile(`^0*[1-9][0-9]{0,11}$`)

// ValidateProfile refuses a fiscal profile that no note could be issued with by
// the city. The error is an *nfse.Error: its Field is the profile's, in
// snake_case, and its Message reads after that name.
func ValidateProfile(profile nfse.FiscalProfile) error {
	if defect := findProfileDefect(profile); defect != nil {
		return nfse.Invalid(defect.field, "%s", defect.reason)
	}
	return nil
}

// profileDefect is what is wrong with a fiscal profile: the field that is wrong, and why, which
// is said after its name.
type profileDefect struct {
	field  string
	reason fact.Fact
}

// findProfileDefect finds the first defect of a profile, nil when there is none.
func findProfileDefect(profile nfse.FiscalProfile) *profileDefect {
	registration := profile.MunicipalRegistration
	switch {
	case !validTaxID(profile.TaxID):
		return &profileDefect{"tax_id", fact.MustBeTaxID.Fact()}
	case profile.MunicipalityCode != Municipality:
		return &profileDefect{"municipality_code", fact.CityIsAnother.With("municipality", Municipality)}
	case registration == nil:
		return &profileDefect{"municipal_registration", fact.CityRegistrationRequired.Fact()}
	case len(*registration) > 12 || !registrationForm.MatchString(*registration):
		return &profileDefect{"municipal_registration", fact.CityRegistrationForm.Fact()}
	case profile.Series < 1 || profile.Series > maxSeries:
		return &profileDefect{"series", fact.CitySeriesOutOfRange.With("most", maxSeries)}
	case !isLetterOf(lettersInside, profile.TaxationInside):
		return &profileDefect{"taxation_inside", fact.CityTaxationInsideUnknown.With("letters", listed(lettersInside))}
	case !isLetterOf(lettersOutside, profile.TaxationOutside):
		return &profileDefect{"taxation_outside",
			fact.CityTaxationOutsideUnknown.With("letters", listed(lettersOutside))}
	case profile.OwnContributions != nil:
		return &profileDefect{"own_contributions", fact.CityHasNoOwnContributions.Fact()}
	case profile.Simples != nfse.SimplesNone:
		return &profileDefect{"simples", fact.CityIssuesOutsideSimples.Fact()}
	}
	return nil
}

func listed(letters string) string { return strings.Join(strings.Split(letters, ""), ", ") }

func validTaxID(id nfse.TaxID) bool {
	parsed, err := nfse.ParseTaxID(string(id))
	return err == nil && parsed == id
}

// states are the abbreviations of states by the first two digits of their
// municipalities' codes.
var states = map[string]string{
	"11": "RO", "12": "AC", "13": "AM", "14": "RR", "15": "PA", "16": "AP", "17": "TO", "21": "MA", "22": "PI",
	"23": "CE", "24": "RN", "25": "PB", "26": "PE", "27": "AL", "28": "SE", "29": "BA", "31": "MG", "32": "ES",
	"33": "RJ", "35": "SP", "41": "PR", "42": "SC", "43": "RS", "50": "MS", "51": "MT", "52": "GO", "53": "DF",
}

// StateOf returns the abbreviation of a municipality's state; empty when its code
// is none.
func StateOf(municipality string) string {
	if len(municipality) != 7 || strings.Trim(municipality, "0123456789") != "" {
		return ""
	}
	return states[municipality[:2]]
}
