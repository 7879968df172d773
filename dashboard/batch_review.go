package dashboard

import (
	"time"

	"emissor/fiscal"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/store/batches"
)

// linesReviewed is how many lines of a spreadsheet are shown to who is to accept it.
const linesReviewed = 20

// batchReview is what a spreadsheet asks for, to be compared with the file before it is accepted.
type batchReview struct {
	Value    fiscalValue
	Lines    []batches.ReviewedLine // the first ones
	More     int                    // others
	Services []batches.ReviewedService
	Withheld string // the federal taxes that will be, in words
}

// reviewBatch reads what a spreadsheet asks for that nobody has accepted; nil of another.
func (r *request) reviewBatch(of batches.Batch) (*batchReview, error) {
	if of.Status != batches.BatchChecked {
		return nil, nil
	}
	var review batchReview
	var err error
	if review.Value, err = r.fiscalValue(); err != nil {
		return nil, err
	}
	if review.Lines, err = r.d.store.Batches.BatchReview(r.Context(), r.scope, of.ID, linesReviewed); err != nil {
		return nil, err
	}
	review.More = of.Lines - len(review.Lines)
	if review.Services, err = r.d.store.Batches.BatchServices(r.Context(), r.scope, of.ID); err != nil {
		return nil, err
	}
	taxed, err := r.d.store.Batches.BatchTaxed(r.Context(), r.scope, of.ID)
	if err != nil {
		return nil, err
	}
	profile, err := r.profileOrNone()
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
	review.Withheld = r.withheldWords(sum)
	return &review, nil
}
