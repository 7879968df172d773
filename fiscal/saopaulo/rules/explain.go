package rules

import "emissor/fiscal"

// Explain says in our words what the code of a rejection means and what a person
// does about it; field is the field of the API that it is about, nil when none.
// An unknown code gets general words. Of a rejected cancellation it says that the
// note stays issued, whatever the code asks for where notes are rejected.
func Explain(kind fiscal.Kind, code string) (explanation, action string, field *string) {
	rule, known := ruleOf(code)
	switch {
	case !known:
		rule = all.unknown[kind]
	case kind == fiscal.Cancel && !aboutCancelling(code):
		rule.Action = all.unknown[kind].Action
	}
	if kind == fiscal.Issue && rule.Field != "" {
		field = &rule.Field
	}
	return rule.Explanation, rule.Action, field
}

// aboutCancelling reports whether the words for a code are about a cancellation.
func aboutCancelling(code string) bool {
	switch code {
	case "323", "324", "386", "1303", "1304", "1305", "1306":
		return true
	}
	return false
}

// Disposition returns what a rejection with this code asks for. One that cannot
// be repeated safely asks first, whatever becomes of the note. A code that is not
// known is final.
func Disposition(kind fiscal.Kind, code string) fiscal.Disposition {
	rule, known := ruleOf(code)
	switch {
	case !known:
		return fiscal.Final
	case kind == fiscal.Cancel && code != generalError && asksFirst(rule.Disposition):
		return fiscal.Final // what is asked about first is what an RPS may have made
	}
	return rule.Disposition
}

// generalError is the city's word for a cancellation that failed, it does not say
// why.
const generalError = "1304"

func asksFirst(disposition fiscal.Disposition) bool {
	return disposition == fiscal.AlreadyExists || disposition == fiscal.NeedsConfirmation
}

func ruleOf(code string) (Rule, bool) {
	rule, known := all.errors[code]
	if !known {
		rule, known = all.alerts[code]
	}
	return rule, known
}
