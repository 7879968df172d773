package catalogues

import (
	"errors"
	"net/http"
	"strings"

	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/fiscal/national/classification"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// classificationPage is how a service is classified for IBS and CBS: questions in words, and the codes that
// follow. What cards say is put into the form, and applied only when somebody saves it.
type classificationPage struct {
	Service     nfse.Service
	Form        *frame.Form
	Version     string
	Classified  bool
	Answered    bool // it was classified, or the form was sent
	Chosen      bool // codes of cards were put into the form, and are not saved yet
	Changed     bool // by somebody else meanwhile
	Uncommon    bool // Annex VIII does not have the codes together
	Defect      *classification.Defect
	Warnings    []classification.Warning
	Correlated  bool // Annex VIII was imported
	Questions   []question
	Whom        []card // for whom: personal use or not
	Usual, More []frame.Field

	Action string                          // where its form is sent
	May    bool                            // who sees it may save
	Asked  *catalogues.ClassificationLink  // by which they see it; nil: by their role
	Ask    *frame.Form                     // to ask somebody else
	Links  []catalogues.ClassificationLink // of those who were asked
}

// usualParts are the parts that nearly every service has; the others are folded.
var usualParts = map[string]bool{"nbs": true, "cindop": true, "cst": true, "cclasstrib": true}

func ShowClassification(r *frame.Request) error {
	page, err := newClassificationPage(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	return renderClassification(r.D, r, http.StatusOK, page)
}

// classificationOf is the address of the page of a service.
func classificationOf(r *frame.Request, id string) string {
	return r.Link("/catalogue/services/" + id + "/classification")
}

func newClassificationPage(r *frame.Request, id string) (page classificationPage, err error) {
	page.Action, page.May = classificationOf(r, id), r.Role.May(nfse.ChangeCatalogue)
	if page.May {
		if page.Links, err = r.D.Store.Catalogues.ClassificationLinks(r.Context(), r.Scope, id); err != nil {
			return page, err
		}
	}
	if page.Service, err = r.D.Store.Catalogues.Service(r.Context(), r.Scope, id); err != nil {
		return page, err
	}
	classified, err := r.D.Store.Catalogues.ServiceClassification(r.Context(), r.Scope, id)
	if err != nil {
		return page, err
	}
	classifier, err := classifier(r)
	if err != nil {
		return page, err
	}
	page.Version, page.Form = nfse.VersionOf(classified), frame.FormOf(map[string]string{})
	if classified != nil {
		page.Classified, page.Answered = true, true
		page.Form = frame.FormOf(classification.PartsOf(*classified))
		page.found(classifier.Defect(*classified, nfse.OrEmpty(page.Service.NationalTaxCode)))
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
		p.Form.AddProblem(defect.Field, digits)
	case defect.Rule == classification.RuleSchema:
		p.Form.WrongBecause(defect.Field, defect.Reason)
	default:
		p.Form.AddProblem(defect.Field, frame.KnownOr("classify.defect."+defect.Rule, "classify.defect.other"))
	}
}

func renderClassification(d *frame.Dashboard, r *frame.Request, status int, page classificationPage) error {
	classifier, err := classifier(r)
	if err != nil {
		return err
	}
	page.Correlated = classifier.HasCorrelation()
	page.ask(r, classifier.Tables)
	for _, part := range classification.Parts {
		shown := frame.NewField(page.Form, part.Name, "classify."+part.Name, "text")
		switch {
		case usualParts[part.Name]:
			page.Usual = append(page.Usual, shown)
		case part.Name != "indfinal": // it is asked for by its cards alone
			page.More = append(page.More, shown)
		}
	}
	return r.RenderStatus(status, "classification", "classify.title", page)
}

// Classify stores how a service is classified.
func Classify(r *frame.Request) error {
	page, err := newClassificationPage(r, r.PathValue("id"))
	if err != nil {
		return err
	}
	return takeClassification(r, page, func(classified nfse.Classification, version string) error {
		_, err := r.Changes().Catalogues.ClassifyServices(r.Context(), r.Scope, []catalogues.ServiceClassification{
			{ServiceID: page.Service.ID, Classification: classified, Version: version}})
		if err != nil {
			return err
		}
		if !r.Scope.Livemode {
			return r.Redirect(page.Action, "classify.saved")
		}
		return leadOn(r, page.Service.ID, page.Action, "classify.saved")
	})
}

// takeClassification reads what was chosen and has it stored by what also answers then. Codes that come from cards are
// shown before that.
func takeClassification(
	r *frame.Request, page classificationPage, store func(classified nfse.Classification, version string) error,
) error {
	names := []string{"words"}
	for _, part := range classification.Parts {
		names = append(names, part.Name)
	}
	current := page.Version
	page.Form, page.Version, page.Defect, page.Warnings = r.NewForm(names...), r.PostForm.Get("version"), nil, nil
	page.Answered = true
	for name, value := range page.Form.Values {
		page.Form.Values[name] = strings.TrimSpace(value)
	}
	page.takeCards(r)
	if r.PostForm.Has("find") { // services by words
		page.Chosen = false
		return renderClassification(r.D, r, http.StatusOK, page)
	}
	for name, value := range page.Form.Values {
		if strings.HasPrefix(name, "pdif-") {
			page.Form.Values[name] = strings.Replace(value, ",", ".", 1)
		}
	}
	classifier, err := classifier(r)
	if err != nil {
		return err
	}
	classified, defect := classifier.Read(page.Form.Value, nfse.OrEmpty(page.Service.NationalTaxCode))
	if defect != nil {
		page.found(defect)
		return renderClassification(r.D, r, http.StatusUnprocessableEntity, page)
	}
	if page.Chosen {
		page.Warnings, page.Uncommon = classifier.WarningsOf(classified), page.unusual(classifier.Tables, classified)
		return renderClassification(r.D, r, http.StatusOK, page)
	}
	err = store(classified, page.Version)
	if errors.Is(err, postgres.ErrChanged) {
		page.Changed, page.Version = true, current
		return renderClassification(r.D, r, http.StatusConflict, page)
	}
	return err
}

// Unclassify takes a service's classification away.
func Unclassify(r *frame.Request) error {
	id := r.PathValue("id")
	if _, err := r.D.Store.Catalogues.Service(r.Context(), r.Scope, id); err != nil {
		return err
	}
	err := r.Changes().Catalogues.RemoveClassification(r.Context(), r.Scope, id)
	if err != nil && !nfse.IsCode(err, nfse.CodeInvalidRequest) { // it had none already
		return err
	}
	return r.Redirect(classificationOf(r, id), "classify.removed")
}

// None is an empty list of differences: a classification changes as a whole.
func (classificationPage) None() []frame.Difference { return nil }
