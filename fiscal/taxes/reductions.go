package taxes

import "emissor/fiscal"

// Reductions are what is taken from the price before the ISS is computed, in cents.
type Reductions struct {
	Discount  int64 // unconditional (vDescIncond)
	Deduction int64 // vDR, vCalcDR
	Benefit   int64 // vRedBCBM, vCalcBM
}

// ReductionsOf computes those of a declaration, a percentage of what is left before it (E0427).
func ReductionsOf(declaration fiscal.Declaration) Reductions {
	price := declaration.Note.AmountCents
	r := Reductions{Discount: declaration.Details.UnconditionalDiscountCents}
	r.Deduction = deductedCents(declaration.Deduction(), price-r.Discount)
	r.Benefit = benefitCents(benefitOf(declaration), price-r.Discount-r.Deduction)
	return r
}

// Sum is what all of them take together.
func (r Reductions) Sum() int64 { return r.Discount + r.Deduction + r.Benefit }
