package batches

import (
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/store/batches"
)

// linesReviewed is how many lines of a spreadsheet are shown to who is to accept it.
const linesReviewed = 20

// batchReview is what a spreadsheet asks for, to be compared with the file before it is accepted.
type batchReview struct {
	Value    frame.FiscalValue
	Lines    []batches.ReviewedLine // the first ones
	More     int                    // others
	Services []batches.ReviewedService
	Withheld string // the federal taxes that will be, in words
}

// reviewBatch reads what a spreadsheet asks for that nobody has accepted; nil of another.
func reviewBatch(r *frame.Request, of batches.Batch) (*batchReview, error) {
	if of.Status != batches.BatchChecked {
		return nil, nil
	}
	var review batchReview
	var err error
	if review.Value, err = r.FiscalValue(); err != nil {
		return nil, err
	}
	if review.Lines, err = r.D.Store.Batches.BatchReview(r.Context(), r.Scope, of.ID, linesReviewed); err != nil {
		return nil, err
	}
	review.More = of.Lines - len(review.Lines)
	if review.Services, err = r.D.Store.Batches.BatchServices(r.Context(), r.Scope, of.ID); err != nil {
		return nil, err
	}
	taxed, err := r.D.Store.Batches.BatchTaxed(r.Context(), r.Scope, of.ID)
	if err != nil {
		return nil, err
	}
	profile, err := cataloguepages.ProfileOrNone(r)
	if err != nil {
		return nil, err
	}
	var sum taxes.Federal
	for _, line := range taxed {
		day := nfse.DayOf(time.Now())
		if line.Competence != nil {
			day = *line.Competence
		}
		declaration := fiscal.Declaration{Issuer: profile.On(day), Taxation: line.Taxation,
			Note: nfse.Note{AmountCents: line.AmountCents, Competence: day}}
		declaration.Note.Customer.TaxID = line.TaxID
		one := taxes.FederalOf(declaration)
		sum.IRRF, sum.PIS, sum.COFINS = sum.IRRF+one.IRRF, sum.PIS+one.PIS, sum.COFINS+one.COFINS
		sum.CSLL, sum.INSS = sum.CSLL+one.CSLL, sum.INSS+one.INSS
	}
	review.Withheld = notepages.WithheldWords(r, sum)
	return &review, nil
}
