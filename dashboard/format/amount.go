package format

import (
	"errors"
	"regexp"
	"strconv"
	"strings"

	"emissor/dashboard/words"
	"emissor/nfse"
)

var (
	wholeForm    = regexp.MustCompile(`^(?:[0-9]+|[1-9][0-9]{0,2}(?:\.[0-9]{3})+|[1-9][0-9]{0,2}(?:,[0-9]{3})+)$`)
	decimalsForm = regexp.MustCompile(`^[0-9]{1,2}$`)
	errMoney     = errors.New("format: no amount of money")
)

// ParseMoney reads an amount of money as people type it, in cents: 1250, 1250,5, 1250.50,
// 1.250,50, 1,250.50, R$ 1.250,50. A mark with one or two digits behind it is the decimal one.
// One with three is of thousands, as Brazilians write them: 1.250 is one thousand, two hundred
// and fifty.
func ParseMoney(text string) (cents int64, err error) {
	whole := strings.NewReplacer("R$", "", " ", "", "\u00a0", "").Replace(strings.TrimSpace(text))
	decimals := "00"
	if at := strings.LastIndexAny(whole, ".,"); at >= 0 && len(whole)-at <= 3 {
		if decimals = whole[at+1:]; strings.Contains(whole[:at], whole[at:at+1]) || !decimalsForm.MatchString(decimals) {
			return 0, errMoney
		}
		whole = whole[:at]
	}
	if !wholeForm.MatchString(whole) {
		return 0, errMoney
	}
	digits := strings.NewReplacer(".", "", ",", "").Replace(whole) + (decimals + "0")[:2]
	cents, err = strconv.ParseInt(digits, 10, 64)
	if err != nil || cents > nfse.MaxAmountCents {
		return 0, errMoney
	}
	return cents, nil
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
