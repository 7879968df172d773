package company

import (
	"context"

	"emissor/nfse"
	"emissor/store"
)

// MostAhead is how far a company sets the next number of its series forward itself. A
// number cannot be taken back, so that a greater jump is the operator's.
const MostAhead = 1000

// CheckNextNumber refuses a number that no document of the profile can have.
func CheckNextNumber(profile nfse.FiscalProfile, number int64) error {
	by, err := authorityOf(profile)
	if err == nil && (number < 1 || number > by.GreatestNumber) {
		err = nfse.Invalid("next_number", "must be from 1 to %d", by.GreatestNumber)
	}
	return err
}

// ReplaceNextNumber lets a company set the next number of its series to one that
// CheckNextNumber takes, where somebody saw which one was next: see
// store.Changes.ReplaceNextNumber. ErrTooFarAhead says that it is not a company's to set.
func ReplaceNextNumber(
	ctx context.Context, by *store.Changes, profile nfse.FiscalProfile, seen, number int64,
) error {
	if number-seen > MostAhead {
		return ErrTooFarAhead
	}
	return by.ReplaceNextNumber(ctx, profile, seen, number)
}

// ErrTooFarAhead says that a jump of the next number is the operator's.
var ErrTooFarAhead = nfse.Invalid("next_number", "is more than %d ahead: ask the operator "+
	"(`emissor fiscal-profile set --next-number`)", MostAhead)
