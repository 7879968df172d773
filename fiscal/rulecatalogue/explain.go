package rulecatalogue

import "emissor/fiscal"

// Explain says in our words what the code of a rejection means and what a person does about it; field is the field of
// the API that it is about, nil when none. An unknown code gets general words. Of a rejected cancellation it says
// that the note stays issued, no matter what the code asks for where documents are rejected; of a rejected document
// it does not, even if the code is one of cancellations.
func (c *Catalogue) Explain(kind fiscal.Kind, code string) (explanation, action string, field *string) {
	means, does := c.rulesFor(kind, code)
	if kind == fiscal.Issue && means.Field != "" {
		field = &means.Field
	}
	return means.Explanation, does.Action, field
}

// ExplainInPortuguese says the same as Explain to people of the dashboard. known is
// false where the words are the general ones for unknown codes.
func (c *Catalogue) ExplainInPortuguese(kind fiscal.Kind, code string) (explanation, action string, known bool) {
	means, does := c.rulesFor(kind, code)
	_, known = c.Rule(code)
	return means.Portuguese.Explanation, does.Portuguese.Action, known
}

// CorrectedByClassifying reports whether what a person does about a note that was rejected by a code is to classify
// its service again.
func (c *Catalogue) CorrectedByClassifying(code string) bool {
	_, does := c.rulesFor(fiscal.Issue, code)
	return does.Classifies
}

// rulesFor finds the rule that says what a code means, and the one that says what a
// person does about it.
func (c *Catalogue) rulesFor(kind fiscal.Kind, code string) (means, does Rule) {
	rule, known := c.Rule(code)
	switch {
	case !known:
		return c.General(kind), c.General(kind)
	case !c.acts(kind, rule):
		return rule, c.General(kind)
	}
	return rule, rule
}

// acts reports whether a rule's words on what a person does apply to an exchange of this kind.
func (c *Catalogue) acts(kind fiscal.Kind, rule Rule) bool {
	if _, own := c.Own(rule.Code); !own && c.base != nil {
		return c.base.acts(kind, rule)
	}
	return c.actsIn(kind, rule)
}
