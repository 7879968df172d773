package municipality

import "emissor/nfse"

// Outcome is what the sources together say about a zip code.
type Outcome string

// The outcomes of a look-up.
const (
	Known       Outcome = "known"       // a source knows the zip code
	Unknown     Outcome = "unknown"     // every source was asked and none knows it
	Unavailable Outcome = "unavailable" // none knows it, but not every source could be asked
)

// LookupResult is what a look-up of a zip code found.
type LookupResult struct {
	Outcome  Outcome
	Code     string // IBGE code of the municipality when known
	Decisive bool   // whether a known code overrules a different declared one
}

// Decision is the municipality that a note uses.
type Decision struct {
	Code       string
	Source     nfse.MunicipalitySource
	Verified   bool // a source of zip codes confirms the code
	CheckLater bool // the look-up must be repeated before the note is transmitted
}

// Decide combines the result of a look-up with the code that was declared, "" when none.
// Its errors are *nfse.Error about address.zip_code or municipality_code.
func Decide(result LookupResult, declared string) (Decision, error) {
	if result.Outcome == Known {
		switch {
		case declared == "":
			return Decision{Code: result.Code, Source: nfse.MunicipalityFromZipCode, Verified: result.Decisive}, nil
		case declared == result.Code:
			return Decision{Code: result.Code, Source: nfse.MunicipalityFromZipCode, Verified: true}, nil
		case result.Decisive:
			return Decision{}, conflict(result.Code, declared)
		}
		// A range and the caller disagree, and the services that could decide do not answer.
		result.Outcome = Unavailable
	}
	if declared != "" {
		return Decision{Code: declared, Source: nfse.MunicipalityFromCaller, CheckLater: result.Outcome != Unknown}, nil
	}
	if result.Outcome == Unknown {
		return Decision{}, nfse.NewError(nfse.CodeZipCodeNotFound, "address.zip_code", "the zip code is not known")
	}
	return Decision{}, nfse.Unavailable(nfse.CodeZipCodeLookupUnavailable, "address.zip_code",
		"the zip-code look-up is temporarily unavailable; repeat the request")
}

func conflict(code, declared string) error {
	return nfse.NewError(nfse.CodeMunicipalityConflict, "municipality_code",
		"the zip code belongs to %s, not to %s", describe(code), describe(declared))
}

// describe returns a municipality for people, such as "São Paulo/SP (3550308)".
func describe(code string) string {
	if m, found := Find(code); found {
		return m.String() + " (" + code + ")"
	}
	return code
}
