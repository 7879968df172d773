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

// Answer is the result of a look-up.
type Answer struct {
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

// Decide combines the answer of a look-up with the code that the caller declared, ""
// when none. Its errors are *nfse.Error.
func Decide(answer Answer, declared string) (Decision, error) {
	if answer.Outcome == Known {
		switch {
		case declared == "":
			return Decision{Code: answer.Code, Source: nfse.MunicipalityFromZipCode, Verified: answer.Decisive}, nil
		case declared == answer.Code:
			return Decision{Code: answer.Code, Source: nfse.MunicipalityFromZipCode, Verified: true}, nil
		case answer.Decisive:
			return Decision{}, conflict(answer.Code, declared)
		}
		// A range and the caller disagree while the services that could settle it are out.
		answer.Outcome = Unavailable
	}
	if declared != "" {
		return Decision{
			Code: declared, Source: nfse.MunicipalityFromCaller, CheckLater: answer.Outcome != Unknown,
		}, nil
	}
	if answer.Outcome == Unknown {
		return Decision{}, nfse.NewError(nfse.CodeZipCodeNotFound, "customer.address.zip_code",
			"the zip code is not known; send customer.municipality_code as well")
	}
	return Decision{}, nfse.Unavailable(nfse.CodeZipCodeLookupUnavailable, "customer.address.zip_code",
		"the zip-code look-up is temporarily unavailable; "+
			"repeat the request, or send customer.municipality_code as well")
}

func conflict(code, declared string) error {
	return nfse.NewError(nfse.CodeMunicipalityConflict, "customer.municipality_code",
		"the zip code belongs to %s, not to %s", describe(code), describe(declared))
}

// describe returns a municipality for people, such as "São Paulo/SP (3550308)".
func describe(code string) string {
	if m, found := Find(code); found {
		return m.String() + " (" + code + ")"
	}
	return code
}
