package rules

import (
	"regexp"
	"strings"

	"emissor/fiscal"
)

// Handling returns what a rejection with this code asks for: what the table of repairs and
// the catalogue say, which do not have E999, the authority's own word for a failure that it has not
// catalogued. The complement is the validator's text that comes with a code of the
// schema.
func Handling(code, complement string) fiscal.Handling {
	if (code == "E1235" || code == "RNG6110") && LayoutAskedFor(complement) != "" {
		return fiscal.SignAgain
	}
	if ofSettings(code) {
		return fiscal.NeedsPerson
	}
	return Catalogue.Handling(code)
}

// LayoutAskedFor returns the layout that the authority's schema wants, by the
// complement of a rejection: nt009 where it expected an element that only the
// layout of technical note NT 009 has. Empty when it does not say.
func LayoutAskedFor(complement string) string {
	_, expected, _ := strings.Cut(strings.ToLower(complement), "expected")
	if strings.Contains(expected, "finnfse") {
		return "nt009"
	}
	return ""
}

var codeForm = regexp.MustCompile(`^[A-Z]{1,4}[0-9]{3,5}$`)

// IsCode reports whether a text has the form of the authority's codes: E0014, RNG6110.
func IsCode(text string) bool { return codeForm.MatchString(text) }
