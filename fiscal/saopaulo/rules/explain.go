package rules

import "emissor/fiscal"

// Explain says in our words what the code of a rejection means and what a person
// does about it; field is the field of the API that it is about, nil when none.
// An unknown code gets general words. Of a rejected cancellation it says that the
// note stays issued, whatever the code asks for where notes are rejected.
func Explain(kind fiscal.Kind, code string) (explanation, action string, field *string) {
	means, does := rulesFor(kind, code)
	if kind == fiscal.Issue && means.Field != "" {
		field = &means.Field
	}
	return means.Explanation, does.Action, field
}

// ExplainInPortuguese says the same as Explain to people of the dashboard. known is
// false where the words are the general ones for unknown codes.
func ExplainInPortuguese(kind fiscal.Kind, code string) (explanation, action string, known bool) {
	means, does := rulesFor(kind, code)
	_, known = ruleOf(code)
	return portuguese[nameOf(means)].Explanation, portuguese[nameOf(does)].Action, known
}

// rulesFor finds the rule that says what a code means, and the one that says what a
// person does about it, which is a general one where notes are rejected by the code and
// a cancellation was.
func rulesFor(kind fiscal.Kind, code string) (means, does Rule) {
	rule, known := ruleOf(code)
	switch {
	case !known:
		return all.unknown[kind], all.unknown[kind]
	case kind == fiscal.Cancel && !aboutCancelling(code):
		return rule, all.unknown[kind]
	}
	return rule, rule
}

// aboutCancelling reports whether the words for a code are about a cancellation.
func aboutCancelling(code string) bool {
	switch code {
	case "323", "324", "386", "1303", "1304", "1305", "1306":
		return true
	}
	return false
}

// MendedByClassifying reports whether what a person does about a note that was rejected by
// a code is to classify its service anew.
func MendedByClassifying(code string) bool {
	_, does := rulesFor(fiscal.Issue, code)
	return does.Classifies
}

// Disposition returns what a rejection with this code asks for. One that cannot
// be repeated safely asks first, whatever becomes of the note. One that is not known
// decides nothing.
func Disposition(kind fiscal.Kind, code string) fiscal.Disposition {
	rule, _ := ruleOf(code)
	switch {
	case !Known(code):
		return fiscal.Uncatalogued
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

// Known reports whether the catalogue has a code of the city's.
func Known(code string) bool {
	rule, known := ruleOf(code)
	return known && rule.About != AboutEmissor
}

func ruleOf(code string) (Rule, bool) {
	rule, known := all.errors[code]
	if !known {
		rule, known = all.alerts[code]
	}
	return rule, known
}
