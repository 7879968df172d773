package taxes

import (
	"emissor/fiscal"
	"emissor/nfse"
)

// Expected are the totals, in cents, that the authority is expected to state of a note. A part
// that is not known before, or that the authority does not state, is nil.
type Expected struct {
	BaseCents     *int64 // of the ISS (vBC)
	ISSCents      *int64 // vISSQN
	WithheldCents *int64 // all that is withheld, the ISS too (vTotalRet)
	NetCents      *int64 // what is left of the price after discounts and withholdings (vLiq)
	TotalCents    *int64 // what the customer is charged (vTotNF; where the document has none, the net)
}

// ISSAt computes the ISS of a declaration at a rate, in cents; nil where the rate is not known, and
// where the authority states no ISS.
func ISSAt(declaration fiscal.Declaration, rate *nfse.Rate) *int64 {
	if base := statedBase(declaration); base != nil && rate != nil {
		return new(nfse.Percent(*rate).Of(*base))
	}
	return nil
}

// Expect computes the totals of a declaration with its ISS, in cents; nil: it is not known. ibsCBS
// says that the document states IBS and CBS: from 2027-01-01 they are charged on top of the price,
// and are the authority's to compute.
func Expect(declaration fiscal.Declaration, iss *int64, ibsCBS bool) Expected {
	price, details := declaration.Note.AmountCents, declaration.Details
	e := Expected{BaseCents: statedBase(declaration), ISSCents: iss}
	withheld := FederalOf(declaration).Withheld()
	if declaration.ISSWithheldBy() != fiscal.WithheldByNobody {
		if e.ISSCents == nil {
			return e
		}
		withheld += *e.ISSCents
	}
	net := price - details.UnconditionalDiscountCents - details.ConditionalDiscountCents - withheld
	e.WithheldCents, e.NetCents = &withheld, &net
	if !ibsCBS || declaration.Note.Competence < chargedOnTopFrom {
		e.TotalCents = &net
	}
	return e
}

// statedBase is the base of the ISS as the authority states it; nil where it does not, or where it is
// not known.
func statedBase(declaration fiscal.Declaration) *int64 {
	if !statesISS(declaration) {
		return nil
	}
	return baseOfISS(declaration)
}

// statesISS reports whether the authority states base and amount of the ISS: not of an MEI
// (E1302), an ISS that is not due here (E1303), a special regime (E1307) or a suspended ISS
// (E1311).
func statesISS(declaration fiscal.Declaration) bool {
	issuer := declaration.Issuer
	if issuer.Simples == nfse.SimplesMEI || issuer.SpecialRegime != 0 {
		return false
	}
	kind := declaration.ISS().Kind
	return !declaration.Abroad().Export && (kind == "" || kind == nfse.ISSBenefit)
}

// baseOfISS is the price less unconditional discount, deduction and benefit (E1295); nil where the
// authority's rules contradict each other: E0427 computes a percentage of what is left of the price,
// E1287 and E1288 of the price.
func baseOfISS(declaration fiscal.Declaration) *int64 {
	price, discount := declaration.Note.AmountCents, declaration.Details.UnconditionalDiscountCents
	deduction, benefit := declaration.Deduction(), benefitOf(declaration)
	deducted := deductedCents(deduction, price)
	if deduction.Percent > 0 && discount > 0 || benefit.BenefitPercent > 0 && discount+deducted > 0 {
		return nil
	}
	return new(price - discount - deducted - benefitCents(benefit, price))
}

// DeductedCents is what a declaration takes from the base of the ISS by deductions.
func DeductedCents(declaration fiscal.Declaration) int64 {
	return deductedCents(declaration.Deduction(), declaration.Note.AmountCents)
}

// deductedCents is what a deduction takes of a price.
func deductedCents(deduction nfse.Deduction, price int64) int64 {
	deducted := deduction.Cents + deduction.Percent.Of(price)
	for _, document := range deduction.Documents {
		deducted += document.UsedCents
	}
	return deducted
}

// benefitOf is a benefit that the city grants; the zero value where it grants none.
func benefitOf(declaration fiscal.Declaration) nfse.ISSTreatment {
	if treatment := declaration.ISS(); treatment.Kind == nfse.ISSBenefit {
		return treatment
	}
	return nfse.ISSTreatment{}
}

// benefitCents is what a benefit takes of a price.
func benefitCents(benefit nfse.ISSTreatment, price int64) int64 {
	return benefit.BenefitCents + benefit.BenefitPercent.Of(price)
}

// Taken is the sum of what the authority compares with the price (E0428): discounts, deduction,
// benefit and what is withheld. Of ISS that is withheld it has what is certain: nothing where the
// rate is not known.
func Taken(declaration fiscal.Declaration, issRate *nfse.Rate) int64 {
	reduced := ReductionsOf(declaration).Sum()
	sum := reduced + declaration.Details.ConditionalDiscountCents + FederalOf(declaration).Withheld()
	if issRate != nil && declaration.ISSWithheldBy() != fiscal.WithheldByNobody {
		sum += nfse.Percent(*issRate).Of(declaration.Note.AmountCents - reduced)
	}
	return sum
}
