package text

import (
	"strings"
	"unicode"
)

// Shown is what another system said, on one line: without what neither a database nor a
// page can take, or what would control a reader's screen.
func Shown(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == unicode.ReplacementChar || !unicode.IsPrint(r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// Shortened is a text of at most so many characters, the last of which says that more
// followed where it did.
func Shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return s
}
