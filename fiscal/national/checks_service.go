package national

import (
	"slices"

	"emissor/fiscal"
	"emissor/nfse"
)

// serviceOffence finds what is wrong with the service.
func serviceOffence(document fiscal.Document) *offence {
	service, issuer := document.Note.Service, document.Issuer
	if service.NationalTaxCode == nil {
		return &offence{code: "national_tax_code_missing", message: "The service has no national tax code."}
	}
	code := *service.NationalTaxCode
	switch {
	case !knownNationalCode(code):
		return &offence{code: "E0310", message: "The national tax code " + code + " is not on the national list of services."}
	case code == "990101":
		return &offence{code: "E0532", message: "National tax code 990101 is not subject to ISS."}
	case needsWorks(code):
		return &offence{code: "E0370", message: "National tax code " + code + " needs a description of the construction work."}
	case needsEvent(code):
		return &offence{code: "E0390", message: "National tax code " + code + " needs a description of the event."}
	case !municipalityForm.MatchString(service.MunicipalityCode):
		return &offence{code: "E0302", message: "The place of the service is not a 7-digit municipality code."}
	}
	if issuer.SpecialRegime != 0 && issuer.SpecialRegime != 5 && incidence(document) != issuer.MunicipalityCode {
		return &offence{code: "E0176", message: "The ISS is due to another city than the organization's, where its special regime does not apply."}
	}
	return textOffence(fieldDescription, safeDescription(service.Description), 2000)
}

// withholdingOffence finds ISS withheld where it cannot be.
func withholdingOffence(document fiscal.Document) *offence {
	if !document.Note.ISSWithheld {
		return nil
	}
	switch {
	case document.Issuer.Simples == nfse.SimplesMEI:
		return &offence{code: "E0583", message: "ISS is to be withheld, but the organization is an MEI."}
	case document.Issuer.SpecialRegime != 0:
		return &offence{code: "E0588", message: "ISS is to be withheld, but the organization has a special regime."}
	case *document.Note.Service.NationalTaxCode == "220101":
		return &offence{code: "E0596", message: "ISS is to be withheld, but the service is a road concession."}
	}
	return nil
}

// leastSimplesRate is the lowest rate that may be withheld from an ME or EPP
// (E0621, E0628).
const leastSimplesRate nfse.Rate = 180

// rateOffence finds a rate that must be sent and is missing or out of bounds.
func rateOffence(document fiscal.Document) *offence {
	decided, withinSimples := decideAliquot(document), paysWithinSimples(document.Issuer)
	switch {
	case decided.missing:
		return &offence{code: rateRule(document), message: "The ISS rate must be sent here, and the service has none."}
	case decided.send && decided.rate > nfse.MaxRate:
		return &offence{code: "E0595", message: "The ISS rate of " + decided.rate.String() + " percent is above 5."}
	case decided.send && decided.rate < 1:
		return &offence{code: rateRule(document), message: "The ISS rate must be above 0 here."}
	case decided.send && withinSimples && decided.rate < leastSimplesRate:
		return &offence{code: rateRule(document), message: "The ISS rate of " + decided.rate.String() + " percent is under 1.80, the least that can be withheld."}
	}
	return nil
}

// rateRule is the rule that asks for a rate.
func rateRule(document fiscal.Document) string {
	active := !slices.Contains(document.Issuer.InactiveMunicipalities, incidence(document))
	switch {
	case document.Issuer.Simples == nfse.SimplesNone:
		return "E0619"
	case !paysWithinSimples(document.Issuer):
		return "E0640"
	case active:
		return "E0621"
	}
	return "E0628"
}

// paysWithinSimples reports whether the issuer's ISS is part of its payment to
// Simples Nacional (opSimpNac 3, regApTribSN 1).
func paysWithinSimples(issuer nfse.FiscalProfile) bool {
	return issuer.Simples == nfse.SimplesME && issuer.SimplesRegime != nil && *issuer.SimplesRegime == 1
}
