package format

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"emissor/dashboard/words"
)

var (
	amountForm    = regexp.MustCompile(`^[0-9]{1,13}$|^[0-9]{1,3}([.,][0-9]{3}){1,4}$`)
	errAmountForm = errors.New("format: it is no amount")
)

// ParseAmount reads an amount as people type it, as 1.234,56 or 1234.56 or R$ 150,
// and returns its cents. The last mark is the decimal one where one or two digits follow.
func ParseAmount(text string) (cents int64, err error) {
	text = strings.NewReplacer("R$", "", " ", "", "\u00a0", "").Replace(text)
	whole, decimals := text, ""
	if at := strings.LastIndexAny(text, ".,"); at >= 0 && len(text)-at <= 3 {
		whole, decimals = text[:at], text[at+1:]
		if decimals == "" {
			return 0, errAmountForm
		}
	}
	if !amountForm.MatchString(whole) {
		return 0, errAmountForm
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	return strconv.ParseInt(whole+(decimals + "00")[:2], 10, 64)
}

// Percent writes a percentage, as 2,01.
func Percent(language words.Language, number string) string {
	if language == words.English {
		return number
	}
	return strings.Replace(number, ".", ",", 1)
}

// ParsePercent rewrites a percentage as people type it, as 2,01 %, with a decimal point.
func ParsePercent(text string) string {
	return strings.Replace(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "%")), ",", ".", 1)
}
