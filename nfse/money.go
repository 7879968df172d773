package nfse

import (
	"fmt"
	"strconv"
)

// Reais writes an amount in cents as R$ 1.234,56.
func Reais(cents int64) string { return "R$ " + FormatCents(cents, ".", ",") }

// FormatCents writes an amount in cents, which is not negative, with a separator between thousands and one before the
// cents.
func FormatCents(cents int64, thousands, decimal string) string {
	whole := strconv.FormatInt(cents/100, 10)
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + thousands + whole[at:]
	}
	return fmt.Sprintf("%s%s%02d", whole, decimal, cents%100)
}
