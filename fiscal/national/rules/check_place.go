package rules

import (
	"regexp"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// placeViolation finds what is wrong with where the service is rendered. What a work or event
// lacks of it is held: see Hold.
func placeViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	at := place(declaration)
	bySite := taxation.WorkOf(declaration) != nil || taxation.EventOf(declaration) != nil
	switch {
	case at.Abroad() && !schema.ForeignCountry(at.Country):
		return rulecatalogue.Breaks("E0304", fact.ForeignTradeRefused.Fact())
	case at.Abroad() || at.Municipality == "" && bySite:
		return nil
	case !schema.ValidMunicipality(at.Municipality):
		return rulecatalogue.Breaks("E0302", fact.PlaceInvalid.Fact())
	}
	return nil
}

var cibForm = regexp.MustCompile(`^[0-9A-Z]{8}$`)

// worksViolation finds what is wrong with the construction work.
func worksViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	work := taxation.WorkOf(declaration)
	if work == nil {
		return nil
	}
	code := codeOf(declaration)
	switch {
	case !taxation.NeedsWorks(code) && !taxation.NeverTaxed(code):
		return rulecatalogue.Breaks("E0372", fact.WorkRefused.Fact())
	case !oneOf(work.Registration != "", work.CIB != "", work.Address != nil):
		return detailViolation("work.registration")
	case work.Registration != "" && !isLine(work.Registration, schema.MaxWorkRegistration):
		return detailViolation("work.registration")
	case work.CIB != "" && !cibForm.MatchString(work.CIB):
		return detailViolation("work.cib")
	case work.PropertyNumber != "" && !isLine(work.PropertyNumber, schema.MaxPropertyRegistration):
		return detailViolation("work.property_number")
	case work.TechnicalDocument != "" && !isLine(work.TechnicalDocument, schema.MaxTechnicalDocument):
		return detailViolation("work.technical_document")
	case lacksCountry(declaration, work.Foreign):
		return nil
	}
	return siteRules{"E0380", "E0382", "E0384", "E0386", fact.WorkRefused, "work"}.violation(
		place(declaration), work.Address, work.Foreign)
}

// eventViolation finds what is wrong with the event.
func eventViolation(declaration fiscal.Declaration) *rulecatalogue.Violation {
	event := taxation.EventOf(declaration)
	if event == nil {
		return nil
	}
	code := codeOf(declaration)
	switch {
	case !taxation.NeedsEvent(code) && !taxation.NeverTaxed(code):
		return rulecatalogue.Breaks("E0392", fact.EventRefused.Fact())
	case !oneOf(event.Identification != "", event.Address != nil):
		return detailViolation("event.identification")
	case event.Identification != "" && !isLine(event.Identification, schema.MaxEventIdentification):
		return detailViolation("event.identification")
	case !schema.ValidDay(event.From) || !schema.ValidDay(event.Through) || event.Through < event.From:
		return detailViolation("event.through")
	}
	if found := detailText("event.name", event.Name, schema.MaxEventName); found != nil {
		return found
	}
	if lacksCountry(declaration, event.Foreign) {
		return nil
	}
	return siteRules{"E0398", "E0400", "E0402", "E0404", fact.EventRefused, "event"}.violation(
		place(declaration), event.Address, event.Foreign)
}

// lacksCountry reports whether a work or an event is abroad and nothing says in which country, which
// can be set for the service: it is held, see Lacks.
func lacksCountry(declaration fiscal.Declaration, site *nfse.ForeignPlace) bool {
	return site != nil && declaration.Details.Abroad == nil && place(declaration) == taxation.Place{}
}

// siteRules are the rules of where a work or an event is.
type siteRules struct {
	zipCode        string // in Brazil it must be one of the city of the service
	zipCodeAbroad  string // abroad there may be none
	addressAbroad  string // abroad an address of there is needed
	foreignAddress string // in Brazil there may be none

	refused fact.Code
	field   string
}

// violation finds what is wrong with the address of a site.
func (r siteRules) violation(at taxation.Place, address *nfse.PropertyAddress,
	foreign *nfse.ForeignPlace) *rulecatalogue.Violation {
	breaks := func(rule string) *rulecatalogue.Violation { return rulecatalogue.Breaks(rule, r.refused.Fact()) }
	switch {
	case at.Abroad() && address != nil && address.ZipCode != "":
		return breaks(r.zipCodeAbroad)
	case at.Abroad() && (address == nil || foreign == nil):
		return breaks(r.addressAbroad)
	case !at.Abroad() && foreign != nil:
		return breaks(r.foreignAddress)
	case !at.Abroad() && address != nil && !schema.ValidZipCode(address.ZipCode):
		return breaks(r.zipCode)
	case address == nil:
		return nil
	case foreign != nil:
		return firstViolation(foreignPlaceViolation(r.field, *foreign), streetViolation(r.field, *address))
	}
	return streetViolation(r.field, *address)
}

// oneOf reports whether exactly one is true.
func oneOf(given ...bool) bool {
	count := 0
	for _, is := range given {
		if is {
			count++
		}
	}
	return count == 1
}
