package saopaulotest

import (
	"strings"
	"unicode/utf8"
)

// Refused returns the characters of a message that the city is known to refuse (1001), each
// once; empty when it takes all. Its schema names no set; it takes Latin-1 without the signs
// of ordinals, as those who issue there report: the long dash and º and ª were refused.
// A control, a soft hyphen or a space of another kind is not visible to a person.
func Refused(message []byte) (refused string) {
	for _, c := range string(message) {
		plain := c >= ' ' && c <= '~'
		sign := c > '\u00a0' && c <= '\u00ff' && c != '\u00ad' && c != 'º' && c != 'ª'
		if !plain && !sign && !strings.ContainsRune(refused, c) {
			refused += string(c)
		}
	}
	if !utf8.Valid(message) {
		refused += " (not UTF-8)"
	}
	return refused
}
