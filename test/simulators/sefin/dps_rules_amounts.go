package sefin

import "math/bits"

// amounts compares the amounts of a document with its price.
func (r *dpsReview) amounts() {
	s := r.sums()
	r.rejectIf(r.has("valores/vServPrest/vReceb"), "E0424")
	between := func(path, code string) {
		r.rejectIf(r.has(path) && (r.cents(path) == 0 || r.cents(path) >= s.amount), code)
	}
	between(discounts+"/vDescIncond", "E0431")
	between(discounts+"/vDescCond", "E0432")
	between(tribFed+"/vRetCP", "E0699")
	between(tribFed+"/vRetIRRF", "E0700")
	between(tribFed+"/vRetCSLL", "E0701")
	less := s.unconditional + s.deducted + s.relieved
	if s.amount < less {
		r.reject("E0427")
		return
	}
	r.rejectIf(s.amount < less+s.conditional+s.retained(), "E0428")
}

// leastRate is 2 %, in hundredths of a percent, below which no ISS may fall by a smaller base
// (E1297). A discount does not count. Where the note does not say the rate nobody can tell.
const leastRate = 200

func (r *dpsReview) floor() {
	s := r.sums()
	if !s.declared || fallsBelowFloor(r.serviceCode()) {
		return
	}
	price := s.amount - s.unconditional
	deducted := lessTax(price-s.deducted, s.rate, price)
	both := lessTax(s.base, s.rate, price)
	r.rejectIf(deducted && r.has(deduction+"/pDR"), "E0444")
	r.rejectIf(deducted && r.has(deduction+"/vDR"), "E0447")
	r.rejectIf(deducted && r.has(deduction+"/documentos"), "E0429")
	r.rejectIf(both && r.has(benefit+"/vRedBCBM"), "E0575")
	r.rejectIf(both && r.has(benefit+"/pRedBCBM"), "E0587")
}

// lessTax reports whether a rate of a base is less than the least rate of a price, exactly.
func lessTax(base, rate, price int64) bool {
	high, low := bits.Mul64(uint64(max(0, base)), uint64(rate))
	leastHigh, leastLow := bits.Mul64(uint64(price), leastRate)
	return high < leastHigh || high == leastHigh && low < leastLow
}
