package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// serviceViolation finds what is wrong with the service.
func serviceViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	service := declaration.Note.Service
	if service.NationalTaxCode == nil {
		return rulecatalogue.Breaks("national_tax_code_missing", fact.NationalTaxCodeMissing.Fact())
	}
	code := *service.NationalTaxCode
	if !taxation.KnownServiceCode(code) {
		return rulecatalogue.Breaks("E0310", fact.NationalTaxCodeUnknown.With("tax_code", code))
	}
	return textViolation(fieldDescription, schema.Lines(service.Description), schema.MaxDescription)
}

// withholdingViolation finds ISS withheld where it cannot be.
func withholdingViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	by := declaration.ISSWithheldBy()
	if by == fiscal.WithheldByNobody {
		return nil
	}
	switch {
	case by == fiscal.WithheldByTaker && declaration.Details.ForeignTaker != nil:
		return rulecatalogue.Breaks("E0204", fact.WithheldByForeignTaker.Fact())
	case taxation.ISSOf(declaration) != taxation.Taxable:
		return rulecatalogue.Breaks("E0580", fact.WithheldOfUntaxed.Fact())
	case declaration.ISS().Kind == nfse.ISSSuspended: // no rule says so, but the authority's own emitter does
		return rulecatalogue.Breaks(detailsInvalid, fact.WithheldOfSuspended.Fact())
	case declaration.Issuer.Simples == nfse.SimplesMEI:
		return rulecatalogue.Breaks("E0583", fact.WithheldFromMEI.Fact())
	case declaration.Issuer.SpecialRegime != 0:
		return rulecatalogue.Breaks("E0588", fact.WithheldUnderSpecialRegime.Fact())
	case *declaration.Note.Service.NationalTaxCode == "220101":
		return rulecatalogue.Breaks("E0596", fact.WithheldOfRoadConcession.Fact())
	}
	return nil
}

// minSimplesRate is the lowest rate that may be withheld from an ME or EPP
// (E0621, E0628).
const minSimplesRate nfse.Rate = 180

// rateViolation finds a rate that must be sent and is missing or out of bounds.
func rateViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	aliquot := taxation.AliquotOf(declaration)
	switch {
	case aliquot.Missing && (missesRateByParameters(declaration) || taxation.LacksSimplesRate(declaration) != ""):
		return nil // it is held: see Hold
	case aliquot.Missing:
		return rulecatalogue.Breaks(rateRule(declaration), fact.RateMissing.Fact())
	case !aliquot.Sent:
		return nil
	case aliquot.Rate > nfse.MaxRate:
		return rulecatalogue.Breaks("E0595", fact.RateTooHigh.With("rate", aliquot.Rate))
	case aliquot.Rate < 1:
		return rulecatalogue.Breaks(rateRule(declaration), fact.RateZero.Fact())
	case taxation.PaysWithinSimples(declaration.Issuer) && aliquot.Rate < minSimplesRate:
		return rulecatalogue.Breaks(rateRule(declaration), fact.RateTooLowToWithhold.With("rate", aliquot.Rate))
	}
	return nil
}

// rateRule returns the rule that asks for a rate.
func rateRule(declaration fiscal.Declaration) string {
	switch {
	case declaration.Issuer.Simples == nfse.SimplesNone:
		return "E0619"
	case !taxation.PaysWithinSimples(declaration.Issuer):
		return "E0640"
	case taxation.DueToActiveCity(declaration):
		return "E0621"
	}
	return "E0628"
}

// ServiceDefect is the code of what keeps every live note of a service from being sent, no matter who issues it;
// empty when nothing does.
func ServiceDefect(service nfse.ServiceSnapshot) (code string) {
	declaration := fiscal.Declaration{Note: nfse.Note{Service: service}}
	if found := serviceViolation(declaration); found != nil {
		return found.Code
	}
	if found := placeViolation(declaration); found != nil {
		return found.Code
	}
	return ""
}
