package rules

import (
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
		profileViolation, serviceViolation, customerViolation, addressViolation,
		withholdingViolation, rateViolation, amountViolation,
	} {
		if found := find(declaration); found != nil {
			return Catalogue.Refuse(found)
		}
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
