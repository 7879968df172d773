package text

import (
	"strings"

	"emissor/nfse"
)

// Line makes a text fit for an element of a fiscal document, of one line: line breaks,
// tabs and runs of spaces are one space each. It is empty when no character of it could
// be carried.
func Line(s string) string {
	return strings.Join(strings.Fields(latin1(s)), " ")
}

// Lines does so line by line, for a description, whose lines end in LF.
func Lines(s string) string {
	lines := strings.Split(latin1(s), "\n")
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

// Cut shortens a text, already fit, to as many characters as an element carries.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if runes := []rune(s); len(runes) > most {
		return strings.TrimRight(string(runes[:most]), " ")
	}
	return s
}

// latin1 writes a text in composed Latin-1. A text of nothing but replaced characters
// becomes empty.
func latin1(s string) string {
	if isPlain(s) {
		return s
	}
	written, carried := In(isLatin1, s)
	if !carried {
		return ""
	}
	return written
}

// isPlain reports whether a text needs no change, as most do not.
func isPlain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isLatin1 reports whether a document carries a character as it is. The soft
// hyphen is an instruction, and the no-break space a space.
func isLatin1(c rune) bool {
	return c >= ' ' && c <= '~' || c > '\u00a0' && c <= '\u00ff' && c != '\u00ad'
}
