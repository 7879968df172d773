package catalogue

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"emissor/internal/municipality"
	"emissor/nfse"
)

// The fields of a service, in the order of the contract's section 2.1.

// ServiceName is the Rule of a service's name: 2 to 80 characters.
func ServiceName(s string) (string, error) { return name(s, 2, 80) }

// Description is the Rule of what is printed on a note: 3 to 2000 characters,
// in any number of lines.
func Description(s string) (string, error) { return lines(s, 3, 2000) }

// MunicipalityCode is the Rule of the IBGE code of a municipality that exists.
func MunicipalityCode(s string) (string, error) {
	code, err := IBGECode(s)
	if err == nil && !municipality.Exists(code) {
		err = errors.New("is not the IBGE code of a municipality")
	}
	return code, err
}

var ibgeCodeForm = whole(`[0-9]{7}`)

// IBGECode is the Rule of the form of such a code. Whether there is such a
// municipality may change with the directory.
func IBGECode(s string) (string, error) {
	return pattern(s, ibgeCodeForm, "", "must be an IBGE code of 7 digits")
}

// AmountCents reads a whole number of cents, without fraction or exponent.
func AmountCents(digits string) (int64, error) {
	cents, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0, errAmountCents
	}
	return cents, CheckAmountCents(cents)
}

// CheckAmountCents checks that an amount is from 1 cent to nfse.MaxAmountCents.
func CheckAmountCents(cents int64) error {
	if cents < 1 || cents > nfse.MaxAmountCents {
		return errAmountCents
	}
	return nil
}

// Competence is the Rule of a day of competence that a person sets.
func Competence(s string) (string, error) {
	day, err := nfse.ParseDay(s)
	return string(day), err
}

var errAmountCents = fmt.Errorf("must be an integer of cents from 1 to %d", nfse.MaxAmountCents)

var nationalTaxCodeForm = whole(`[0-9]{6}|[0-9]{2}\.[0-9]{2}\.[0-9]{2}`)

// NationalTaxCode is the Rule of a code of the national list of services:
// 010701, or 01.07.01.
func NationalTaxCode(s string) (string, error) {
	return pattern(s, nationalTaxCodeForm, ".", "must be 6 digits, as 010701 or 01.07.01")
}

var municipalTaxCodeForm = whole(`[0-9]{4,5}`)

// MunicipalTaxCode is the Rule of a code of the municipality's own list.
func MunicipalTaxCode(s string) (string, error) {
	return pattern(s, municipalTaxCodeForm, "", "must be 4 or 5 digits")
}

// MunicipalTaxation is the Rule of the letter by which the municipality marks how it
// taxes a service: T or F.
func MunicipalTaxation(s string) (string, error) { return oneOf(s, "T", "F") }

// The fields of a customer, in the order of the contract's section 2.2.

// TaxID is the Rule of a CPF or CNPJ, kept without its mask.
func TaxID(s string) (string, error) {
	id, err := nfse.ParseTaxID(s)
	return string(id), err
}

// CustomerName is the Rule of a customer's name: 1 to 150 characters.
func CustomerName(s string) (string, error) { return name(s, 1, 150) }

// Nickname is the Rule of what a customer is called: 1 to 80 characters.
func Nickname(s string) (string, error) { return name(s, 1, 80) }

const hostLabel = `[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?`

var emailForm = whole(`[A-Za-z0-9.!#$%&'*+/=?^_{|}~-]+@` + hostLabel + `(?:\.` + hostLabel + `)+`)

// Email is the Rule of an e-mail address: up to 80 characters.
func Email(s string) (string, error) {
	if _, err := line(s, 1, 80); err != nil {
		return "", err
	}
	return pattern(s, emailForm, "", "must be an e-mail address")
}

// StreetType is the Rule of the type of a street, as Avenida: 1 to 20 characters.
func StreetType(s string) (string, error) { return line(s, 1, 20) }

// maxStreet is how many characters a fiscal document takes of a street with its type (xLgr).
const maxStreet = 255

// Street is the Rule of a street: 1 to 255 characters. See CheckStreet.
func Street(s string) (string, error) { return line(s, 1, maxStreet) }

// CheckStreet checks that a street and its type fit into one field together.
// Its error reads after the name of the street.
func CheckStreet(address nfse.Address) error {
	if address.StreetType == nil || address.Street == nil {
		return nil
	}
	if characters(*address.StreetType+*address.Street) > maxStreet {
		return fmt.Errorf("together with its street_type must have at most %d characters", maxStreet)
	}
	return nil
}

// Number is the Rule of the number of a house: 1 to 60 characters.
func Number(s string) (string, error) { return line(s, 1, 60) }

// District is the Rule of a district: 1 to 60 characters.
func District(s string) (string, error) { return line(s, 1, 60) }

var zipCodeForm = whole(`[0-9]{5}-?[0-9]{3}`)

// ZipCode is the Rule of a zip code (CEP): 01310-100, kept as 01310100.
func ZipCode(s string) (string, error) {
	return pattern(s, zipCodeForm, "-", "must be a zip code of 8 digits")
}

// Complement is the Rule of what completes an address: 1 to 156 characters.
func Complement(s string) (string, error) { return line(s, 1, 156) }

// The further fields of an issuance and of a cancellation, in the order of the
// contract's sections 4.1 and 4.2.

// Reference is the Rule of the caller's name for a charge, 1 to 200 characters. None of
// them may be invisible, so that equal names are equal texts.
func Reference(s string) (string, error) {
	if strings.TrimSpace(s) != s {
		return "", errors.New("must not begin or end with a space")
	}
	if strings.ContainsFunc(s, misleading) {
		return "", errors.New("must not hold format characters, separators of lines or paragraphs, " +
			"or spaces other than U+0020")
	}
	return line(s, 1, 200)
}

// ID is the Rule of an id: any text. A malformed id names nothing, and gets the same
// answer as an unknown one.
func ID(s string) (string, error) { return s, nil }

// Scenario is the Rule of the outcome of a note of the test environment.
func Scenario(s string) (string, error) {
	return oneOf(s, string(nfse.ScenarioAuthorized), string(nfse.ScenarioRejected), string(nfse.ScenarioSlow))
}

// ReasonCode is the Rule of why a note is cancelled: 1 an error in issuing, 2
// service not rendered, 9 others (TSCodJustCanc).
func ReasonCode(s string) (string, error) { return oneOf(s, "1", "2", "9") }

// ReasonText is the Rule of the reason in words, 15 to 255 characters, kept
// without the space around it.
func ReasonText(s string) (string, error) { return line(strings.TrimSpace(s), 15, 255) }
