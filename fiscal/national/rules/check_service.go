package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// serviceViolation finds what is wrong with the service.
func serviceViolation(declaration fiscal.Declaration) *violation {
	service := declaration.Note.Service
	if service.NationalTaxCode == nil {
		return breaks("national_tax_code_missing", "The service has no national tax code.")
	}
	code := *service.NationalTaxCode
	switch {
	case !taxation.KnownServiceCode(code):
		return breaks("E0310", "The national tax code "+code+" is not on the national list of services.")
	case code == "990101":
		return breaks("E0532", "National tax code 990101 is not subject to ISS.")
	case taxation.NeedsWorks(code):
		return breaks("E0370", "National tax code "+code+" needs a description of the construction work.")
	case taxation.NeedsEvent(code):
		return breaks("E0390", "National tax code "+code+" needs a description of the event.")
	case !schema.ValidMunicipality(service.MunicipalityCode):
		return breaks("E0302", "The place of the service is not a 7-digit municipality code.")
	}
	return textViolation(fieldDescription, schema.Lines(service.Description), schema.MaxDescription)
}

// withholdingViolation finds ISS withheld where it cannot be.
func withholdingViolation(declaration fiscal.Declaration) *violation {
	if !declaration.Note.ISSWithheld {
		return nil
	}
	switch {
	case declaration.Issuer.Simples == nfse.SimplesMEI:
		return breaks("E0583", "ISS is to be withheld, but the organization is an MEI.")
	case declaration.Issuer.SpecialRegime != 0:
		return breaks("E0588", "ISS is to be withheld, but the organization has a special regime.")
	case *declaration.Note.Service.NationalTaxCode == "220101":
		return breaks("E0596", "ISS is to be withheld, but the service is a road concession.")
	}
	return nil
}

// minSimplesRate is the lowest rate that may be withheld from an ME or EPP
// (E0621, E0628).
const minSimplesRate nfse.Rate = 180

// rateViolation finds a rate that must be sent and is missing or out of bounds.
func rateViolation(declaration fiscal.Declaration) *violation {
	aliquot := taxation.AliquotOf(declaration)
	switch {
	case aliquot.Missing && missesRateByParameters(declaration):
		return nil // it is held: see Hold
	case aliquot.Missing:
		return breaks(rateRule(declaration), "The ISS rate must be sent here, and the service has none.")
	case !aliquot.Sent:
		return nil
	case aliquot.Rate > nfse.MaxRate:
		return breaks("E0595", "The ISS rate of "+aliquot.Rate.String()+" percent is above 5.")
	case aliquot.Rate < 1:
		return breaks(rateRule(declaration), "The ISS rate must be above 0 here.")
	case taxation.PaysWithinSimples(declaration.Issuer) && aliquot.Rate < minSimplesRate:
		return breaks(rateRule(declaration),
			"The ISS rate of "+aliquot.Rate.String()+" percent is under 1.80, the least that can be withheld.")
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
