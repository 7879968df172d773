package rules

import (
	"regexp"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/taxes"
	"emissor/internal/text"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Check refuses what the city would reject or its layout cannot carry, as far as
// our data tell, and holds what a person must give first. Of several objections
// it finds always the same; nothing that it decides depends on the moment.
func Check(declaration fiscal.Declaration) *fiscal.Objection {
	if hold := profileHold(declaration.Issuer); !hold.None() {
		return &fiscal.Objection{Hold: hold}
	}
	for _, find := range []func(fiscal.Declaration) *rulecatalogue.Violation{
		serviceViolation, customerViolation, layoutViolation, abroadViolation, intermediaryViolation,
		withholdingViolation, rateViolation, amountViolation, federalViolation, deductionViolation, siteViolation,
	} {
		if found := find(declaration); found != nil {
			return &fiscal.Objection{Rejection: Catalogue.Refuse(found)}
		}
	}
	if hold := siteHold(declaration); !hold.None() {
		return &fiscal.Objection{Hold: hold, Untaxed: true}
	}
	return classificationObjection(declaration)
}

// unprintableText is the violation of a text that has nothing the layout can carry.
func unprintableText(field string) *rulecatalogue.Violation {
	return rulecatalogue.BreaksBy("text_not_printable", field, fact.TextNotPrintable.With("field", field))
}

// profileHold says what must be corrected in the organization's own data first.
func profileHold(issuer nfse.FiscalProfile) fact.Fact {
	if defect := findProfileDefect(issuer); defect != nil {
		return fact.CityProfileRefused.With("field", defect.field, "why", defect.reason)
	}
	if !issuer.Production {
		return fact.CityHasNoTestSystem.Fact()
	}
	return fact.Fact{}
}

var (
	codeForm         = regexp.MustCompile(`^[0-9]{4,5}$`)
	municipalityForm = regexp.MustCompile(`^[1-9][0-9]{6}$`)
	zipCodeForm      = regexp.MustCompile(`^[0-9]{8}$`)
)

// serviceViolation finds what is wrong with the service.
func serviceViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	service := declaration.Note.Service
	switch {
	case service.MunicipalTaxCode == nil:
		return rulecatalogue.Breaks("municipal_tax_code_missing", fact.MunicipalTaxCodeMissing.Fact())
	case !codeForm.MatchString(*service.MunicipalTaxCode):
		return rulecatalogue.Breaks("306", fact.MunicipalTaxCodeForm.Fact())
	case len(strings.TrimLeft(*service.MunicipalTaxCode, "0")) < 4:
		return rulecatalogue.Breaks("306", fact.MunicipalTaxCodeTooShort.Fact())
	case service.MunicipalTaxation == nil:
		return rulecatalogue.Breaks("municipal_taxation_missing", fact.MunicipalTaxationMissing.Fact())
	case *service.MunicipalTaxation != "T" && *service.MunicipalTaxation != "F":
		return rulecatalogue.Breaks("206", fact.MunicipalTaxationUnknown.Fact())
	case !municipalityForm.MatchString(service.MunicipalityCode) || StateOf(service.MunicipalityCode) == "":
		return rulecatalogue.Breaks("265", fact.PlaceInvalid.Fact())
	case TaxedOutside(*service.MunicipalTaxation) && service.MunicipalityCode == Municipality:
		return rulecatalogue.Breaks("1232", fact.TaxedElsewhereInTheCity.Fact())
	case text.Lines(service.Description) == "":
		return unprintableText(fieldDescription)
	}
	return nil
}

// ServiceDefect is the code of what keeps every live note of a service from being sent;
// empty when nothing does.
func ServiceDefect(service nfse.ServiceSnapshot) (code string) {
	declaration := fiscal.Declaration{Note: nfse.Note{Service: service}}
	found := serviceViolation(declaration)
	if found == nil {
		found = rateViolation(declaration)
	}
	if found == nil {
		return ""
	}
	return found.Code
}

