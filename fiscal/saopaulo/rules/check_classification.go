package rules

import (
	"regexp"
	"slices"

	"emissor/fiscal"
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
	if fault := classificationFault(*c); fault != "" {
		return unclassified("the classification of the service cannot be sent: " + fault + classify)
	}
	return nil
}

// Misclassified reports whether notes of a service with this classification are held or
// refused for it.
func Misclassified(c *nfse.Classification) bool { return classificationObjection(c) != nil }

func unclassified(hold string) *fiscal.Objection {
	return &fiscal.Objection{Hold: hold, Unclassified: true}
}

// classificationFault says what of a classification has not the form that the
// layout wants.
func classificationFault(c nfse.Classification) string {
	regular, property := c.RegularTaxation, c.Property
	switch {
	case !nbsForm.MatchString(c.NBS):
		return "cNBS has not 9 digits (268)"
	case !sixDigits.MatchString(c.CIndOp):
		return "cIndOp has not 6 digits (294)"
	case !sixDigits.MatchString(c.CClassTrib):
		return "cClassTrib has not 6 digits (273)"
	case regular != nil && !sixDigits.MatchString(regular.CClassTrib):
		return "cClassTribReg has not 6 digits (274)"
	case c.TpOper != nil && (*c.TpOper < 1 || *c.TpOper > 5):
		return "tpOper is not from 1 to 5"
	case c.TpEnteGov != nil && (*c.TpEnteGov < 1 || *c.TpEnteGov > 4):
		return "tpEnteGov is not from 1 to 4 (619)"
	case property != nil && property.Address == nil && (property.CIB == nil || !cibForm.MatchString(*property.CIB)):
		return "the property has neither an address nor a cCIB of 8 characters (270)"
	case property != nil && property.Address != nil && !wholeAddress(*property.Address):
		return "the address of the property is not whole"
	}
	return ""
}

func wholeAddress(a nfse.PropertyAddress) bool {
	return zipCodeForm.MatchString(a.ZipCode) && a.ZipCode > "01" && text.Line(a.Street) != "" &&
		text.Line(a.Number) != "" &&
		text.Line(a.District) != ""
}
