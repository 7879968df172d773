package numbers

import (
	"context"
	"errors"

	"emissor/nfse"
	"emissor/store/companies"
)

var (
	// ErrNumbersUnchecked says that this database may lack numbers that were taken, and the authority is
	// asked about them first: see SequencesToCheck.
	ErrNumbersUnchecked = errors.New("the numbers of the series are to be checked first")
	// ErrDocumentsUndecided says that it was asked, and has documents about which a person decides.
	ErrDocumentsUndecided = errors.New("the authority has documents under the series that are not on record")
)

func (s *Store) NextNumber(ctx context.Context, series nfse.SeriesKey) (next int64, err error) {
	err = s.db.Get(ctx, &next, `SELECT coalesce((SELECT last_number + 1 FROM fiscal_sequences
		WHERE `+companies.ThisSequence+`), 1)`, companies.SequenceArguments(series)...)
	return next, err
}
