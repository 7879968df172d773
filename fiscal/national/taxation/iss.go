package taxation

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// ISSTaxation is how the ISS of a service is due (tribISSQN).
type ISSTaxation int

// The kinds.
const (
	Taxable  ISSTaxation = 1
	Immune   ISSTaxation = 2
	Exported ISSTaxation = 3
	NotTaxed ISSTaxation = 4
)

// ISSOf returns how the ISS of a declaration is due. A service that the law never taxes is not taxed, no matter what
// is said of it.
func ISSOf(declaration fiscal.Declaration) ISSTaxation {
	kind := declaration.ISS().Kind
	switch {
	case NeverTaxed(codeOf(declaration)):
		return NotTaxed
	case declaration.Abroad().Export:
		return Exported
	case kind == nfse.ISSImmune:
		return Immune
	case kind == nfse.ISSNotTaxed:
		return NotTaxed
	}
	return Taxable
}

// SetsNoRate reports whether a municipal benefit leaves the rate of the ISS to the city: one
// that exempts, or has a rate of its own, reduces no base (E0612).
func SetsNoRate(iss nfse.ISSTreatment) bool {
	return iss.Kind == nfse.ISSBenefit && iss.BenefitPercent == 0 && iss.BenefitCents == 0
}
