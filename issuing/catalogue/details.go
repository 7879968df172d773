package catalogue

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"emissor/nfse"
)

// The fields of what a person gives for one note, beside ISSFields and AbroadFields.
var (
	DiscountFields  = []string{"discount_unconditional", "discount_conditional"}
	DeductionFields = append([]string{"deduction", "deduction_percent", "deduction_amount"}, documentFields()...)
	ForeignFields   = []string{
		"foreign_name", "foreign_nif", "foreign_no_nif", "foreign_country", "foreign_postal_code", "foreign_city",
		"foreign_region", "foreign_street", "foreign_number", "foreign_complement", "foreign_district",
	}
	IntermediaryFields = []string{
		"intermediary_tax_id", "intermediary_name", "intermediary_withholds", "intermediary_municipality_code",
		"intermediary_zip_code", "intermediary_street", "intermediary_number", "intermediary_complement",
		"intermediary_district",
	}
	// DetailFields are all of them. Of work and event they have ids of the registers.
	DetailFields = slices.Concat(DiscountFields, DeductionFields, ISSFields, AbroadFields, []string{"work", "event"},
		ForeignFields, IntermediaryFields)
)

// DocumentRows is how many documents of deductions the form can have.
const DocumentRows = 20

// partsOfDocument are the fields of one of them.
var partsOfDocument = []string{"key", "kind", "description", "issued", "deductible", "used"}

func documentFields() (fields []string) {
	for row := range DocumentRows {
		fields = append(fields, FieldsOfDocument(row)...)
	}
	return fields
}

// FieldsOfDocument are the fields of one of the documents, from 0: its key, its kind, and others.
func FieldsOfDocument(row int) (fields []string) {
	for _, part := range partsOfDocument {
		fields = append(fields, documentField(row, part))
	}
	return fields
}

func documentField(row int, part string) string { return fmt.Sprintf("document_%d_%s", row+1, part) }

// The words of deduction beside none.
const (
	DeductsPercent   = "percent"
	DeductsAmount    = "amount"
	DeductsDocuments = "documents"
)

// ReadDetails reads what a person gave for a note from the texts of DetailFields. Work and event
// are the caller's to find. Every error is an *nfse.Error of a field.
func ReadDetails(texts map[string]string) (details nfse.NoteDetails, problems []*nfse.Error) {
	r := reader{texts: texts}
	details = nfse.NoteDetails{
		UnconditionalDiscountCents: r.cents("discount_unconditional"),
		ConditionalDiscountCents:   r.cents("discount_conditional"),
		Deduction:                  r.deduction(),
		ISS:                        r.iss(),
		Abroad:                     r.abroad(),
		ForeignTaker:               r.foreignTaker(),
		Intermediary:               r.intermediary(),
	}
	for _, group := range [][]string{DeductionFields, ISSFields, AbroadFields} {
		if r.given(group[0]) == asSet && r.anyOf(group[1:]) {
			r.wrong(group[0], errors.New("must be chosen, as what is given beside it would count for nothing"))
		}
	}
	return details, r.problems
}

// TextsOfDetails are the texts that ReadDetails reads, with the ids of work and event.
func TextsOfDetails(details nfse.NoteDetails) map[string]string {
	texts := map[string]string{}
	putNumber(texts, "discount_unconditional", details.UnconditionalDiscountCents)
	putNumber(texts, "discount_conditional", details.ConditionalDiscountCents)
	putDeduction(texts, details.Deduction)
	putISS(texts, details.ISS)
	putAbroad(texts, details.Abroad)
	if details.Work != nil {
		texts["work"] = details.Work.ID
	}
	if details.Event != nil {
		texts["event"] = details.Event.ID
	}
	if taker := details.ForeignTaker; taker != nil {
		texts["foreign_name"], texts["foreign_nif"] = taker.Name, taker.NIF
		putNumber(texts, "foreign_no_nif", int64(taker.NoNIF))
		texts["foreign_country"], texts["foreign_postal_code"] = taker.Country, taker.PostalCode
		texts["foreign_city"], texts["foreign_region"] = taker.City, taker.Region
		texts["foreign_street"], texts["foreign_number"] = taker.Street, taker.Number
		texts["foreign_complement"], texts["foreign_district"] = taker.Complement, taker.District
	}
	if intermediary := details.Intermediary; intermediary != nil {
		texts["intermediary_tax_id"], texts["intermediary_name"] = string(intermediary.TaxID), intermediary.Name
		if intermediary.WithholdsISS {
			texts["intermediary_withholds"] = "yes"
		}
		if address := intermediary.Address; address != nil {
			place := textsOfPlace(address.MunicipalityCode, &address.PropertyAddress, nil, map[string]string{})
			for field, text := range place {
				texts["intermediary_"+field] = text
			}
		}
	}
	return texts
}

func putDeduction(texts map[string]string, deduction *nfse.Deduction) {
	switch {
	case deduction == nil:
	case deduction.Documents != nil:
		texts["deduction"] = DeductsDocuments
	case deduction.Cents != 0:
		texts["deduction"] = DeductsAmount
		putNumber(texts, "deduction_amount", deduction.Cents)
	case deduction.Percent != 0:
		texts["deduction"] = DeductsPercent
		putPercent(texts, "deduction_percent", deduction.Percent)
	default:
		texts["deduction"] = Nothing
	}
	if deduction == nil {
		return
	}
	for row, document := range deduction.Documents[:min(DocumentRows, len(deduction.Documents))] {
		texts[documentField(row, "key")] = document.NFSe + document.NFe
		putNumber(texts, documentField(row, "kind"), int64(document.Kind))
		texts[documentField(row, "description")] = document.Description
		texts[documentField(row, "issued")] = string(document.Issued)
		putNumber(texts, documentField(row, "deductible"), document.DeductibleCents)
		putNumber(texts, documentField(row, "used"), document.UsedCents)
	}
}

