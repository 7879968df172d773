package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// In writes a text in the characters that something carries, which include ASCII at least. Other spellings of a
// character become its plain one, a letter that is not carried loses its diacritics, and any other is written as a
// question mark. Format characters and marks that do not compose are left out; every space is a space, and every line
// break LF. carried says whether any visible character is carried.
func In(carries func(rune) bool, s string) (written string, carried bool) {
	var out strings.Builder
	for _, c := range norm.NFC.String(lineBreaks.Replace(s)) {
		plain, ok := plainOf(carries, c)
		carried = carried || ok && strings.TrimSpace(plain) != ""
		out.WriteString(plain)
	}
	return out.String(), carried
}

// plainOf returns how a character of a composed text is written; not ok when it
// can only be replaced.
func plainOf(carries func(rune) bool, c rune) (plain string, ok bool) {
	switch {
	case c == '\n':
		return "\n", true
	case unicode.IsControl(c), unicode.Is(unicode.Zs, c):
		return " ", true
	case unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf): // marks left over, joiners, directions
		return "", true
	case carries(c):
		return string(c), true
	}
	if plain, known := plainForms[c]; known {
		return plain, true
	}
	var base strings.Builder
	for _, part := range norm.NFKD.String(string(c)) {
		known, isKnown := plainForms[part]
		switch {
		case unicode.Is(unicode.Mn, part):
		case carries(part):
			base.WriteRune(part)
		case isKnown:
			base.WriteString(known)
		default:
			return "?", false
		}
	}
	if base.Len() == 0 {
		return "?", false
	}
	return base.String(), true
}

// plainForms are characters that no decomposition makes plain.
var plainForms = map[rune]string{
	'\u2018': "'", '\u2019': "'", '\u201a': "'", '\u201b': "'",
	'\u2032': "'", '\u2039': "'", '\u203a': "'", '\u02bc': "'",
	'\u201c': `"`, '\u201d': `"`, '\u201e': `"`, '\u201f': `"`, '\u2033': `"`,
	'\u2010': "-", '\u2011': "-", '\u2012': "-", '\u2013': "-",
	'\u2014': "-", '\u2015': "-", '\u2212': "-", '\u2043': "-",
	'\u2022': "-", '\u2044': "/", '\u2215': "/", '\u2026': "...", '\u20ac': "EUR",
	'\u0152': "OE", '\u0153': "oe", '\u0141': "L", '\u0142': "l",
	'\u0110': "D", '\u0111': "d", '\u0126': "H", '\u0127': "h",
	'\u0131': "i", '\u1e9e': "SS",
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n",
	"\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
