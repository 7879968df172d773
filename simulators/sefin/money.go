package sefin

import (
	"strconv"
	"strings"
)

// cents reads a TSDec15V2.
func cents(amount string) int64 {
	whole, fraction, _ := strings.Cut(amount, ".")
	value, _ := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	return value
}

// money prints cents as a TSDec15V2.
func money(value int64) string { return strconv.FormatInt(value/100, 10) + "." + twoDigits(value%100) }

func twoDigits(value int64) string {
	if value < 10 {
		return "0" + strconv.FormatInt(value, 10)
	}
	return strconv.FormatInt(value, 10)
}

// share is a percentage (in hundredths of a percent) of an amount in cents,
// rounded half up.
func share(amount, percent int64) int64 { return (amount*percent + 5000) / 10000 }
