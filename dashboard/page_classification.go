package dashboard

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"emissor/dashboard/words"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store"
)

// classificationPage is how a service is classified for IBS and CBS, and what Annex VIII
// suggests; a suggestion is applied only when somebody saves it.
type classificationPage struct {
	Service        nfse.Service
	Form           *form
	Version        string
	Classified     bool
	Chosen         bool // a suggestion was put into the form, and is not saved yet
	Changed        bool // by somebody else meanwhile
	Defect         *classification.Defect
	Warnings       []classification.Warning
	Suggestions    []classification.Suggestion
	HasCorrelation bool
	Usual, More    []classificationField
}

// classificationField is a part of a classification as the form asks for it.
type classificationField struct {
	field
	Options []option // nil: it is typed
}

// usualParts are the parts that nearly every service has; the others are folded.
var usualParts = map[string]bool{"nbs": true, "cindop": true, "cst": true, "cclasstrib": true, "indfinal": true}

var partOptions = map[string][]option{
	"indfinal": {{"", "classify.unsaid", ""}, {"true", "note.yes", ""}, {"false", "note.no", ""}},
}

func (d *Dashboard) showClassification(r *request) error {
	page, err := d.classificationPage(r)
	if err != nil {
		return err
	}
	return d.renderClassification(r, http.StatusOK, page)
}

func (d *Dashboard) classificationPage(r *request) (page classificationPage, err error) {
	id := r.PathValue("id")
	if page.Service, err = d.store.Service(r.Context(), r.scope, id); err != nil {
		return page, err
	}
	classified, err := d.store.ServiceClassification(r.Context(), r.scope, id)
	if err != nil {
		return page, err
	}
	classifier, err := d.classifier(r)
	if err != nil {
		return page, err
	}
	page.Version, page.Form = nfse.VersionOf(classified), formOf(map[string]string{})
	page.HasCorrelation = classifier.HasCorrelation()
	page.Suggestions = classifier.Suggest(textOf(page.Service.NationalTaxCode))
	if classified != nil {
		page.Classified = true
		page.Form = formOf(classification.PartsOf(*classified))
		page.found(classifier.Defect(*classified, textOf(page.Service.NationalTaxCode)))
		page.Warnings = classifier.WarningsOf(*classified)
	}
	return page, nil
}

// found shows a defect at its field.
func (p *classificationPage) found(defect *classification.Defect) {
	if defect == nil {
		return
	}
	p.Defect = defect
	switch digits := "classify.digits." + defect.Field; {
	case defect.Reason.Is(fact.MustBeDigits) && words.Has(digits):
		p.Form.wrong(defect.Field, digits)
	case defect.Rule == classification.RuleSchema:
		p.Form.wrongBecause(defect.Field, defect.Reason)
	default:
		p.Form.wrong(defect.Field, knownOr("classify.defect."+defect.Rule, "classify.defect.other"))
	}
}

func (d *Dashboard) renderClassification(r *request, status int, page classificationPage) error {
	for _, part := range classification.Parts {
		shown := classificationField{newField(page.Form, part.Name, "classify."+part.Name, "text"),
			partOptions[part.Name]}
		if usualParts[part.Name] {
			page.Usual = append(page.Usual, shown)
		} else {
			page.More = append(page.More, shown)
		}
	}
	return r.renderStatus(status, "classification", "classify.title", page)
}

// classify stores how a service is classified, or fills a suggestion into the form.
func (d *Dashboard) classify(r *request) error {
	page, err := d.classificationPage(r)
	if err != nil {
		return err
	}
	names := make([]string, len(classification.Parts))
	for i, part := range classification.Parts {
		names[i] = part.Name
	}
	current := page.Version
	page.Form, page.Version, page.Defect, page.Warnings = r.newForm(names...), r.PostForm.Get("version"), nil, nil
	for name, value := range page.Form.values {
		page.Form.values[name] = strings.TrimSpace(value)
	}
	if number, err := strconv.Atoi(r.PostForm.Get("use")); err == nil && number >= 0 && number < len(page.Suggestions) {
		page.use(page.Suggestions[number])
		return d.renderClassification(r, http.StatusOK, page)
	}
	for name, value := range page.Form.values {
		if strings.HasPrefix(name, "pdif-") {
			page.Form.values[name] = strings.Replace(value, ",", ".", 1)
		}
	}
	classifier, err := d.classifier(r)
	if err != nil {
		return err
	}
	classified, defect := classifier.Read(page.Form.Value, textOf(page.Service.NationalTaxCode))
	if defect != nil {
		page.found(defect)
		return d.renderClassification(r, http.StatusUnprocessableEntity, page)
	}
	_, err = r.changes().ClassifyServices(r.Context(), r.scope, []store.ServiceClassification{
		{ServiceID: page.Service.ID, Classification: classified, Version: page.Version}})
	if errors.Is(err, store.ErrChanged) {
		page.Changed, page.Version = true, current
		return d.renderClassification(r, http.StatusConflict, page)
	}
	if err != nil {
		return err
	}
	return r.redirect(r.link("/catalogue/services/"+page.Service.ID+"/classification"), "classify.saved")
}

// use puts a suggestion into the form.
func (p *classificationPage) use(suggestion classification.Suggestion) {
	p.Chosen = true
	if suggestion.NBS != "" {
		p.Form.values["nbs"] = suggestion.NBS
	}
	p.Form.values["cindop"], p.Form.values["cclasstrib"] = suggestion.CIndOp, suggestion.CClassTrib
	p.Form.values["cst"] = suggestion.CClassTrib[:min(3, len(suggestion.CClassTrib))]
}

// unclassify takes a service's classification away.
func (d *Dashboard) unclassify(r *request) error {
	id := r.PathValue("id")
	if _, err := d.store.Service(r.Context(), r.scope, id); err != nil {
		return err
	}
	err := r.changes().RemoveClassification(r.Context(), r.scope, id)
	if err != nil && !nfse.IsCode(err, nfse.CodeInvalidRequest) { // it had none already
		return err
	}
	return r.redirect(r.link("/catalogue/services/"+id+"/classification"), "classify.removed")
}

// None is an empty list of differences: a classification changes as a whole.
func (classificationPage) None() []difference { return nil }

// When are the keys of the conditions under which a suggestion applies.
func (classificationPage) When(suggestion classification.Suggestion) (keys []string) {
	for _, one := range []struct {
		is      *bool
		yes, no string
	}{
		{suggestion.Onerous, "classify.onerous", "classify.not_onerous"},
		{suggestion.AcquirerAbroad, "classify.abroad", "classify.in_country"},
	} {
		switch {
		case one.is == nil:
		case *one.is:
			keys = append(keys, one.yes)
		default:
			keys = append(keys, one.no)
		}
	}
	if len(keys) == 0 {
		keys = []string{"classify.always"}
	}
	return keys
}
