package rules

import (
	"strings"

	"emissor/fiscal"
)

// Name is the national system's in fiscal profiles, task queues and metrics.
const Name = "national"

// Explain says in our words what the code of a rejection means and what a person
// does about it; field is the field of the API that it is about, nil when none.
// An unknown code gets general words. Of a rejected cancellation it says that the
// note stays issued, whatever the code asks for where documents are rejected; of a
// rejected document it does not, though the code be one of events.
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
	_, known = all.byCode[code]
	return portuguese[means.Code].Explanation, portuguese[does.Code].Action, known
}

// rulesFor finds the rule that says what a code means, and the one that says what a
// person does about it, which is a general one where the code is of the other kind of
// exchange.
func rulesFor(kind fiscal.Kind, code string) (means, does Rule) {
	rule, known := all.byCode[code]
	switch {
	case !known:
		return all.unknown[kind], all.unknown[kind]
	case kind == fiscal.Cancel && rule.About != AboutCancellation:
		return rule, all.unknown[kind]
	case kind == fiscal.Issue && (rule.About == AboutCancellation || rule.About == aboutOtherEvents):
		return rule, all.unknown[kind]
	}
	return rule, rule
}

// MendedByClassifying reports whether what a person does about a note that was rejected by
// a code is to classify its service anew.
func MendedByClassifying(code string) bool {
	_, does := rulesFor(fiscal.Issue, code)
	return does.Classifies
}

// Disposition returns what a rejection with this code asks for. A code that the
// catalogue does not have decides nothing, whatever its form: E999 is the authority's
// own word for a failure that it has not catalogued. The complement is the validator's
// text that comes with a code of the schema.
func Disposition(code, complement string) fiscal.Disposition {
	rule, known := all.byCode[code]
	switch {
	case !known:
		return fiscal.Uncatalogued
	case (code == "E1235" || code == "RNG6110") && LayoutAskedFor(complement) != "":
		return fiscal.SignAgain
	}
	return rule.Disposition
}

// LayoutAskedFor returns the layout that the authority's schema wants, by the
// complement of a rejection: nt009 where it expected an element that only the
// layout of technical note NT 009 has. Empty when it does not say.
func LayoutAskedFor(complement string) string {
	_, expected, _ := strings.Cut(strings.ToLower(complement), "expected")
	if strings.Contains(expected, "finnfse") {
		return "nt009"
	}
	return ""
}
