package rules

import (
	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Checker checks declarations by what depends on the day of competence too: when
// the group IBSCBS is required, and the tables by which a service is classified.
type Checker struct {
	IBSCBS taxation.IBSCBS
	Tables func(day string) classification.Tables // those in force on a day of competence
	// Reload reads tables that were imported since: nothing is refused by older ones.
	// nil where there are none but those that are built in.
	Reload func() error
}

// Check refuses what Check does and what the tables of its day of competence refuse,
// and holds what needs a classification and has none, and what is of a day later than
// today. nil means that it may be sent.
func (c Checker) Check(declaration fiscal.Declaration, today nfse.Day) *fiscal.Objection {
	day := declaration.Note.Competence
	if rejection := Check(declaration); rejection != nil {
		return &fiscal.Objection{Rejection: rejection}
	}
	if hold := Hold(declaration); !hold.None() {
		return &fiscal.Objection{Hold: hold}
	}
	if day > today {
		return &fiscal.Objection{Hold: fact.CompetenceNotBegun.With("day", day, "today", today)}
	}
	if declaration.Classification == nil && c.IBSCBS.Required(day) {
		return &fiscal.Objection{Unclassified: true, Hold: fact.ClassificationRequired.With(
			"from", c.IBSCBS.RequiredFrom, "service", declaration.Note.Service.ID)}
	}
	if !c.IBSCBS.Sent(declaration, day) {
		return nil
	}
	found := c.classificationViolation(declaration, day)
	if found != nil && c.Reload != nil {
		if err := c.Reload(); err != nil {
			return &fiscal.Objection{Hold: fact.ClassificationTablesUnread.With("why", found.Reason)}
		}
		found = c.classificationViolation(declaration, day)
	}
	if found == nil {
		return nil
	}
	return &fiscal.Objection{Rejection: Catalogue.Refuse(found)}
}

// classificationInvalid is the code of what no rule of the authority is about.
const classificationInvalid = "classification_invalid"

// classificationViolation finds what is wrong with the group IBSCBS.
func (c Checker) classificationViolation(declaration fiscal.Declaration, day nfse.Day) *rulecatalogue.Violation {
	classified, code := *declaration.Classification, *declaration.Note.Service.NationalTaxCode
	if defect := c.Tables(string(day)).Defect(classified, code); defect != nil {
		rule := defect.Rule
		if rule == classification.RuleSchema || rule == classification.RuleTable {
			rule = classificationInvalid
		}
		return rulecatalogue.Breaks(rule, fact.ClassificationRefused.With("field", defect.Field, "why", defect.Reason))
	}
	missing := MissingAddressField(declaration.Note.Customer.Address)
	if missing != "" && taxation.PlacedAtTaker(classified.CIndOp) {
		return rulecatalogue.BreaksBy("E0234", missing,
			fact.AddressLacksForOperation.With("indicator", classified.CIndOp, "field", missing))
	}
	return nil
}
