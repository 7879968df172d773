package catalogue

import (
	"errors"
	"strings"

	"emissor/nfse"
)

// The fields of a work and of an event of the registers, by their names in forms and, with
// hyphens, in commands.
var (
	WorkFields = []string{
		"name", "registration", "cib", "property_number", "technical_document", "municipality_code", "zip_code",
		"street", "number", "complement", "district", "postal_code", "city", "region",
	}
	CulturalEventFields = []string{
		"name", "from", "through", "identification", "municipality_code", "zip_code", "street", "number", "complement",
		"district", "postal_code", "city", "region",
	}
)

// ReadWork reads a work of the register from the texts of WorkFields. Every error is an
// *nfse.Error of a field.
func ReadWork(texts map[string]string) (work nfse.Work, problems []*nfse.Error) {
	r := reader{texts: texts}
	work = nfse.Work{
		Name:           r.needed("name", CustomerName),
		Registration:   r.text("registration", WorkRegistration),
		CIB:            r.text("cib", cib),
		PropertyNumber: r.text("property_number", upTo(30)), TechnicalDocument: r.text("technical_document", upTo(40)),
	}
	work.MunicipalityCode, work.Address, work.Foreign = r.place()
	r.one("registration", work.Registration != "", work.CIB != "", work.Address != nil)
	return work, r.problems
}

// ReadCulturalEvent reads an event of the register from the texts of CulturalEventFields.
func ReadCulturalEvent(texts map[string]string) (event nfse.CulturalEvent, problems []*nfse.Error) {
	r := reader{texts: texts}
	event = nfse.CulturalEvent{
		Name: r.needed("name", upTo(255)),
		From: nfse.Day(r.needed("from", Competence)), Through: nfse.Day(r.needed("through", Competence)),
		Identification: r.text("identification", upTo(30)),
	}
	event.MunicipalityCode, event.Address, event.Foreign = r.place()
	r.one("identification", event.Identification != "", event.Address != nil)
	if event.Through < event.From {
		r.wrong("through", errors.New("must not be before the first day"))
	}
	return event, r.problems
}

// TextsOfWork are the texts that ReadWork reads a work from.
func TextsOfWork(work nfse.Work) map[string]string {
	return textsOfPlace(work.MunicipalityCode, work.Address, work.Foreign, map[string]string{
		"name": work.Name, "registration": work.Registration, "cib": work.CIB,
		"property_number": work.PropertyNumber, "technical_document": work.TechnicalDocument,
	})
}

// TextsOfCulturalEvent are the texts that ReadCulturalEvent reads an event from.
func TextsOfCulturalEvent(event nfse.CulturalEvent) map[string]string {
	return textsOfPlace(event.MunicipalityCode, event.Address, event.Foreign, map[string]string{
		"name": event.Name, "from": string(event.From), "through": string(event.Through),
		"identification": event.Identification,
	})
}

func textsOfPlace(
	municipality string, address *nfse.PropertyAddress, foreign *nfse.ForeignPlace, texts map[string]string,
) map[string]string {
	texts["municipality_code"] = municipality
	if address != nil {
		texts["zip_code"], texts["street"], texts["number"] = address.ZipCode, address.Street, address.Number
		texts["district"] = address.District
		if address.Complement != nil {
			texts["complement"] = *address.Complement
		}
	}
	if foreign != nil {
		texts["postal_code"], texts["city"], texts["region"] = foreign.PostalCode, foreign.City, foreign.Region
	}
	return texts
}

var (
	registrationForm = whole(`[0-9]{2}\.?[0-9]{3}\.?[0-9]{5}/?[0-9]{2}`)
	cibForm          = whole(`[0-9A-Z]{7}-?[0-9A-Z]`)
)

// WorkRegistration is the Rule of a CNO or CEI: 90.001.23456/78, kept as its digits.
func WorkRegistration(s string) (string, error) {
	number, err := pattern(s, registrationForm, ".", "must be a CNO or CEI of 12 digits")
	if err != nil {
		return "", err
	}
	if number = strings.ReplaceAll(number, "/", ""); !nfse.ValidWorkRegistration(number) {
		return "", errors.New("must be a CNO or CEI whose check digit is right")
	}
	return number, nil
}

func cib(s string) (string, error) {
	return pattern(s, cibForm, "-", "must be 8 capital letters and digits")
}

// upTo is the Rule of a text of one line and so many characters.
func upTo(most int) Rule { return func(s string) (string, error) { return name(s, 1, most) } }

// reader reads texts by their rules, and keeps what is wrong.
type reader struct {
	texts    map[string]string
	problems []*nfse.Error
}

// given is a text without the space around it.
func (r *reader) given(field string) string { return strings.TrimSpace(r.texts[field]) }

func (r *reader) wrong(field string, why error) {
	r.problems = append(r.problems, nfse.Invalid(field, "%s", why))
}

// text reads a field that may be empty.
func (r *reader) text(field string, rule Rule) string {
	if r.given(field) == "" {
		return ""
	}
	return r.needed(field, rule)
}

// needed reads a field that must be given.
func (r *reader) needed(field string, rule Rule) string {
	kept, err := rule(r.given(field))
	if err != nil {
		r.wrong(field, err)
	}
	return kept
}

// one says that exactly one of some groups must be given.
func (r *reader) one(field string, given ...bool) {
	count := 0
	for _, is := range given {
		if is {
			count++
		}
	}
	if count != 1 && len(r.problems) == 0 {
		r.wrong(field, errors.New("must be given, or else one of what can stand in its place, and only one"))
	}
}

// place reads where a work or event is: in a city, perhaps with an address there, or abroad.
func (r *reader) place() (municipality string, address *nfse.PropertyAddress, foreign *nfse.ForeignPlace) {
	abroad := r.given("postal_code")+r.given("city")+r.given("region") != ""
	if abroad {
		foreign = &nfse.ForeignPlace{
			PostalCode: r.needed("postal_code", upTo(11)), City: r.needed("city", upTo(60)),
			Region: r.needed("region", upTo(60)),
		}
		for _, field := range []string{"zip_code", "municipality_code"} {
			if r.given(field) != "" {
				r.wrong(field, errors.New("must not be given of an address abroad"))
			}
		}
	} else {
		municipality = r.needed("municipality_code", MunicipalityCode)
	}
	if !abroad && r.given("zip_code")+r.given("street")+r.given("number")+r.given("district") == "" {
		return municipality, nil, nil
	}
	address = &nfse.PropertyAddress{
		Street: r.needed("street", Street), Number: r.needed("number", Number),
		District: r.needed("district", District),
	}
	if !abroad {
		address.ZipCode = r.needed("zip_code", ZipCode)
	}
	if complement := r.text("complement", Complement); complement != "" {
		address.Complement = &complement
	}
	return municipality, address, foreign
}
