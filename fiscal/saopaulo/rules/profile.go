package rules

import (
	"regexp"
	"strings"

	"emissor/nfse"
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
	registration := profile.MunicipalRegistration
	switch {
	case !validTaxID(profile.TaxID):
		return nfse.Invalid("tax_id", "is no CPF or CNPJ with right check digits")
	case profile.MunicipalityCode != Municipality:
		return nfse.Invalid("municipality_code", "must be %s: the city of Sao Paulo issues for its own companies",
			Municipality)
	case registration == nil:
		return nfse.Invalid("municipal_registration", "is required by the city of Sao Paulo: the company's CCM")
	case len(*registration) > 12 || !registrationForm.MatchString(*registration):
		return nfse.Invalid("municipal_registration", "must be the company's CCM: 1 to 12 digits, and no others")
	case profile.Series < 1 || profile.Series > maxSeries:
		return nfse.Invalid("series", "must be from 1 to %d", maxSeries)
	case !isLetterOf(lettersInside, profile.TaxationInside):
		return nfse.Invalid("taxation_inside", "must be one of %s: how services that are taxed in the city are taxed",
			strings.Join(strings.Split(lettersInside, ""), ", "))
	case !isLetterOf(lettersOutside, profile.TaxationOutside):
		return nfse.Invalid("taxation_outside", "must be one of %s: how services that are taxed elsewhere are taxed",
			strings.Join(strings.Split(lettersOutside, ""), ", "))
	case profile.Simples != nfse.SimplesNone:
		return nfse.Invalid("simples", "must be none: the city of Sao Paulo does not issue for companies of Simples "+
			"Nacional any more (641), which issue through the national system (authority national)")
	}
	return nil
}

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
