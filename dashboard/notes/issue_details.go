package notes

import (
	"errors"
	"maps"
	"slices"
	"strconv"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/frame"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/catalogues"
)

// DetailFields are the fields of the form that only a person can give.
func DetailFields() []string {
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
	Fields       []frame.GroupField
}

// detailGroups are the parts of the form that only a person can fill in.
func detailGroups(r *frame.Request, form *frame.Form) (groups []fieldGroup, err error) {
	choices := frame.GroupChoices()
	asSet := frame.Option{Value: "", Key: "group.as_set", Text: ""}
	choices["iss"] = append([]frame.Option{asSet, {Value: catalogue.Taxed, Key: "group.iss.taxed", Text: ""}},
		frame.IssKinds...)
	choices["abroad"] = append([]frame.Option{asSet, {Value: catalogue.Nothing, Key: "group.abroad.none", Text: ""}},
		frame.AbroadKinds...)
	choices["deduction"] = []frame.Option{asSet, {Value: catalogue.Nothing, Key: "group.deduction.none", Text: ""},
		{Value: catalogue.DeductsPercent, Key: "group.deduction.percent", Text: ""},
		{Value: catalogue.DeductsAmount, Key: "group.deduction.amount", Text: ""},
		{Value: catalogue.DeductsDocuments, Key: "group.deduction.documents", Text: ""}}
	choices["withheld"] = []frame.Option{asSet, {Value: "none", Key: "group.withheld.none", Text: ""},
		{Value: "own", Key: "group.withheld.own", Text: ""}}
	choices["foreign_no_nif"] = frame.Numbered("group.foreign_no_nif", "1", "2")
	if choices["work"], err = cataloguepages.Works.Options(r, form.Value("work"), "group.as_set"); err != nil {
		return nil, err
	}
	if choices["event"], err = cataloguepages.CulturalEvents.Options(r, form.Value("event"),
		"group.as_set"); err != nil {
		return nil, err
	}
	add := func(title, means string, names ...string) {
		groups = append(groups, fieldGroup{Title: title, Means: means, Fields: frame.GroupFields(form, names, choices)})
	}
	add("group.discounts", "", catalogue.DiscountFields...)
	add("group.deductions", "", catalogue.DeductionFields[:3]...)
	kinds := frame.Numbered("group.document_kind", "1", "2", "3", "4", "5", "6", "7", "8", "9", "99")
	for row := range documentRows(r, form) {
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
		rates.Fields = append(rates.Fields, frame.GroupField{Choice: frame.NewChoice(form, rate.Name, "tax."+rate.Name,
			nil)})
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
func documentRows(r *frame.Request, form *frame.Form) int {
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
func anyDetail(f *frame.Form) bool {
	return slices.ContainsFunc(DetailFields(), func(name string) bool {
		return f.Value(name) != "" || f.Problem(name) != nil
	})
}

// Details reads what only a person can give, and sets what is wrong with each field. Of the note that
// is replaced they keep work and event, also where these are closed by now.
func Details(r *frame.Request, form *frame.Form, replaced nfse.NoteDetails) (nfse.NoteDetails, error) {
	details, problems := catalogue.ReadDetails(form.Plain())
	form.WrongGroups(problems)
	if form.Value("iss_withheld") != "" && details.Intermediary != nil && details.Intermediary.WithholdsISS {
		form.AddProblem("intermediary_withholds", "group.wrong.intermediary_withholds")
	}
	switch form.Value("withheld") {
	case "":
		if set := cataloguepages.ReadWithholding(form); set != nil { // which would count for nothing
			form.AddProblem("withheld", "group.wrong.withheld")
		}
	case "none":
		details.Withholding = &nfse.Withholding{}
	case "own":
		if details.Withholding = cataloguepages.ReadWithholding(form); details.Withholding == nil {
			details.Withholding = &nfse.Withholding{}
		}
	}
	work, err := open(r, cataloguepages.Works, form, "work", replaced.Work)
	if err != nil {
		return details, err
	}
	details.Work = work
	details.Event, err = open(r, cataloguepages.CulturalEvents, form, "event", replaced.Event)
	return details, err
}

// open is the record of a register that a field names, which must not be closed unless it is the one
// that is kept; nil where it names none.
func open[T nfse.Work | nfse.CulturalEvent](r *frame.Request, of cataloguepages.Register[T], form *frame.Form,
	name string, kept *T) (*T, error) {
	id := form.Trimmed(name)
	if id == "" {
		return nil, nil
	}
	found, err := of.One(r.Context(), r.D.Store.Catalogues, r.Scope, id)
	switch {
	case err == nil && found.ClosedAt != nil && kept != nil && of.Row(*kept, r).ID == id:
		return kept, nil
	case errors.Is(err, catalogues.ErrNotRegistered), err == nil && found.ClosedAt != nil:
		form.AddProblem(name, "group.wrong."+name)
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &found.Record, nil
}

// fillDetails fills in what a person gave for a note before.
func fillDetails(f *frame.Form, r *frame.Request, details nfse.NoteDetails) {
	maps.Copy(f.Values, frame.ShownTexts(r.Language, catalogue.TextsOfDetails(details)))
	if details.ForeignTaker != nil {
		f.Values["customer"] = ""
	}
	if details.Withholding == nil {
		return
	}
	f.Values["withheld"] = "none"
	if *details.Withholding != (nfse.Withholding{}) {
		f.Values["withheld"] = "own"
		maps.Copy(f.Values, cataloguepages.FormOfWithholding(r, details.Withholding).Values)
	}
}

// onlyAbroad says that a customer is given both in Brazil and abroad, and reports whether only the
// latter is.
func onlyAbroad(f *frame.Form) bool {
	given := func(name string) bool { return f.Trimmed(name) != "" }
	if !slices.ContainsFunc(catalogue.ForeignFields, given) {
		return false
	}
	inBrazil := given("customer")
	for _, field := range takerFields {
		inBrazil = inBrazil || given(field.Name)
	}
	if inBrazil {
		f.AddProblem("foreign_name", "group.wrong.foreign_beside")
	}
	return true
}
