package rules

import (
	"regexp"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
	"emissor/fiscal/taxes"
	"emissor/internal/text"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// notInLayout is the code of what a note has beyond the API and the city's layout has no element
// for, or would drop.
const notInLayout = "group_not_in_layout"

// layoutViolation finds what of the form, or of what is set for service and customer, the layout
// has no element for.
func layoutViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	details := declaration.Details
	breaks := func(reason fact.Code) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(notInLayout, reason.Fact())
	}
	switch {
	case details.UnconditionalDiscountCents != 0 || details.ConditionalDiscountCents != 0:
		return breaks(fact.CityHasNoDiscounts)
	case declaration.Deduction().Documents != nil:
		return breaks(fact.CityHasNoDeductionDocuments)
	case declaration.ISS().Kind != "":
		return breaks(fact.CityTakesISSByLetter)
	case hasForeignTrade(declaration.Abroad()):
		return breaks(fact.CityHasNoForeignTrade)
	case details.Replaces != nil:
		return breaks(fact.CityHasNoReplacement)
	}
	return nil
}

// hasForeignTrade reports whether more is said of a service abroad than that it is exported, and where
// it is rendered. Its mode is left out: the form asks for it, as the national system does; and so is
// what decides only of own contributions, which the layout has not.
func hasForeignTrade(abroad nfse.Abroad) bool {
	abroad.Export, abroad.Country, abroad.Mode, abroad.NoForeignCurrency = false, "", 0, false
	return abroad != nfse.Abroad{}
}

// abroadViolation finds a country of the service that is none.
func abroadViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	switch country := declaration.Abroad().Country; {
	case country == "":
		return nil
	case country == "BR":
		return rulecatalogue.Breaks("267", fact.ForeignTradeRefused.Fact())
	case !countryForm.MatchString(country):
		return rulecatalogue.Breaks("266", fact.ForeignTradeRefused.Fact())
	}
	return nil
}

// GroupsObjection says what of the groups beyond the API the city would refuse, or what a note
// waits for.
func GroupsObjection(declaration fiscal.Declaration) fact.Fact {
	if serviceViolation(declaration) != nil {
		return fact.Fact{} // it is said of the service
	}
	finders := []func(fiscal.Declaration) *rulecatalogue.Violation{
		layoutViolation, abroadViolation, intermediaryViolation, withholdingViolation, federalViolation, deductionViolation,
		siteViolation,
	}
	if declaration.Details.ForeignTaker != nil {
		finders = append(finders, customerViolation)
	}
	for _, find := range finders {
		if found := find(declaration); found != nil {
			return fact.WouldBeRefused.With("code", found.Code, "why", found.Reason)
		}
	}
	return siteHold(declaration)
}

var ceiForm = regexp.MustCompile(`^[0-9]{12}$`)

// siteViolation finds what is wrong with the work or the event of a declaration. Both are where
// its service says.
func siteViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	work, event := WorkOf(declaration), EventOf(declaration)
	abroad := declaration.Abroad().Country != ""
	elsewhere := func(municipality string) bool {
		return abroad || municipality != "" && municipality != declaration.Note.Service.MunicipalityCode
	}
	switch {
	case work != nil && !namedByRegistration(*work):
		return rulecatalogue.Breaks(notInLayout, fact.CityWorkByRegistration.Fact())
	case work != nil && !nfse.ValidWorkRegistration(work.Registration):
		return rulecatalogue.Breaks("1229", fact.CityWorkRegistrationInvalid.Fact())
	case work != nil && elsewhere(work.MunicipalityCode), event != nil && elsewhere(event.MunicipalityCode):
		return rulecatalogue.Breaks(notInLayout, fact.CitySiteElsewhere.Fact())
	case event == nil:
		return nil
	case event.Address == nil || event.Foreign != nil || event.Identification != "":
		return rulecatalogue.Breaks(notInLayout, fact.CityEventByAddress.Fact())
	case text.Line(event.Name) == "":
		return rulecatalogue.Breaks("601", fact.EventRefused.Fact())
	case !validDay(event.From):
		return rulecatalogue.Breaks("602", fact.EventRefused.Fact())
	case !validDay(event.Through):
		return rulecatalogue.Breaks("603", fact.EventRefused.Fact())
	case event.Through < event.From:
		return rulecatalogue.Breaks("627", fact.EventRefused.Fact())
	case propertyAddressDefect(event.Address) != nil:
		return rulecatalogue.Breaks(notInLayout, fact.CityEventByAddress.Fact())
	}
	return nil
}

