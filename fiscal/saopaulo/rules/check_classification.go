package rules

import (
	"regexp"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/rulecatalogue"
	"emissor/internal/text"
	"emissor/nfse"
	"emissor/nfse/fact"
)

var (
	nbsForm   = regexp.MustCompile(`^[0-9]{9}$`)
	sixDigits = regexp.MustCompile(`^[0-9]{6}$`)
	cibForm   = regexp.MustCompile(`^[0-9A-Z]{8}$`)
)

// operationsWithEvents are the indicators of the operation that need an event (637).
var operationsWithEvents = []string{"040101"}

// aboutProperty reports whether an operation takes place where a property is: these need
// its data (620), and no others may have them (621).
func aboutProperty(cIndOp string) bool { return strings.HasPrefix(cIndOp, "02") }

// classificationObjection holds a note until its service is classified as the
// layout wants it: the group IBSCBS and the NBS are always sent.
func classificationObjection(declaration fiscal.Declaration) *fiscal.Objection {
	c := declaration.Classification
	switch {
	case c == nil:
		return unclassified(fact.CityClassificationMissing.Fact())
	case c.IndFinal == nil:
		return unclassified(fact.CityClassificationUnsaid.Fact())
	case slices.Contains(operationsWithEvents, c.CIndOp) && EventOf(declaration) == nil:
		rejection := rulecatalogue.Breaks("637", fact.OperationEventNotDescribed.With("indicator", c.CIndOp))
		return &fiscal.Objection{Rejection: Catalogue.Refuse(rejection)}
	}
	if found := layoutDefect(*c); found != nil {
		return misclassified(found)
	}
	return nil
}

// misclassified holds a note whose classification cannot be sent.
func misclassified(found *classification.Defect) *fiscal.Objection {
	return unclassified(fact.CityClassificationRefused.With("field", found.Field, "why", found.Reason,
		"rule", found.Rule))
}

func unclassified(hold fact.Fact) *fiscal.Objection {
	return &fiscal.Objection{Hold: hold, Unclassified: true}
}

// layoutDefect says what of a classification the layout cannot carry, or would drop.
func layoutDefect(c nfse.Classification) *classification.Defect {
	regular := c.RegularTaxation
	switch {
	case !nbsForm.MatchString(c.NBS):
		return defect("268", "nbs", fact.MustBeDigits.With("digits", 9))
	case !sixDigits.MatchString(c.CIndOp):
		return defect("294", "cindop", fact.MustBeDigits.With("digits", 6))
	case !sixDigits.MatchString(c.CClassTrib):
		return defect("273", "cclasstrib", fact.MustBeDigits.With("digits", 6))
	case regular != nil && !sixDigits.MatchString(regular.CClassTrib):
		return defect("274", "cclasstrib-reg", fact.MustBeDigits.With("digits", 6))
	case c.Deferral != nil:
		return defect(classification.RuleSchema, "pdif-uf", fact.CityHasNoDeferral.Fact())
	case c.CCredPres != nil:
		return defect(classification.RuleSchema, "ccredpres", fact.CityHasNoPresumedCredit.Fact())
	case c.TpOper != nil && (*c.TpOper == 2 || *c.TpOper == 3):
		return defect("297", "tp-oper", fact.OperationOfAnotherNote.Fact())
	case c.TpOper != nil && (*c.TpOper < 1 || *c.TpOper > 5):
		return defect(classification.RuleSchema, "tp-oper", fact.OperationUnknown.Fact())
	case c.TpEnteGov != nil && (*c.TpEnteGov < 1 || *c.TpEnteGov > 4):
		return defect("619", "tp-ente-gov", fact.GovernmentUnknown.Fact())
	case c.TpEnteGov != nil && c.TpOper == nil:
		return defect("295", "tp-oper", fact.CityOperationMissing.Fact())
	}
	return propertyDefect(c)
}

func propertyDefect(c nfse.Classification) *classification.Defect {
	const field = "property-cib"
	property := c.Property
	switch {
	case property == nil && aboutProperty(c.CIndOp):
		return defect("620", field, fact.PropertyMissing.With("indicator", c.CIndOp))
	case property == nil:
		return nil
	case !aboutProperty(c.CIndOp):
		return defect("621", field, fact.CityPropertyForbidden.With("indicator", c.CIndOp))
	case property.CIB != nil && property.Address != nil:
		return defect(classification.RuleSchema, field, fact.PropertyTwice.Fact())
	case property.Address == nil && (property.CIB == nil || !cibForm.MatchString(*property.CIB)):
		return defect("270", field, fact.MustBeCIB.Fact())
	case dropped(property.Registration):
		return unprintable("property-registration")
	}
	return propertyAddressDefect(property.Address)
}

func propertyAddressDefect(address *nfse.PropertyAddress) *classification.Defect {
	if address == nil {
		return nil
	}
	switch {
	case !zipCodeForm.MatchString(address.ZipCode) || address.ZipCode < "01":
		return defect("260", "property-zip-code", fact.MustBeDigits.With("digits", 8))
	case dropped(&address.Street):
		return unprintable("property-street")
	case dropped(&address.Number):
		return unprintable("property-number")
	case dropped(&address.District):
		return unprintable("property-district")
	case dropped(address.Complement):
		return unprintable("property-complement")
	}
	return nil
}

// dropped reports whether a text that is given has no character that a document carries.
func dropped(s *string) bool { return s != nil && text.Line(*s) == "" }

func unprintable(field string) *classification.Defect {
	return defect(classification.RuleSchema, field, fact.MustBePrintable.Fact())
}

func defect(rule, field string, reason fact.Fact) *classification.Defect {
	return &classification.Defect{Rule: rule, Field: field, Reason: reason}
}
