package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// discountViolation finds a discount that is not less than the price.
func discountViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	details, price := declaration.Details, declaration.Note.AmountCents
	switch {
	case details.UnconditionalDiscountCents < 0 || details.UnconditionalDiscountCents >= price:
		return rulecatalogue.Breaks("E0431", fact.DiscountRefused.Fact())
	case details.ConditionalDiscountCents < 0 || details.ConditionalDiscountCents >= price:
		return rulecatalogue.Breaks("E0432", fact.DiscountRefused.Fact())
	}
	return nil
}

// deductionViolation finds what is wrong with what is deducted.
func deductionViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	deduction, issuer := declaration.Deduction(), declaration.Issuer
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.DeductionRefused.Fact())
	}
	if deduction.None() {
		return nil
	}
	switch {
	case !oneOf(deduction.Percent != 0, deduction.Cents != 0, deduction.Documents != nil):
		return detailViolation("deduction")
	case taxation.ISSOf(declaration) != taxation.Taxable:
		return breaks("E0435")
	case issuer.Simples == nfse.SimplesMEI:
		return breaks("E0436")
	case issuer.SpecialRegime != 0:
		return breaks("E0438")
	case taxation.PaysWithinSimples(issuer) && !taxation.MayDeductInSimples(codeOf(declaration)):
		if taxation.DueToActiveCity(declaration) {
			return breaks("E0441")
		}
		return breaks("E0442")
	case deduction.Percent < 0 || deduction.Percent > 100_00:
		return breaks("E0453")
	case deduction.Percent != 0 && declaration.Details.UnconditionalDiscountCents != 0:
		return rulecatalogue.Breaks(detailsInvalid, fact.PercentBesideReduction.Fact()) // E0427, E1287
	case deduction.Cents < 0:
		return detailViolation("deduction.cents")
	case deduction.Cents > declaration.Note.AmountCents:
		return rulecatalogue.Breaks("E0427", fact.ReducedTooFar.Fact())
	case deduction.Documents != nil && (len(deduction.Documents) == 0 || len(deduction.Documents) > schema.MaxDeducted):
		return detailViolation("deduction.documents")
	}
	return documentsViolation(declaration, deduction.Documents)
}

// documentsViolation finds what is wrong with documents that are deducted.
func documentsViolation(declaration fiscal.Declaration, documents []nfse.DeductionDocument) *rulecatalogue.Violation {
	used := int64(0)
	for _, document := range documents {
		if found := documentViolation(document, declaration.Note.Competence); found != nil {
			return found
		}
		if used += document.UsedCents; used > declaration.Note.AmountCents {
			return rulecatalogue.Breaks("E0476", fact.DeductionRefused.Fact())
		}
	}
	return nil
}

// otherDeduction is the kind of documents that are described in words (tpDedRed).
const otherDeduction = 99

func documentViolation(document nfse.DeductionDocument, competence nfse.Day) *rulecatalogue.Violation {
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.DeductionRefused.Fact())
	}
	national := document.NFSe != "" || document.NFe != ""
	described := schema.Line(document.Description) != ""
	switch {
	case !oneOf(document.NFSe != "", document.NFe != "", document.FiscalOther != "", document.Other != ""):
		return detailViolation("deduction.documents")
	case document.NFSe != "" && !schema.ValidAccessKey(document.NFSe):
		return breaks("E0455")
	case document.NFSe != "" && !schema.SchemaTakesKey(document.NFSe):
		return detailViolation("deduction.documents.nfse")
	case document.NFe != "" && !schema.ValidNFeKey(document.NFe):
		return breaks("E0460")
	case (document.Kind < 1 || document.Kind > 9) && document.Kind != otherDeduction:
		return detailViolation("deduction.documents.kind")
	case document.Kind == otherDeduction && !described:
		return breaks("E0468")
	case document.Kind != otherDeduction && described:
		return breaks("E0470")
	case !schema.ValidDay(document.Issued):
		return detailViolation("deduction.documents.issued")
	case document.Issued > competence:
		return breaks("E0472")
	case document.UsedCents < 1 || document.DeductibleCents > nfse.MaxAmountCents:
		return detailViolation("deduction.documents.used_cents")
	case document.UsedCents > document.DeductibleCents:
		return breaks("E0474")
	case !national && document.Supplier == nil:
		return breaks("E0477")
	}
	found := firstViolation(
		optionalText("deduction.documents.fiscal_other", document.FiscalOther, schema.MaxDocumentNumber),
		optionalText("deduction.documents.other", document.Other, schema.MaxDocumentNumber),
		optionalText("deduction.documents.description", document.Description, schema.MaxDeductionDescription),
	)
	switch {
	case found != nil || national:
		return found
	case schema.Line(document.FiscalOther+document.Other) == "":
		return detailViolation("deduction.documents")
	case document.Supplier.Foreign == nil && document.Supplier.Address == nil:
		return supplierRules.breaks("E0492")
	}
	return supplierRules.violation(*document.Supplier)
}

// reductionViolation finds reductions that take too much from the price, or bring the ISS under
// the least that the law allows. A rate that is not sent is the city's, and not known.
func reductionViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	price, r, rate := declaration.Note.AmountCents, taxes.ReductionsOf(declaration), taxation.SentRate(declaration)
	low := func(reduced int64) bool {
		return taxation.BelowLeastRate(codeOf(declaration), price-r.Discount, reduced, rate)
	}
	deduction, inPercent := declaration.Deduction(), declaration.ISS().BenefitPercent != 0
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.ReducedTooFar.Fact())
	}
	switch {
	case r.Sum() > price:
		return breaks("E0427")
	case low(r.Deduction) && deduction.Percent != 0:
		return breaks("E0444")
	case low(r.Deduction) && deduction.Cents != 0:
		return breaks("E0447")
	case low(r.Benefit) && inPercent:
		return breaks("E0587")
	case low(r.Benefit):
		return breaks("E0575")
	case low(r.Deduction + r.Benefit):
		return breaks("E0429")
	}
	return nil
}
