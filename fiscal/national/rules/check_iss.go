package rules

import (
	"regexp"

	"emissor/fiscal"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

var (
	processForm = regexp.MustCompile(`^[0-9]{30}$`)
	benefitForm = regexp.MustCompile(`^[0-9]{14}$`)
)

// issViolation finds what is wrong with how the ISS is due.
func issViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	iss, taxed := declaration.ISS(), taxation.ISSOf(declaration)
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.ISSTreatmentRefused.Fact())
	}
	exported := declaration.Abroad().Export
	switch {
	case taxation.NeverTaxed(codeOf(declaration)) && (exported || iss.Kind == nfse.ISSImmune):
		return breaks("E0532")
	case iss.Kind == nfse.ISSImmune && taxed != taxation.Immune:
		return breaks("E0592")
	case iss.Kind == nfse.ISSNotTaxed && taxed != taxation.NotTaxed:
		return detailViolation("iss.kind")
	case iss.Kind == nfse.ISSSuspended && taxed != taxation.Taxable:
		return breaks("E0585")
	case taxed != taxation.Taxable && declaration.Issuer.SpecialRegime != 0:
		return breaks("E0172")
	}
	switch iss.Kind {
	case "", nfse.ISSNotTaxed:
		return nil
	case nfse.ISSImmune:
		if iss.Immunity < 0 || iss.Immunity > 5 {
			return detailViolation("iss.immunity")
		}
		return nil // without one it is held
	case nfse.ISSSuspended:
		if iss.Suspension < 0 || iss.Suspension > 2 {
			return detailViolation("iss.suspension")
		}
		if iss.Process != "" && !processForm.MatchString(iss.Process) {
			return detailViolation("iss.process")
		}
		return nil
	case nfse.ISSBenefit:
		return benefitViolation(declaration, iss, taxed)
	}
	return detailViolation("iss.kind")
}

// benefitViolation finds what is wrong with a municipal benefit.
func benefitViolation(declaration fiscal.Declaration, iss nfse.ISSTreatment,
	taxed taxation.ISSTaxation) *rulecatalogue.Violation {
	issuer, price := declaration.Issuer, declaration.Note.AmountCents
	reduced := declaration.Details.UnconditionalDiscountCents != 0 || !declaration.Deduction().None()
	breaks := func(rule string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(rule, fact.BenefitRefused.Fact())
	}
	switch {
	case taxed != taxation.Taxable:
		return breaks("E0533")
	case issuer.Simples == nfse.SimplesMEI:
		return breaks("E0534")
	case issuer.SpecialRegime != 0:
		return breaks("E0535")
	case taxation.ProfileSaysInactive(declaration):
		return breaks("E0537")
	case taxation.PaysWithinSimples(issuer) && !taxation.MayBenefitInSimples(codeOf(declaration)):
		return breaks("E0536")
	case iss.Benefit != "" && !benefitForm.MatchString(iss.Benefit):
		return detailViolation("iss.benefit")
	case iss.BenefitPercent != 0 && iss.BenefitCents != 0, iss.BenefitCents < 0:
		return detailViolation("iss.benefit_cents")
	case iss.BenefitPercent < 0 || iss.BenefitPercent > 100_00:
		return breaks("E0586")
	case iss.BenefitPercent != 0 && reduced:
		return rulecatalogue.Breaks(detailsInvalid, fact.PercentBesideReduction.Fact()) // E0427, E1288
	case iss.BenefitCents > price:
		return breaks("E0574")
	}
	return nil
}
