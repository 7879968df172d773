package xmlread

import (
	"strconv"
	"strings"
)

// Cents reads an amount as fiscal documents write it: at most 15 digits, and at most two places
// after a point.
func Cents(amount string) (cents int64, ok bool) {
	whole, places, _ := strings.Cut(amount, ".")
	if whole == "" || len(whole) > 15 || len(places) > 2 || strings.Trim(whole+places, "0123456789") != "" {
		return 0, false
	}
	cents, err := strconv.ParseInt(whole+(places + "00")[:2], 10, 64)
	return cents, err == nil
}
