package dashboard

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// detailFields are those of the form that only a person can give.
func detailFields() []string {
	fields := append([]string{"withheld"}, catalogue.DetailFields...)
	for _, rate := range company.WithheldRates {
		fields = append(fields, rate.Name)
	}
	return fields
}

// fieldGroup is a part of the form with a title.
type fieldGroup struct {
	Title, Means string // keys
	Number       int    // of one of several with the same title; else 0
	More         bool   // it is the last of them, and others can be asked for
	Fields       []groupField
}

// detailGroups are the parts of the form that only a person can fill in.
func (r *request) detailGroups(form *form) (groups []fieldGroup, err error) {
	choices := groupChoices()
	asSet := option{"", "group.as_set", ""}
	choices["iss"] = append([]option{asSet, {catalogue.Taxed, "group.iss.taxed", ""}}, issKinds...)
	choices["abroad"] = append([]option{asSet, {catalogue.Nothing, "group.abroad.none", ""}}, abroadKinds...)
	choices["deduction"] = []option{asSet, {catalogue.Nothing, "group.deduction.none", ""},
		{catalogue.DeductsPercent, "group.deduction.percent", ""},
		{catalogue.DeductsAmount, "group.deduction.amount", ""},
		{catalogue.DeductsDocuments, "group.deduction.documents", ""}}
	choices["withheld"] = []option{asSet, {"none", "group.withheld.none", ""}, {"own", "group.withheld.own", ""}}
	choices["foreign_no_nif"] = numbered("group.foreign_no_nif", "1", "2")
	if choices["work"], err = r.d.works().options(r, form.Value("work"), "group.as_set"); err != nil {
		return nil, err
	}
	if choices["event"], err = r.d.culturalEvents().options(r, form.Value("event"), "group.as_set"); err != nil {
		return nil, err
	}
	add := func(title, means string, names ...string) {
		groups = append(groups, fieldGroup{Title: title, Means: means, Fields: groupFields(form, names, choices)})
	}
	add("group.discounts", "", catalogue.DiscountFields...)
	add("group.deductions", "", catalogue.DeductionFields[:3]...)
	kinds := numbered("group.document_kind", "1", "2", "3", "4", "5", "6", "7", "8", "9", "99")
	for row := range r.documentRows(form) {
		names := catalogue.FieldsOfDocument(row)
		choices[names[1]] = kinds
		add("group.document", "", names...)
		groups[len(groups)-1].Number = row + 1
	}
	groups[len(groups)-1].More = true
	add("group.treatment", "", catalogue.ISSFields...)
	add("group.withholdings", "tax.usual", "withheld")
	rates := &groups[len(groups)-1]
	for _, rate := range company.WithheldRates {
		rates.Fields = append(rates.Fields, groupField{choice: newChoice(form, rate.Name, "tax."+rate.Name, nil)})
	}
	add("group.sites", "", "work", "event")
	add("group.trade", "", catalogue.AbroadFields...)
	add("group.foreign", "group.foreign.means", catalogue.ForeignFields...)
	add("group.intermediary", "group.intermediary.means", catalogue.IntermediaryFields...)
	return groups, nil
}

// The rows of documents: how many there are at first, and how many are added.
const fewDocuments = 3

// moreDocuments is the button that asks for further rows; its value is how many there were.
const moreDocuments = "more_documents"

// documentRows is how many documents the form has: those that are filled in, and as many again as
// there are at first where they are asked for.
func (r *request) documentRows(form *form) int {
	rows := fewDocuments
	for row := range catalogue.DocumentRows {
		if slices.ContainsFunc(catalogue.FieldsOfDocument(row), func(name string) bool {
			return form.Value(name) != ""
		}) {
			rows = max(rows, row+1)
		}
	}
	if had, err := strconv.Atoi(r.PostForm.Get(moreDocuments)); err == nil {
		rows = max(rows, had) + fewDocuments
	}
	return min(rows, catalogue.DocumentRows)
}

// anyDetail reports whether anything of the details is typed, or wrong.
func (f *form) anyDetail() bool {
	return slices.ContainsFunc(detailFields(), func(name string) bool {
		return f.Value(name) != "" || f.Problem(name) != nil
	})
}

// details reads what only a person can give, and sets what is wrong with each field. Of the note that
// is replaced they keep work and event, also where these are closed by now.
func (r *request) details(form *form, replaced nfse.NoteDetails) (nfse.NoteDetails, error) {
	details, problems := catalogue.ReadDetails(form.plain())
	form.wrongGroups(problems)
	if form.Value("iss_withheld") != "" && details.Intermediary != nil && details.Intermediary.WithholdsISS {
		form.wrong("intermediary_withholds", "group.wrong.intermediary_withholds")
	}
	switch form.Value("withheld") {
	case "":
		if set := form.readWithholding(); set != nil { // which would count for nothing
			form.wrong("withheld", "group.wrong.withheld")
		}
	case "none":
		details.Withholding = &nfse.Withholding{}
	case "own":
		if details.Withholding = form.readWithholding(); details.Withholding == nil {
			details.Withholding = &nfse.Withholding{}
		}
	}
	work, err := open(r, r.d.works(), form, "work", replaced.Work)
	if err != nil {
		return details, err
	}
	details.Work = work
	details.Event, err = open(r, r.d.culturalEvents(), form, "event", replaced.Event)
	return details, err
}

// open is the record of a register that a field names, which must not be closed unless it is the one
// that is kept; nil where it names none.
func open[T nfse.Work | nfse.CulturalEvent](r *request, of register[T], form *form, name string, kept *T) (*T, error) {
	id := form.trimmed(name)
	if id == "" {
		return nil, nil
	}
	found, err := of.one(r.d.store.Catalogues, r.Context(), r.scope, id)
	switch {
	case err == nil && found.ClosedAt != nil && kept != nil && of.row(*kept, r).ID == id:
		return kept, nil
	case errors.Is(err, catalogues.ErrNotRegistered), err == nil && found.ClosedAt != nil:
		form.wrong(name, "group.wrong."+name)
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &found.Record, nil
}

// fillDetails fills in what a person gave for a note before.
func (f *form) fillDetails(r *request, details nfse.NoteDetails) {
	maps.Copy(f.values, shownTexts(r.language, catalogue.TextsOfDetails(details)))
	if details.ForeignTaker != nil {
		f.values["customer"] = ""
	}
	if details.Withholding == nil {
		return
	}
	f.values["withheld"] = "none"
	if *details.Withholding != (nfse.Withholding{}) {
		f.values["withheld"] = "own"
		maps.Copy(f.values, r.formOfWithholding(details.Withholding).values)
	}
}

// onlyAbroad says that a customer is given both in Brazil and abroad, and reports whether only the
// latter is.
func (f *form) onlyAbroad() bool {
	given := func(name string) bool { return f.trimmed(name) != "" }
	if !slices.ContainsFunc(catalogue.ForeignFields, given) {
		return false
	}
	inBrazil := given("customer")
	for _, field := range takerFields {
		inBrazil = inBrazil || given(field.name)
	}
	if inBrazil {
		f.wrong("foreign_name", "group.wrong.foreign_beside")
	}
	return true
}
