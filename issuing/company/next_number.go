package company

import (
	"context"

	"emissor/nfse"
	"emissor/store"
)

// MostAhead is how far a company may set the next number of its series forward itself. A
// number cannot be taken back, so only an operator may make a greater jump.
const MostAhead = 1000

// CheckNextNumber refuses a number that no document of the profile can have.
func CheckNextNumber(profile nfse.FiscalProfile, number int64) error {
	by, err := authorityOf(profile)
	first, last := profile.NextNumber(1), profile.LastNumber(by.GreatestNumber)
	if err == nil && (number < first || number > last) {
		err = nfse.Invalid("next_number", "must be from %d to %d", first, last)
	}
	return err
}

// ReplaceNextNumber sets the next number of a company's series to one that CheckNextNumber
// accepts, if the next one is still the one that the person saw: see
// store.Changes.ReplaceNextNumber. ErrTooFarAhead refuses a jump of more than MostAhead.
func ReplaceNextNumber(
	ctx context.Context, by *store.Changes, profile nfse.FiscalProfile, seen, number int64,
) error {
	if number-seen > MostAhead {
		return ErrTooFarAhead
	}
	return by.Lifecycle.ReplaceNextNumber(ctx, profile, seen, number)
}

// ErrTooFarAhead says that only an operator may make such a jump of the next number.
var ErrTooFarAhead = nfse.Invalid("next_number", "is more than %d ahead: ask the operator "+
	"(`emissor fiscal-profile set --next-number`)", MostAhead)
