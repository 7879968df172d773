// Package cents computes with amounts in cents and shares in hundredths of a percent.
// It is for the simulators.
package cents

import (
	"strconv"
	"strings"
)

// Read reads a decimal of up to two places, such as 1500.5.
func Read(text string) int64 {
	whole, fraction, _ := strings.Cut(text, ".")
	value, _ := strconv.ParseInt(whole+(fraction + "00")[:2], 10, 64)
	return value
}

// Share is a percentage (in hundredths of a percent) of an amount in cents, rounded
// half up.
func Share(amount, percent int64) int64 { return (amount*percent + 5000) / 10000 }

// ShareEven is a percentage (in hundredths of a percent) of an amount in cents, rounded half
// to even. No amount that a document can hold is too large for it.
func ShareEven(amount, percent int64) int64 {
	share, rest := amount/10000*percent, amount%10000*percent
	share, rest = share+rest/10000, rest%10000
	if rest > 5000 || rest == 5000 && share%2 == 1 {
		share++
	}
	return share
}
