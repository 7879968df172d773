package national

import (
	"errors"
	"fmt"
	"strings"

	"emissor/fiscal"
	"emissor/nfse"
)

// maxNumber is the greatest number of a DPS: 15 digits.
const maxNumber = 999_999_999_999_999

// idOfDPS is the Id of a DPS (TSIdDPS, E0004), 45 characters: DPS, municipality,
// kind of document, document, series and number, each in its width. It refuses
// a part that does not fit instead of making a well-formed wrong Id, which the
// authority would know nothing of.
func idOfDPS(municipality string, issuer nfse.TaxID, series int, number int64) (string, error) {
	switch {
	case !municipalityForm.MatchString(municipality):
		return "", errors.New("the issuer's municipality is not a code of 7 digits")
	case series < 1 || series > 49999:
		return "", errors.New("the series is not from 1 to 49999")
	case number < 1 || number > maxNumber:
		return "", errors.New("the number does not have 1 to 15 digits")
	}
	registration, err := registrationOf(issuer)
	if err != nil {
		return "", fmt.Errorf("the issuer's %w", err)
	}
	return fmt.Sprintf("DPS%s%s%05d%015d", municipality, registration, series, number), nil
}

// registrationOf is a document as identifiers and access keys have it, 15
// characters: 1 and a CPF padded with 000, or 2 and a CNPJ.
func registrationOf(document nfse.TaxID) (string, error) {
	switch {
	case !sound(document):
		return "", errors.New("document is not a valid CPF or CNPJ")
	case document.IsCNPJ():
		return "2" + string(document), nil
	}
	return "1000" + string(document), nil
}

// internalCode is our own note id in a DPS (cIntContrib), by which people can
// match the two: its last 20 characters, which hold all that is random.
func internalCode(noteID string) (string, error) {
	code := fiscal.Mark(strings.TrimPrefix(noteID, string(nfse.PrefixNote)))
	if code == "" || strings.ContainsFunc(code, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		return "", errors.New("the note's id does not end in letters and digits")
	}
	return code, nil
}
