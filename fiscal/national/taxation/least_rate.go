package taxation

import "emissor/nfse"

// BelowLeastRate reports whether reductions of the base bring the ISS of a price, less its
// unconditional discount, certainly under 2 percent of it, where the law does not allow that for
// the service (E0429, E0444, E0447, E0575, E0587): under a rate that is not known, the highest
// that there is.
func BelowLeastRate(code string, price, reduced int64, rate *nfse.Rate) bool {
	if reduced <= 0 || MayBeBelowLeastRate(code) {
		return false
	}
	highest := nfse.MaxRate
	if rate != nil {
		highest = *rate
	}
	const leastRate = 2_00
	return (price-reduced)*int64(highest) < price*leastRate
}