// namedByRegistration reports whether a work is named by its CNO or CEI and by nothing else.
func namedByRegistration(work nfse.Work) bool {
	return ceiForm.MatchString(work.Registration) && work.CIB == "" && work.PropertyNumber == "" &&
		work.Address == nil && work.Foreign == nil && work.TechnicalDocument == ""
}

func validDay(day nfse.Day) bool {
	_, err := nfse.ParseDay(string(day))
	return err == nil
}

// deductionViolation finds a deduction that is not below the price.
func deductionViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	deduction := declaration.Deduction()
	switch {
	case deduction.Percent < 0 || deduction.Cents < 0:
		return rulecatalogue.Breaks("305", fact.DeductionRefused.Fact())
	case deduction.Percent > 100_00, taxes.DeductedCents(declaration) >= declaration.Note.AmountCents &&
		!deduction.None():
		return rulecatalogue.Breaks("304", fact.DeductionRefused.Fact())
	}
	return nil
}

// intermediaryViolation finds what is wrong with an intermediary. The layout has its CPF or CNPJ
// alone: name and address are those that the registers have.
func intermediaryViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	intermediary := declaration.Details.Intermediary
	switch {
	case intermediary == nil:
		return nil
	case intermediary.Foreign != nil:
		return rulecatalogue.Breaks(notInLayout, fact.CityIntermediaryAbroad.Fact())
	case !validTaxID(intermediary.TaxID):
		return rulecatalogue.Breaks("505", fact.IntermediaryRefused.Fact())
	case declaration.ISSWithheldBy() == fiscal.WithheldByTaker:
		return rulecatalogue.Breaks("1419", fact.CityTakerWithholdsBesideIntermediary.Fact())
	}
	return nil
}

// The greatest lengths of what is not cut.
const (
	maxNIF        = 40 // NIF
	maxPostalCode = 11 // cEndPost
)

var countryForm = regexp.MustCompile(`^[A-Z]{2}$`)

// foreignTakerViolation finds what is wrong with a taker abroad.
func foreignTakerViolation(taker nfse.ForeignParty) *rulecatalogue.Violation {
	breaks := func(code string) *rulecatalogue.Violation {
		return rulecatalogue.Breaks(code, fact.ForeignTakerRefused.Fact())
	}
	nif, postal := text.Line(taker.NIF), text.Line(taker.PostalCode)
	switch {
	case (nif == "") == (taker.NoNIF == 0) || utf8.RuneCountInString(nif) > maxNIF || nif != taker.NIF:
		return breaks("243")
	case taker.NoNIF < 0 || taker.NoNIF > 2:
		return breaks("262")
	case text.Line(taker.Name) == "":
		return unprintableText(fieldName)
	case taker.Country == "":
		return breaks("254")
	case taker.Country == "BR":
		return breaks("256")
	case !countryForm.MatchString(taker.Country):
		return breaks("255")
	case text.Line(taker.Region) == "":
		return breaks("257")
	case text.Line(taker.City) == "":
		return breaks("258")
	case postal == "" || utf8.RuneCountInString(postal) > maxPostalCode || postal != taker.PostalCode:
		return breaks("259")
	}
	for _, part := range []struct{ field, given string }{
		{fieldStreet, taker.Street}, {fieldNumber, taker.Number}, {fieldDistrict, taker.District},
	} {
		if part.given != "" && text.Line(part.given) == "" {
			return unprintableText(part.field)
		}
	}
	return nil
}
