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
// and holds what lacks something that can be set for its service or customer, what needs a
// classification and has none, and what is of a day later than today. nil means that it may be sent.
func (c Checker) Check(declaration fiscal.Declaration, today nfse.Day) *fiscal.Objection {
	day := declaration.Note.Competence
	if rejection := Check(declaration); rejection != nil {
		return &fiscal.Objection{Rejection: rejection}
	}
	if missing := Lacks(declaration); !missing.None() {
		return &fiscal.Objection{Hold: missing, Untaxed: true}
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
	if declaration.Classification == nil && taxation.ExportOfDeclaration(declaration).ForeignTrade {
		return &fiscal.Objection{Unclassified: true,
			Hold: fact.NBSMissing.With("service", declaration.Note.Service.ID)}
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

// classificationViolation finds what is wrong with the group IBSCBS, and with an NBS code that is
// sent without it.
func (c Checker) classificationViolation(declaration fiscal.Declaration, day nfse.Day) *rulecatalogue.Violation {
	if !c.IBSCBS.Sent(declaration, day) {
		return c.nbsViolation(declaration, day)
	}
	classified, code := *declaration.Classification, *declaration.Note.Service.NationalTaxCode
	if defect := c.Tables(string(day)).Defect(classified, code); defect != nil {
		rule := defect.Rule
		if rule == classification.RuleSchema || rule == classification.RuleTable {
			rule = classificationInvalid
		}
		return rulecatalogue.Breaks(rule, fact.ClassificationRefused.With("field", defect.Field, "why", defect.Reason))
	}
	switch {
	case classified.Property != nil && taxation.ForbidsProperty(code):
		return rulecatalogue.Breaks("E0931", fact.PropertyRefused.Fact())
	case classified.Property != nil && place(declaration).Abroad():
		return rulecatalogue.Breaks("E0934", fact.PropertyRefused.Fact())
	case declaration.Details.ForeignTaker != nil:
		return nil // its address is always there
	}
	missing := MissingAddressField(declaration.Note.Customer.Address)
	if missing != "" && taxation.PlacedAtTaker(classified.CIndOp) {
		return rulecatalogue.BreaksBy("E0234", missing,
			fact.AddressLacksForOperation.With("indicator", classified.CIndOp, "field", missing))
	}
	return nil
}

// nbsViolation finds an NBS code that is sent and is not one.
func (c Checker) nbsViolation(declaration fiscal.Declaration, day nfse.Day) *rulecatalogue.Violation {
	if declaration.Classification == nil || !taxation.ExportOfDeclaration(declaration).ForeignTrade {
		return nil
	}
	nbs := declaration.Classification.NBS
	if _, known := c.Tables(string(day)).NBS(nbs); known {
		return nil
	}
	return rulecatalogue.Breaks("E0316",
		fact.ClassificationRefused.With("field", "nbs", "why", fact.NBSUnknown.With("nbs", nbs)))
}
