package nfse

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
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

// Rate is an ISS rate in hundredths of a percent: 201 is 2.01 %.
type Rate int

// MaxRate is the highest ISS rate that the law allows (LC 116, art. 8): 5 %.
const MaxRate Rate = 500

var rateForm = regexp.MustCompile(`^(0|[1-9][0-9]{0,3})(\.[0-9]{1,2})?$`)

// ParseRate reads a JSON number of percent, with at most two decimals, greater
// than 0 and at most 5, without passing through a float.
func ParseRate(number string) (Rate, error) {
	if !rateForm.MatchString(number) {
		return 0, errors.New("must be a number with at most two decimals")
	}
	whole, decimals, _ := strings.Cut(number, ".")
	hundredths, err := strconv.Atoi(whole + (decimals + "00")[:2])
	if err != nil || hundredths <= 0 || Rate(hundredths) > MaxRate {
		return 0, errors.New("must be greater than 0 and at most 5")
	}
	return Rate(hundredths), nil
}

// String prints the shortest exact form: 2.01, 2.5, 5.
func (r Rate) String() string {
	s := fmt.Sprintf("%d.%02d", r/100, r%100)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}

// MarshalJSON implements json.Marshaler.
func (r Rate) MarshalJSON() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (r *Rate) UnmarshalJSON(b []byte) error {
	parsed, err := ParseRate(string(b))
	*r = parsed
	return err
}