// customerViolation finds what is wrong with the customer.
func customerViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	if foreign := declaration.Details.ForeignTaker; foreign != nil {
		return foreignTakerViolation(*foreign)
	}
	note := declaration.Note
	customer := note.Customer
	zipCode := customer.Address.ZipCode
	switch {
	case !validTaxID(customer.TaxID) && customer.TaxID.IsCNPJ():
		return rulecatalogue.Breaks("302", fact.CustomerCNPJInvalid.Fact())
	case !validTaxID(customer.TaxID):
		return rulecatalogue.Breaks("1109", fact.CustomerCPFInvalid.Fact())
	case customer.TaxID == declaration.Issuer.TaxID:
		return rulecatalogue.Breaks("301", fact.CustomerIsIssuer.Fact())
	case text.Line(customer.Name) == "":
		return unprintableText(fieldName)
	case StateOf(note.Municipality.Code) == "":
		return rulecatalogue.Breaks("318", fact.CustomerMunicipalityInvalid.Fact())
	case zipCode != nil && !zipCodeForm.MatchString(*zipCode):
		return rulecatalogue.Breaks("342", fact.CustomerZipCodeInvalid.Fact())
	case !customer.TaxID.IsCNPJ() && buysForGovernment(declaration.Classification):
		return rulecatalogue.Breaks("283", fact.GovernmentWithCPF.Fact())
	case customer.TaxID.IsCNPJ():
		return companyAddressViolation(customer.Address)
	}
	return nil
}

// companyAddressViolation finds what the address of a company lacks: the schema says that
// its parts are required of takers with a CNPJ, and of no others. Of a person what there is
// is sent.
func companyAddressViolation(address nfse.Address) *rulecatalogue.Violation {
	switch {
	case text.StreetLine(address) == "":
		return rulecatalogue.Breaks("317", fact.CompanyAddressLacksStreet.Fact())
	case address.Number == nil:
		return rulecatalogue.Breaks("253", fact.CompanyAddressLacksNumber.Fact())
	case dropped(address.Number):
		return unprintableText(fieldNumber)
	case address.District == nil:
		return rulecatalogue.Breaks("251", fact.CompanyAddressLacksDistrict.Fact())
	case dropped(address.District):
		return unprintableText(fieldDistrict)
	}
	return nil
}

func buysForGovernment(c *nfse.Classification) bool { return c != nil && c.TpEnteGov != nil }

// withholdingViolation finds ISS withheld by a taker or intermediary who cannot, or where there is
// none.
func withholdingViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	letter, by, details := Letter(declaration), declaration.ISSWithheldBy(), declaration.Details
	switch {
	case by == fiscal.WithheldByNobody:
		return nil
	case by == fiscal.WithheldByTaker && details.ForeignTaker != nil:
		return rulecatalogue.Breaks("311", fact.WithheldByForeignTaker.Fact())
	case by == fiscal.WithheldByTaker && !declaration.Note.Customer.TaxID.IsCNPJ(),
		by == fiscal.WithheldByIntermediary && !details.Intermediary.TaxID.IsCNPJ():
		return rulecatalogue.Breaks("1616", fact.WithheldByPerson.Fact())
	case letter == letterExported:
		return rulecatalogue.Breaks("1228", fact.WithheldOfUntaxed.Fact())
	case letter != "T" && letter != "F":
		return rulecatalogue.Breaks("321", fact.WithheldOfLetter.With("letter", letter))
	}
	return nil
}

const minRate nfse.Rate = 200 // LC 116, art. 8-A

// rateViolation finds a rate that must be sent and is missing or out of bounds.
// Where the ISS is due to the city, it takes its own.
func rateViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	service := declaration.Note.Service
	rate := service.ISSRate
	switch {
	case TaxedOutside(*service.MunicipalTaxation) && rate == nil:
		return rulecatalogue.Breaks("iss_rate_missing", fact.TaxedElsewhereWithoutRate.Fact())
	case rate != nil && (*rate < 0 || *rate > nfse.MaxRate),
		TaxedOutside(*service.MunicipalTaxation) && *rate < minRate:
		return rulecatalogue.Breaks("225", fact.CityRateOutOfRange.Fact())
	}
	return nil
}

// federalViolation finds federal taxes withheld that leave nothing of the price.
func federalViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	withheld := taxes.FederalOf(declaration).Withheld()
	if withheld > 0 && withheld >= declaration.Note.AmountCents {
		return rulecatalogue.Breaks("withheld_takes_price", fact.MoreTakenThanPrice.Fact())
	}
	return nil
}

// amountViolation finds an amount that no note can carry.
func amountViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	switch amount := declaration.Note.AmountCents; {
	case amount < 1:
		return rulecatalogue.Breaks("303", fact.AmountNotPositive.Fact())
	case amount > nfse.MaxAmountCents:
		return rulecatalogue.Breaks("amount_out_of_range", fact.AmountOutOfRange.Fact())
	}
	return nil
}
