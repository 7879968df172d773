package nationaltest

import (
	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/taxes"
	"emissor/nfse"
)

// earlier is a day before every day of competence that is drawn.
const earlier nfse.Day = "2025-01-02"

// drawValues draws discounts and deductions that leave enough of the price.
func drawValues(t *rapid.T, d *fiscal.Declaration) {
	price, alone := d.Note.AmountCents, d.ISS().BenefitPercent != 0 // a benefit in percent is
	if price >= 10 && !alone && sometimes(t, "unconditional discount", 4) {
		d.Details.UnconditionalDiscountCents = rapid.Int64Range(1, price/5).Draw(t, "unconditional")
	}
	if price >= 10 && sometimes(t, "conditional discount", 4) {
		d.Details.ConditionalDiscountCents = rapid.Int64Range(1, price/5).Draw(t, "conditional")
	}
	outside := !taxation.PaysWithinSimples(d.Issuer) || taxation.MayDeductInSimples(*d.Note.Service.NationalTaxCode)
	if outside && !alone && d.Issuer.Simples != nfse.SimplesMEI && d.Issuer.SpecialRegime == 0 &&
		taxation.ISSOf(*d) == taxation.Taxable && rapid.Bool().Draw(t, "deducts") {
		drawDeduction(t, d)
	}
	if reducesTooFar(*d) {
		d.Details.Deduction, d.Taxation.Service.Deduction = nil, 0
	}
	if iss := d.Details.ISS; iss != nil && reducesTooFar(*d) {
		iss.BenefitCents, iss.BenefitPercent = 0, 0
	}
	if iss := d.Taxation.Service.ISS; iss != nil && reducesTooFar(*d) {
		iss.BenefitCents, iss.BenefitPercent = 0, 0
	}
	if reducesTooFar(*d) {
		d.Details.UnconditionalDiscountCents, d.Details.ConditionalDiscountCents = 0, 0
	}
}

func drawDeduction(t *rapid.T, d *fiscal.Declaration) {
	price := d.Note.AmountCents
	percent := nfse.Percent(rapid.IntRange(1, 50_00).Draw(t, "percent of the deduction"))
	switch kind := rapid.IntRange(0, 5).Draw(t, "deducts by"); {
	case kind == 0 && d.Details.UnconditionalDiscountCents == 0:
		d.Taxation.Service.Deduction = percent
	case kind == 1 && d.Details.UnconditionalDiscountCents == 0:
		d.Details.Deduction = &nfse.Deduction{Percent: percent}
	case kind >= 4 && price >= 10:
		d.Details.Deduction = &nfse.Deduction{Cents: rapid.Int64Range(1, price/4).Draw(t, "cents of the deduction")}
	case price >= 100:
		d.Details.Deduction = &nfse.Deduction{Documents: rapid.SliceOfN(
			rapid.Custom(func(t *rapid.T) nfse.DeductionDocument { return drawDeducted(t, price/10) }), 1, 4,
		).Draw(t, "documents")}
	}
}

func drawDeducted(t *rapid.T, most int64) nfse.DeductionDocument {
	document := nfse.DeductionDocument{
		Kind:            rapid.SampledFrom([]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 99}).Draw(t, "kind of the document"),
		Issued:          earlier,
		DeductibleCents: rapid.Int64Range(most, nfse.MaxAmountCents).Draw(t, "deductible"),
		UsedCents:       rapid.Int64Range(1, most).Draw(t, "used"),
	}
	if document.Kind == 99 {
		document.Description = DrawText(t, "description of the document", schema.MaxDeductionDescription, schema.Line)
	}
	switch rapid.IntRange(0, 3).Draw(t, "document by") {
	case 0:
		key := rapid.StringMatching(`[0-9]{7}22[0-9]{40}`).Draw(t, "NFS-e")
		document.NFSe = key + string(schema.CheckDigit(key))
		return document
	case 1:
		key := rapid.StringMatching(`[0-9]{43}`).Draw(t, "NF-e")
		document.NFe = key + string(schema.CheckDigit(key))
		return document
	case 2:
		document.FiscalOther = DrawText(t, "fiscal document", schema.MaxDocumentNumber, schema.Line)
	default:
		document.Other = DrawText(t, "other document", schema.MaxDocumentNumber, schema.Line)
	}
	document.Supplier = new(drawParty(t))
	if document.Supplier.Foreign == nil && document.Supplier.Address == nil {
		document.Supplier.Address = drawPartyAddress(t)
	}
	return document
}

// reducesTooFar reports whether too little is left of the price, no matter who withholds of it.
func reducesTooFar(d fiscal.Declaration) bool {
	r, price := taxes.ReductionsOf(d), d.Note.AmountCents
	taken := r.Sum() + d.Details.ConditionalDiscountCents
	var rate *nfse.Rate
	if aliquot := taxation.AliquotOf(d); aliquot.Sent {
		rate = &aliquot.Rate
	}
	return taken+price/20+1 > price && taken > 0 ||
		taxation.BelowLeastRate(*d.Note.Service.NationalTaxCode, price-r.Discount, r.Deduction+r.Benefit, rate)
}
