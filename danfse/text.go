package danfse

import (
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// characters are those that a page can show: the layout allows only Latin-1,
// which is among them.
var characters = charmap.Windows1252

// printable returns a text in the characters that a page can show, on one line. A
// letter whose accent is unknown loses it; any other foreign character is a
// question mark, and what has no shape of its own is left out.
func printable(text string) string {
	return strings.Join(strings.Fields(strings.Join(printableLines(text), " ")), " ")
}

// printableLines does the same of each line of a text.
func printableLines(text string) []string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	lines := strings.Split(strings.Trim(norm.NFC.String(text), "\n"), "\n")
	for i, line := range lines {
		var shown strings.Builder
		for _, r := range line {
			shown.WriteString(shape(r))
		}
		lines[i] = strings.TrimRight(shown.String(), " ")
	}
	return lines
}

func shape(r rune) string {
	_, known := characters.EncodeRune(r)
	switch {
	case unicode.IsSpace(r), unicode.IsControl(r):
		return " "
	case r == '\u00ad', unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Variation_Selector):
		return ""
	case known:
		return string(r)
	}
	var plain strings.Builder
	for _, part := range norm.NFKD.String(string(r)) {
		if _, known := characters.EncodeRune(part); known && part > ' ' {
			plain.WriteRune(part)
		}
	}
	if plain.Len() > 0 {
		return plain.String()
	}
	return "?"
}

// encode returns a printable text in the bytes that the page's fonts take.
func encode(text string) string {
	encoded := make([]byte, 0, len(text))
	for _, r := range text {
		b, known := characters.EncodeRune(r)
		if !known {
			b = '?'
		}
		encoded = append(encoded, b)
	}
	return string(encoded)
}
