package national

import (
	"fmt"
	"time"

	"emissor/fiscal"
	"emissor/nfse"
)

// offence is a rule that a document would break.
type offence struct {
	code    string
	field   string // of the API; empty leaves it to the rule
	message string // what is wrong, in a few words
}

// check refuses what the authority's rules would reject or no layout can carry,
// as far as our data tell. The first offence wins, always the same one; nothing
// that it decides depends on the moment.
func check(document fiscal.Document, _ time.Time) *nfse.Rejection {
	for _, find := range []func(fiscal.Document) *offence{
		profileOffence, serviceOffence, takerOffence, addressOffence, withholdingOffence, rateOffence, amountOffence,
	} {
		if found := find(document); found != nil {
			return found.rejection()
		}
	}
	return nil
}

// rejection is an offence as the API shows it.
func (o *offence) rejection() *nfse.Rejection {
	explanation, action, field := explain(o.code)
	if o.field != "" {
		field = &o.field
	}
	return &nfse.Rejection{
		Source:      nfse.RejectedByService,
		Code:        o.code,
		Message:     o.message,
		Field:       field,
		Explanation: explanation + " Emissor checked this itself: nothing was sent to the authority.",
		Action:      action,
	}
}

// profileOffence finds what is wrong with the organization's own data.
func profileOffence(document fiscal.Document) *offence {
	fault := faultOf(document.Issuer)
	if fault == nil {
		return nil
	}
	return &offence{code: fault.code, message: fmt.Sprintf("The organization's fiscal profile cannot be issued with: %s %s.", fault.field, fault.words)}
}

// amountOffence refuses what no note can carry.
func amountOffence(document fiscal.Document) *offence {
	if amount := document.Note.AmountCents; amount < 1 || amount > nfse.MaxAmountCents {
		return &offence{code: "amount_out_of_range", message: "The amount is out of range."}
	}
	return nil
}
