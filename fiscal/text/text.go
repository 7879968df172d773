// Package text makes texts of people fit for fiscal documents, which carry the
// characters of Latin-1 only, without controls, and no space at either end. The
// note keeps what the caller sent.
package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"emissor/nfse"
)

// Line makes a text fit for an element of one line: line breaks, tabs and runs of
// spaces are one space each. It is empty when no character of it could be carried.
func Line(s string) string {
	return strings.Join(strings.Fields(latin1(s)), " ")
}

// Lines does so line by line, for a description, whose lines end in LF.
func Lines(s string) string {
	lines := strings.Split(lineBreaks.Replace(latin1(s)), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// StreetLine joins the kind of street and its name.
func StreetLine(address nfse.Address) string {
	var parts []string
	for _, part := range []*string{address.StreetType, address.Street} {
		if part != nil {
			parts = append(parts, *part)
		}
	}
	return Line(strings.Join(parts, " "))
}

// Cut shortens a text, already fit, to so many characters.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if runes := []rune(s); len(runes) > most {
		return strings.TrimRight(string(runes[:most]), " ")
	}
	return s
}

var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n")

// latin1 writes a text in composed Latin-1: other spellings of a character become
// its plain one, a letter that has none loses its diacritics, and what is left is
// a question mark. Spaces and line breaks stay, as ASCII has them. A text of
// nothing but replaced characters becomes empty.
func latin1(s string) string {
	if isPlain(s) {
		return s
	}
	var out strings.Builder
	carried := false
	for _, c := range norm.NFC.String(s) {
		plain, ok := plainOf(c)
		carried = carried || ok && strings.TrimSpace(plain) != ""
		out.WriteString(plain)
	}
	if !carried {
		return ""
	}
	return out.String()
}

// isPlain reports whether a text needs no change, which spares most the work.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// plainOf returns how a character of a composed text is written; not ok when it
// can only be replaced.
func plainOf(c rune) (plain string, ok bool) {
	if isLatin1(c) {
		return string(c), true
	}
	if plain, known := plainForms[c]; known {
		return plain, true
	}
	switch {
	case c == '\n', c == '\r', c == '\v', c == '\f':
		return string(c), true
	case c == '\u0085', c == '\u2028', c == '\u2029':
		return "\n", true
	case unicode.IsControl(c), unicode.Is(unicode.Zs, c):
		return " ", true
	case unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf): // marks left over, joiners, directions
		return "", true
	}
	var base strings.Builder
	for _, part := range norm.NFKD.String(string(c)) {
		known, isKnown := plainForms[part]
		switch {
		case unicode.Is(unicode.Mn, part):
		case isLatin1(part):
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

// isLatin1 reports whether a document carries a character as it is. The soft
// hyphen is an instruction, and the no-break space a space.
func isLatin1(c rune) bool {
	return c >= ' ' && c <= '~' || c > '\u00a0' && c <= '\u00ff' && c != '\u00ad'
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
