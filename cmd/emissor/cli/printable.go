package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// OrNone returns nil for the flag value that means none.
func OrNone[T comparable](value T) *T {
	var none T
	if value == none {
		return nil
	}
	return &value
}

// Reais formats an amount in cents with a point before the last two digits.
func Reais(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d", sign, cents/100, cents%100)
}

// ReaisOrDash formats an amount, and one that is not stated as a dash.
func ReaisOrDash(cents *int64) string {
	if cents == nil {
		return "-"
	}
	return Reais(*cents)
}

// Printable writes everything that the program prints to a terminal or a log. Text from
// outside, as the name in a certificate or an authority's message, may contain sequences
// that move a terminal's cursor, or characters that reverse the direction of a line: they
// are written as \u001b is here, which is also how JSON writes them.
type Printable struct{ To io.Writer }

// Write implements io.Writer. Its callers must write whole characters.
func (p Printable) Write(text []byte) (int, error) {
	if !bytes.ContainsFunc(text, hidden) && utf8.Valid(text) {
		return p.To.Write(text)
	}
	var shown bytes.Buffer
	for _, r := range string(text) {
		if !hidden(r) {
			shown.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&shown, `\u%04x`, unit)
		}
	}
	if _, err := p.To.Write(shown.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// hidden reports whether a character is invisible or controls the terminal. Line breaks
// and tabs are not: the program itself writes them.
func hidden(r rune) bool {
	if ' ' <= r && r < 0x7f || r == '\n' || r == '\t' {
		return false
	}
	return !unicode.IsGraphic(r) || unicode.In(r, unicode.Zl, unicode.Zp)
}

// Cell returns a value as text without tabs and line breaks, which would leave its cell.
func Cell(value any) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, fmt.Sprint(value))
}
