package rules

import (
	"errors"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Check refuses what the authority's rules would reject or no layout can carry,
// as far as our data tell. Of several violations it finds always the same first;
// nothing that it decides depends on the moment.
func Check(declaration fiscal.Declaration) *nfse.Rejection {
	for _, find := range []func(fiscal.Declaration) *rulecatalogue.Violation{
		profileViolation, serviceViolation, placeViolation, worksViolation, eventViolation,
		customerViolation, addressViolation, intermediaryViolation,
		issViolation, abroadViolation, withholdingViolation, rateViolation,
		amountViolation, discountViolation, deductionViolation, reductionViolation, replacementViolation,
		federalViolation,
	} {
		if found := find(declaration); found != nil {
			return Catalogue.Refuse(found)
		}
	}
	return nil
}

// GroupsObjection says what of the groups beyond the API the authority would refuse, or what of
// them is not whole, as far as it can be told without parameters of cities.
func GroupsObjection(declaration fiscal.Declaration) fact.Fact {
	if serviceViolation(declaration) != nil {
		return fact.Fact{} // it is said of the service
	}
	finders := []func(fiscal.Declaration) *rulecatalogue.Violation{
		placeViolation, worksViolation, eventViolation, intermediaryViolation, issViolation, abroadViolation,
		discountViolation, deductionViolation, reductionViolation, federalViolation,
	}
	if declaration.Details.ForeignTaker != nil {
		finders = append(finders, foreignTakerViolation, withholdingViolation)
	}
	for _, find := range finders {
		if found := find(declaration); found != nil {
			return fact.WouldBeRefused.With("code", found.Code, "why", found.Reason)
		}
	}
	return Lacks(declaration)
}

// GroupsDefect is an error where Check refuses the groups beyond the API, or Lacks finds them not
// whole: no document is made of them.
func GroupsDefect(declaration fiscal.Declaration) error {
	if refused := Check(declaration); refused != nil {
		return errors.New(refused.Code + ": " + refused.Message)
	}
	if missing := Lacks(declaration); !missing.None() {
		return errors.New(missing.English())
	}
	return nil
}

// profileViolation finds what is wrong with the organization's own data.
func profileViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	defect := findProfileDefect(declaration.Issuer)
	if defect == nil {
		return nil
	}
	return rulecatalogue.Breaks(defect.code, fact.ProfileRefused.With("field", defect.field, "why", defect.reason))
}

// amountViolation finds an amount that no note can carry.
func amountViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	if amount := declaration.Note.AmountCents; amount < 1 || amount > nfse.MaxAmountCents {
		return rulecatalogue.Breaks("amount_out_of_range", fact.AmountOutOfRange.Fact())
	}
	return nil
}

// textViolation finds a text, already written as its element has it, that the
// element cannot carry.
func textViolation(field, text string, most int) *rulecatalogue.Violation {
	length := utf8.RuneCountInString(text)
	switch {
	case length == 0:
		return rulecatalogue.BreaksBy("text_not_printable", field, fact.TextNotPrintable.With("field", field))
	case length > most:
		return rulecatalogue.BreaksBy("text_too_long", field,
			fact.TextTooLong.With("field", field, "characters", length, "most", most))
	}
	return nil
}
