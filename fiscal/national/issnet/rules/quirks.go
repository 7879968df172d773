package rules

import (
	"errors"
	"fmt"
	"regexp"

	"emissor/fiscal/cities"
	"emissor/internal/municipality"
	"emissor/nfse"
)

// The quirks that this family alone has.
const (
	// FindOperation is the operation by which a declaration is asked about, where it has the name of
	// the manual: ConsultarNfsePorDps.
	FindOperation cities.Quirk = "find-operation"
	// TestCity is the IBGE code of the issuer's city in the test server, which is on its data.
	TestCity cities.Quirk = "test-city"
)

// Quirks are the quirks of the family.
var Quirks = map[cities.Quirk]cities.Meaning{
	cities.Cancelling: cities.CancellingBy("off", "e101101"),
	FindOperation: {Check: cities.OneOf("ConsultarNfseDps", "ConsultarNfsePorDps"),
		Means: "the operation by which a declaration is asked about"},
	cities.NotFoundCodes: {Check: isCodes, Means: "the codes by which that question finds nothing"},
	TestCity:             {Check: isCity, Means: "the IBGE code that the test server wants of the issuer's city"},
}

var codesForm = regexp.MustCompile(`^[A-Z]{1,2}[0-9]{3,4}(,[A-Z]{1,2}[0-9]{3,4})*$`)

func isCodes(value string) error {
	if !codesForm.MatchString(value) {
		return errors.New("must be codes as E212,E213")
	}
	return nil
}

func isCity(value string) error {
	if !municipality.Exists(value) {
		return fmt.Errorf("must be an IBGE code, which %q is not", value)
	}
	return nil
}

// Issuer is an issuer as the server of an environment knows it: the one test server is on the data
// of a single city.
func Issuer(row cities.Row, issuer nfse.FiscalProfile) nfse.FiscalProfile {
	if city := row.Quirks[TestCity]; city != "" && !issuer.Production {
		issuer.MunicipalityCode = city
	}
	return issuer
}
