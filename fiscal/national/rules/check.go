package rules

import (
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Check refuses what the authority's rules would reject or no layout can carry,
// as far as our data tell. Of several violations it finds always the same first;
// nothing that it decides depends on the moment.
func Check(declaration fiscal.Declaration) *nfse.Rejection {
	for _, find := range []func(fiscal.Declaration) *violation{
		profileViolation, serviceViolation, customerViolation, addressViolation,
		withholdingViolation, rateViolation, amountViolation,
	} {
		if found := find(declaration); found != nil {
			return found.rejection()
		}
	}
	return nil
}

// violation is a rule that a declaration would break.
type violation struct {
	code   string
	field  string    // of the API; empty leaves it to the rule
	reason fact.Fact // what is wrong
}

// breaks is the violation of a rule that names its own field.
func breaks(code string, reason fact.Fact) *violation { return &violation{code: code, reason: reason} }

// rejection is a violation as the API shows it.
func (v *violation) rejection() *nfse.Rejection {
	explanation, action, field := Explain(fiscal.Issue, v.code)
	remark := fact.CheckedHere.Fact()
	if v.field != "" {
		field = &v.field
	}
	return &nfse.Rejection{
		Source:      nfse.RejectedByService,
		Code:        v.code,
		Message:     v.reason.English(),
		Field:       field,
		Explanation: explanation + " " + remark.English(),
		Action:      action,
		Wording:     nfse.Wording{Reason: v.reason, Catalogue: Name, Remark: remark},
	}
}

// profileViolation finds what is wrong with the organization's own data.
func profileViolation(declaration fiscal.Declaration) *violation {
	fault := findProfileFault(declaration.Issuer)
	if fault == nil {
		return nil
	}
	return breaks(fault.code, fact.ProfileRefused.With("field", fault.field, "why", fault.reason))
}

// amountViolation finds an amount that no note can carry.
func amountViolation(declaration fiscal.Declaration) *violation {
	if amount := declaration.Note.AmountCents; amount < 1 || amount > nfse.MaxAmountCents {
		return breaks("amount_out_of_range", fact.AmountOutOfRange.Fact())
	}
	return nil
}

// textViolation finds a text, already written as its element has it, that the
// element cannot carry.
func textViolation(field, text string, most int) *violation {
	length := utf8.RuneCountInString(text)
	switch {
	case length == 0:
		return &violation{"text_not_printable", field, fact.TextNotPrintable.With("field", field)}
	case length > most:
		return &violation{"text_too_long", field,
			fact.TextTooLong.With("field", field, "characters", length, "most", most)}
	}
	return nil
}
