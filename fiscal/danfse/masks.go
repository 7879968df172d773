package danfse

import (
	"strings"
	"time"
)

// Masks return what they do not know as it is: a page shows what the document
// says.

// masked writes a text into a mask, in which each # stands for a character, when
// it has as many.
func masked(text, mask string) string {
	if len(text) != strings.Count(mask, "#") {
		return text
	}
	var written strings.Builder
	for _, c := range mask {
		if c == '#' {
			written.WriteByte(text[0])
			text = text[1:]
		} else {
			written.WriteRune(c)
		}
	}
	return written.String()
}

func maskCNPJ(text string) string { return maskedASCII(text, "##.###.###/####-##") }
func maskCPF(text string) string  { return maskedASCII(text, "###.###.###-##") }
func maskCEP(text string) string  { return maskedASCII(text, "##.###-###") }
func maskTax(text string) string  { return maskedASCII(text, "##.##.##") }
func maskNBS(text string) string  { return maskedASCII(text, "#.####.##.##") }

// maskedASCII masks a text that is letters and digits only: a mask cuts bytes.
func maskedASCII(text, mask string) string {
	for _, c := range text {
		if !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z') {
			return text
		}
	}
	return masked(text, mask)
}

// phone writes a Brazilian number with its area code.
func maskPhone(text string) string {
	if !digits(text) {
		return text
	}
	switch number, abroad := strings.CutPrefix(text, "55"); {
	case len(text) == 8:
		return masked(text, "####-####")
	case len(text) == 10:
		return masked(text, "(##) ####-####")
	case len(text) == 11:
		return masked(text, "(##) #####-####")
	case abroad && len(number) == 10:
		return masked(number, "+55 (##) ####-####")
	case abroad && len(number) == 11:
		return masked(number, "+55 (##) #####-####")
	}
	return text
}

// date writes 2026-11-21 as 21/11/2026.
func date(text string) string {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day.Format("02/01/2006")
	}
	return text
}

// moment writes a date and time at the offset that it was written with.
func moment(text string) string {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.Format("02/01/2006 15:04:05")
	}
	return text
}

// brasilia rewrites a date and time at the offset of Brasília.
func brasilia(text string) string {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.In(time.FixedZone("", -3*60*60)).Truncate(time.Second).Format(time.RFC3339)
	}
	return text
}

func digits(text string) bool {
	return strings.Trim(text, "0123456789") == ""
}

// firstRunes returns the first characters of a text, at most so many.
func firstRunes(text string, most int) string {
	for i := range text {
		if most == 0 {
			return text[:i]
		}
		most--
	}
	return text
}
