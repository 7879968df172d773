package dps

import (
	"errors"
	"fmt"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/nfse"
)

// dpsID returns the Id of a DPS (TSIdDPS, E0004), 45 characters: DPS,
// municipality, kind of tax id, tax id, series and number, each in its width. It
// refuses a part that does not fit instead of making a well-formed wrong Id, by
// which the authority would find nothing.
func dpsID(municipality string, issuer nfse.TaxID, series int, number int64) (string, error) {
	switch {
	case !schema.ValidMunicipality(municipality):
		return "", errors.New("the issuer's municipality is not a code of 7 digits")
	case series < 1 || series > schema.MaxSeries:
		return "", errors.New("the series is not from 1 to 49999")
	case number < 1 || number > schema.MaxNumber:
		return "", errors.New("the number does not have 1 to 15 digits")
	}
	registration, err := schema.Registration(issuer)
	if err != nil {
		return "", fmt.Errorf("the issuer's %w", err)
	}
	return fmt.Sprintf("DPS%s%s%05d%015d", municipality, registration, series, number), nil
}

// correlationIDOf returns what a DPS carries of its note (cIntContrib), by which
// people can match the two.
func correlationIDOf(noteID string) (string, error) {
	id := fiscal.CorrelationID(strings.TrimPrefix(noteID, string(nfse.PrefixNote)))
	if id == "" || strings.ContainsFunc(id, func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		return "", errors.New("the note's id does not end in letters and digits")
	}
	return id, nil
}