// deduction reads what is deducted; nil where nothing is said of it.
func (r *reader) deduction() *nfse.Deduction {
	switch said := r.given("deduction"); said {
	case asSet:
		return nil
	case Nothing:
		return &nfse.Deduction{}
	case DeductsPercent:
		if r.given("deduction_percent") == "" {
			r.wrong("deduction_percent", errors.New("must be given"))
		}
		return &nfse.Deduction{Percent: r.percent("deduction_percent")}
	case DeductsAmount:
		return &nfse.Deduction{Cents: r.neededCents("deduction_amount")}
	case DeductsDocuments:
		return &nfse.Deduction{Documents: r.documents()}
	}
	r.wrong("deduction", errors.New("must be one of: none, percent, amount, documents"))
	return nil
}

var accessKeyForm = whole(`[0-9]{50}|[0-9]{44}`)

// documents reads the rows in which anything is given. The key is of an NFS-e, or of an NF-e.
func (r *reader) documents() (documents []nfse.DeductionDocument) {
	for row := range DocumentRows {
		field := func(part string) string { return documentField(row, part) }
		if !r.anyOf(FieldsOfDocument(row)) {
			continue
		}
		key := r.needed(field("key"), func(s string) (string, error) {
			return pattern(strings.ReplaceAll(s, " ", ""), accessKeyForm, "",
				"must be an access key of 50 or 44 digits")
		})
		document := nfse.DeductionDocument{
			Kind: r.kindOfDeduction(field("kind")), Description: r.text(field("description"), upTo(150)),
			Issued:          nfse.Day(r.needed(field("issued"), Competence)),
			DeductibleCents: r.neededCents(field("deductible")), UsedCents: r.neededCents(field("used")),
		}
		if document.NFe = key; len(key) == 50 {
			document.NFSe, document.NFe = key, ""
		}
		if document.UsedCents > document.DeductibleCents {
			r.wrong(field("used"), errors.New("must not be more than what can be deducted"))
		}
		documents = append(documents, document)
	}
	if documents == nil {
		r.wrong(documentField(0, "key"), errors.New("must be given"))
	}
	return documents
}

// kindOfDeduction reads the kind of a document: 1 to 9, or 99 with a description.
func (r *reader) kindOfDeduction(field string) int {
	if r.given(field) == "99" {
		description := strings.TrimSuffix(field, "kind") + "description"
		r.needed(description, upTo(150))
		return 99
	}
	return r.number(field, 1, 9)
}

// neededCents reads an amount that must be given.
func (r *reader) neededCents(field string) int64 {
	cents, err := AmountCents(r.given(field))
	if err != nil {
		r.wrong(field, err)
	}
	return cents
}

// anyOf reports whether any of some fields is given.
func (r *reader) anyOf(fields []string) bool {
	return slices.ContainsFunc(fields, func(field string) bool { return r.given(field) != "" })
}

// foreignTaker reads a customer abroad; nil where there is none.
func (r *reader) foreignTaker() *nfse.ForeignParty {
	if !r.anyOf(ForeignFields) {
		return nil
	}
	taker := nfse.ForeignParty{
		NIF: r.text("foreign_nif", upTo(40)), Name: r.needed("foreign_name", CustomerName),
		Country: r.needed("foreign_country", foreignCountry),
		ForeignPlace: nfse.ForeignPlace{
			PostalCode: r.needed("foreign_postal_code", upTo(11)), City: r.needed("foreign_city", upTo(60)),
			Region: r.needed("foreign_region", upTo(60)),
		},
		Street: r.needed("foreign_street", Street), Number: r.needed("foreign_number", Number),
		Complement: r.text("foreign_complement", Complement), District: r.needed("foreign_district", District),
	}
	switch noNIF := r.given("foreign_no_nif"); {
	case taker.NIF == "":
		taker.NoNIF = r.number("foreign_no_nif", 1, 2)
	case noNIF != "":
		r.wrong("foreign_no_nif", errors.New("must not be given beside a tax number"))
	}
	return &taker
}

// intermediary reads who brought provider and customer together; nil where there is nobody. Who
// withholds the ISS needs an address.
func (r *reader) intermediary() *nfse.Intermediary {
	if !r.anyOf(IntermediaryFields) {
		return nil
	}
	intermediary := nfse.Intermediary{
		Party: nfse.Party{
			TaxID: nfse.TaxID(r.needed("intermediary_tax_id", TaxID)),
			Name:  r.needed("intermediary_name", CustomerName),
		},
		WithholdsISS: r.given("intermediary_withholds") != "",
	}
	if !intermediary.WithholdsISS && !r.anyOf(IntermediaryFields[3:]) {
		return &intermediary
	}
	intermediary.Address = &nfse.PartyAddress{
		PropertyAddress: nfse.PropertyAddress{
			ZipCode: r.needed("intermediary_zip_code", ZipCode), Street: r.needed("intermediary_street", Street),
			Number: r.needed("intermediary_number", Number), District: r.needed("intermediary_district", District),
		},
		MunicipalityCode: r.needed("intermediary_municipality_code", MunicipalityCode),
	}
	if complement := r.text("intermediary_complement", Complement); complement != "" {
		intermediary.Address.Complement = &complement
	}
	return &intermediary
}
