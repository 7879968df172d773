package rules

import (
	"fmt"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/nfse"
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
	code    string
	field   string // of the API; empty leaves it to the rule
	message string // what is wrong, in a few words
}

// breaks is the violation of a rule that names its own field.
func breaks(code, message string) *violation { return &violation{code: code, message: message} }

// rejection is a violation as the API shows it.
func (v *violation) rejection() *nfse.Rejection {
	explanation, action, field := Explain(fiscal.Issue, v.code)
	if v.field != "" {
		field = &v.field
	}
	return &nfse.Rejection{
		Source:      nfse.RejectedByService,
		Code:        v.code,
		Message:     v.message,
		Field:       field,
		Explanation: explanation + " Emissor checked this itself: nothing was sent to the authority.",
		Action:      action,
	}
}

// profileViolation finds what is wrong with the organization's own data.
func profileViolation(declaration fiscal.Declaration) *violation {
	fault := findProfileFault(declaration.Issuer)
	if fault == nil {
		return nil
	}
	return breaks(fault.code,
		fmt.Sprintf("The organization's fiscal profile cannot be issued with: %s %s.", fault.field, fault.message))
}

// amountViolation finds an amount that no note can carry.
func amountViolation(declaration fiscal.Declaration) *violation {
	if amount := declaration.Note.AmountCents; amount < 1 || amount > nfse.MaxAmountCents {
		return breaks("amount_out_of_range", "The amount is out of range.")
	}
	return nil
}

// textViolation finds a text, already written as its element has it, that the
// element cannot carry.
func textViolation(field, text string, most int) *violation {
	length := utf8.RuneCountInString(text)
	switch {
	case length == 0:
		return &violation{"text_not_printable", field, field + " has no character that a fiscal document can carry."}
	case length > most:
		return &violation{"text_too_long", field,
			fmt.Sprintf("%s has %d characters, and a fiscal document carries at most %d.", field, length, most)}
	}
	return nil
}
