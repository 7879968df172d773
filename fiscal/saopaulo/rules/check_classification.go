package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/text"
	"emissor/nfse"
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
func classificationObjection(c *nfse.Classification) *fiscal.Objection {
	const classify = ": give it by emissor service classify"
	switch {
	case c == nil:
		return unclassified("the service has no classification for IBS and CBS, which layout 2 requires" + classify)
	case c.IndFinal == nil:
		return unclassified("the classification of the service does not say whether it is for personal use " +
			"(indFinal, 293), which layout 2 requires" + classify)
	case slices.Contains(operationsWithEvents, c.CIndOp):
		rejection := breaks("637", "The indicator of the operation "+c.CIndOp+" needs a description of the event.")
		return &fiscal.Objection{Rejection: rejection.rejection()}
	}
	if found := layoutFault(*c); found != nil {
		return misclassified(found)
	}
	return nil
}

// misclassified holds a note whose classification cannot be sent.
func misclassified(found *classification.Fault) *fiscal.Objection {
	return unclassified(fmt.Sprintf("the classification of the service cannot be sent: %s %s (%s): "+
		"give it by emissor service classify", found.Field, found.Message, found.Rule))
}

func unclassified(hold string) *fiscal.Objection {
	return &fiscal.Objection{Hold: hold, Unclassified: true}
}

// layoutFault says what of a classification the layout cannot carry, or would drop.
func layoutFault(c nfse.Classification) *classification.Fault {
	regular := c.RegularTaxation
	switch {
	case !nbsForm.MatchString(c.NBS):
		return fault("268", "nbs", "must be %d digits", 9)
	case !sixDigits.MatchString(c.CIndOp):
		return fault("294", "cindop", "must be %d digits", 6)
	case !sixDigits.MatchString(c.CClassTrib):
		return fault("273", "cclasstrib", "must be %d digits", 6)
	case regular != nil && !sixDigits.MatchString(regular.CClassTrib):
		return fault("274", "cclasstrib-reg", "must be %d digits", 6)
	case c.Deferral != nil:
		return fault(classification.RuleSchema, "pdif-uf", "must not be given: the city's layout has no deferral")
	case c.CCredPres != nil:
		return fault(classification.RuleSchema, "ccredpres",
			"must not be given: the city's layout has no presumed credit")
	case c.TpOper != nil && (*c.TpOper == 2 || *c.TpOper == 3):
		return fault("297", "tp-oper", "must be 1, 4 or 5: 2 and 3 refer to another NFS-e, which is not supported")
	case c.TpOper != nil && (*c.TpOper < 1 || *c.TpOper > 5):
		return fault(classification.RuleSchema, "tp-oper", "must be 1, 4 or 5")
	case c.TpEnteGov != nil && (*c.TpEnteGov < 1 || *c.TpEnteGov > 4):
		return fault("619", "tp-ente-gov", "must be 1 (union), 2 (state), 3 (federal district) or 4 (city)")
	case c.TpEnteGov != nil && c.TpOper == nil:
		return fault("295", "tp-oper", "must be given with tp-ente-gov")
	}
	return propertyFault(c)
}

func propertyFault(c nfse.Classification) *classification.Fault {
	const field = "property-cib"
	property := c.Property
	switch {
	case property == nil && aboutProperty(c.CIndOp):
		return fault("620", field, "or the address of the property must be given with the cIndOp %s", c.CIndOp)
	case property == nil:
		return nil
	case !aboutProperty(c.CIndOp):
		return fault("621", field, "and the other parts of a property must not be given with the cIndOp %s: "+
			"they are for those that begin with 02", c.CIndOp)
	case property.CIB != nil && property.Address != nil:
		return fault(classification.RuleSchema, field, "or an address of the property must be given, and not both")
	case property.Address == nil && (property.CIB == nil || !cibForm.MatchString(*property.CIB)):
		return fault("270", field, "must be 8 capital letters and digits")
	case dropped(property.Registration):
		return unprintable("property-registration")
	}
	return propertyAddressFault(property.Address)
}

func propertyAddressFault(address *nfse.PropertyAddress) *classification.Fault {
	if address == nil {
		return nil
	}
	switch {
	case !zipCodeForm.MatchString(address.ZipCode) || address.ZipCode < "01":
		return fault("260", "property-zip-code", "must be 8 digits")
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

func unprintable(field string) *classification.Fault {
	return fault(classification.RuleSchema, field, "must be given, in characters that documents carry")
}

func fault(rule, field, format string, args ...any) *classification.Fault {
	return &classification.Fault{Rule: rule, Field: field, Message: fmt.Sprintf(format, args...)}
}
