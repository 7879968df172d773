package danfse

import (
	"strconv"
	"strings"

	"emissor/internal/xmlread"
)

// reais writes 1234.5 as R$ 1.234,50.
func reais(text string) string { return prefixed("R$ ", decimal(text), "") }

// percent writes 2.5 as 2,50 %.
func percent(text string) string { return prefixed("", decimal(text), " %") }

func prefixed(before, text, after string) string {
	if text == "" {
		return ""
	}
	return before + text + after
}

// decimal writes a number of the XML with two places, as Brazilians do. What is
// no number stays as it is.
func decimal(text string) string {
	whole, places, _ := strings.Cut(text, ".")
	if whole == "" || !digits(whole) || !digits(places) {
		return text
	}
	whole = strings.TrimLeft(whole[:len(whole)-1], "0") + whole[len(whole)-1:]
	var grouped strings.Builder
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			grouped.WriteByte('.')
		}
		grouped.WriteRune(digit)
	}
	return grouped.String() + "," + places + strings.Repeat("0", max(0, 2-len(places)))
}

// sum adds amounts; empty ones count as nothing, and nothing but those is empty.
// An amount that is no number makes the sum unknown.
func sum(amounts ...string) string {
	total, any := int64(0), false
	for _, amount := range amounts {
		if amount == "" {
			continue
		}
		cents, ok := xmlread.Cents(amount)
		if !ok {
			return ""
		}
		total, any = total+cents, true
	}
	if !any {
		return ""
	}
	return decimalOfCents(strconv.FormatInt(total, 10))
}
