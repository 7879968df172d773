package danfse

import (
	"strings"

	"golang.org/x/text/encoding/charmap"

	"emissor/internal/text"
)

// characters are those that a page can show: the layout allows only Latin-1,
// which is among them.
var characters = charmap.Windows1252

// printable returns a text in the characters that a page can show, on one line.
func printable(s string) string { return strings.Join(strings.Fields(shown(s)), " ") }

// printableLines returns the lines of a text in those characters.
func printableLines(s string) []string {
	lines := strings.Split(strings.Trim(shown(s), "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return lines
}

func shown(s string) string {
	written, _ := text.In(func(r rune) bool { _, known := characters.EncodeRune(r); return known }, s)
	return written
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
