package rulecatalogue

import (
	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Rejection is what an authority said no to, by a code and in its words, explained in
// ours.
func (c *Catalogue) Rejection(kind fiscal.Kind, code, said string) *nfse.Rejection {
	explanation, action, field := c.Explain(kind, code)
	return &nfse.Rejection{
		Source: nfse.RejectedByAuthority, Code: code, Message: said, Field: field,
		Explanation: explanation, Action: action, Wording: nfse.Wording{Catalogue: c.name},
	}
}

// Violation is a rule that a declaration would break.
type Violation struct {
	Code   string
	Field  string    // of the API; empty leaves it to the rule
	Reason fact.Fact // what is wrong
}

// Breaks is the violation of a rule that names its own field.
func Breaks(code string, reason fact.Fact) *Violation { return &Violation{Code: code, Reason: reason} }

// BreaksBy is the violation of a rule by a field.
func BreaksBy(code, field string, reason fact.Fact) *Violation {
	return &Violation{code, field, reason}
}

// Refuse is a violation as the API shows it: the authority's rule, and that we checked it.
func (c *Catalogue) Refuse(v *Violation) *nfse.Rejection {
	explanation, action, field := c.Explain(fiscal.Issue, v.Code)
	remark := fact.CheckedHere.Fact()
	if v.Field != "" {
		field = &v.Field
	}
	return &nfse.Rejection{
		Source: nfse.RejectedByService, Code: v.Code, Message: v.Reason.English(), Field: field,
		Explanation: explanation + " " + remark.English(), Action: action,
		Wording: nfse.Wording{Reason: v.Reason, Catalogue: c.name, Remark: remark},
	}
}
