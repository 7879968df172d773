package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Folded is a text in small letters and without accents, by which texts that are written differently
// are compared.
func Folded(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(s))
}
