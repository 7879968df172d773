package notes

import (
	"net/http"
	"slices"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// replacing is what the form of a note that replaces another has beside that of any note.
type replacing struct {
	Note    nfse.Note // that is replaced
	Reasons []frame.Option
}

// replaceFields are all that its form sends.
var replaceFields = slices.Concat(IssueFields, []string{"reason_code", "reason_text"})

// NewReplacement shows the form, filled in from the note that is to be replaced.
func NewReplacement(r *frame.Request) error {
	to, err := company.ReadToReplace(r.Context(), r.D.Store, r.Scope, r.PathValue("id"))
	if err == nil {
		err = lifecycle.MayBeReplaced(to.Note)
	}
	if err != nil {
		return refuseToReplace(r, err)
	}
	form := r.NewForm(replaceFields...)
	fillReplacement(form, r, to)
	return showReplacement(r, http.StatusOK, form, to, nil)
}

// refuseToReplace leads back to a note that may not be replaced, and says why.
func refuseToReplace(r *frame.Request, err error) error {
	known := frame.AsError(err)
	if known == nil || !slices.Contains(notReplaceable, known.Code) {
		return err
	}
	return r.Redirect(r.Link("/notes/"+r.PathValue("id")), "note.replace."+string(known.Code))
}

// notReplaceable are the codes of notes that may not be replaced.
var notReplaceable = []nfse.Code{
	nfse.CodeNoteNotCancellable, nfse.CodeNoteAlreadyCancelled, nfse.CodeCancellationInProgress,
}

// fillReplacement fills in the form from a note, and locks what must stay as it is.
func fillReplacement(f *frame.Form, r *frame.Request, to company.ToReplace) {
	fill(f, r, to.Again(to.Reference))
	f.Values["competence"] = string(to.Competence)
	for name, is := range map[string]bool{"email_customer": to.Defaults.EmailCustomer,
		"register_ledger":             to.Defaults.RegisterLedger,
		"confirm_municipal_operation": to.Defaults.ConfirmMunicipalOperation} {
		if f.Values[name] = ""; is {
			f.Values[name] = "on"
		}
	}
	fillDetails(f, r, to.Given())
	f.LockedFields = to.Locked()
}

// keepLocked takes what must stay from the note, regardless of what was sent.
func keepLocked(f *frame.Form, r *frame.Request, to company.ToReplace) {
	from := frame.FormOf(map[string]string{})
	fillReplacement(from, r, to)
	f.LockedFields = from.LockedFields
	for _, name := range f.LockedFields {
		f.Values[name] = from.Values[name]
	}
	if slices.Contains(f.LockedFields, "tax_id") {
		f.Values["customer"] = "" // in place of which the tax id is given
	}
}

func showReplacement(r *frame.Request, status int, form *frame.Form, to company.ToReplace, found []frame.Found) error {
	page := issuePage{Action: "/notes/" + to.ID + "/replace", Replaces: &replacing{Note: to.Note}}
	page.Replaces.Reasons = []frame.Option{{Value: "", Key: "group.choose", Text: ""}}
	for _, code := range to.Reasons() {
		page.Replaces.Reasons = append(page.Replaces.Reasons, frame.Option{Value: code, Key: "note.replace.reason." + code})
	}
	return showForm(r, status, page, form, found)
}

// ReplaceNote accepts a note that replaces another, once it was reviewed.
func ReplaceNote(r *frame.Request) error {
	to, err := company.ReadToReplace(r.Context(), r.D.Store, r.Scope, r.PathValue("id"))
	if err != nil {
		return refuseToReplace(r, err)
	}
	form := r.NewForm(replaceFields...)
	form.CityByName("municipality_code")
	keepLocked(form, r, to)
	if r.PostForm.Get("back") != "" || r.PostForm.Has(moreDocuments) { // from the review, or for further rows
		return showReplacement(r, http.StatusOK, form, to, nil)
	}
	var failed error
	if found, only := r.LookedFor(form, SearchOfIssue(r, &failed)); only {
		if failed != nil {
			return failed
		}
		Chosen(form, r.PostForm.Get("set"))
		return showReplacement(r, http.StatusOK, form, to, found)
	}
	if filled, err := r.FillIn(form, "address."); err != nil {
		return err
	} else if filled {
		keepLocked(form, r, to)
		return showReplacement(r, http.StatusOK, form, to, nil)
	}
	found, err := SettleConversation(r, form)
	if err != nil {
		return err
	}
	if found != nil {
		return showReplacement(r, http.StatusUnprocessableEntity, form, to, found)
	}
	issuance, replaces := issuance(form, true), replacement(form, to).Replaces
	details, err := Details(r, form, to.Given())
	if err != nil {
		return err
	}
	details.Replaces = replaces
	if !form.Good() {
		return showReplacement(r, http.StatusUnprocessableEntity, form, to, nil)
	}
	note, known, err := r.D.Catalogue.DraftReplacement(r.Context(), r.Scope, Defaults(form), r.ID, issuance, details)
	if err != nil {
		return refuseReplacement(r, form, to, err)
	}
	if known != nil {
		return r.Redirect(r.Link("/notes/"+known.ID), "issue.known")
	}
	refused, err := to.Check(r.Context(), r.D.Store, note)
	if err != nil {
		return refuseToReplace(r, err)
	}
	if refused != nil {
		form.AddProblem("reason_code", "note.replace.refused")
		return showReplacement(r, http.StatusUnprocessableEntity, form, to, nil)
	}
	page, err := review(r, form, note, replaceFields, &to)
	if err != nil {
		return err
	}
	if page.Action = "/notes/" + to.ID + "/replace"; page.Digest != r.PostForm.Get(reviewedField) {
		return r.Render("review", "note.replace.review", page)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	if err := keepEmail(r, form, note); err != nil {
		return refuseReplacement(r, form, to, err)
	}
	accepted, created, err := r.Changes().Lifecycle.Replace(r.Context(), note)
	if err != nil {
		return refuseReplacement(r, form, to, err)
	}
	notice := "issue.known"
	if created {
		Accepted(r)
		notice = "note.replace.requested"
	}
	return r.Redirect(r.Link("/notes/"+accepted.ID), notice)
}

// refuseReplacement shows the form again with why a note was not accepted.
func refuseReplacement(r *frame.Request, form *frame.Form, to company.ToReplace, err error) error {
	known := frame.AsError(err)
	switch {
	case known != nil && slices.Contains(notReplaceable, known.Code):
		return refuseToReplace(r, err)
	case known != nil && refused(form, known):
		return showReplacement(r, http.StatusUnprocessableEntity, form, to, nil)
	}
	return err
}

// replacement reads the reason, and sets what is wrong with it.
func replacement(f *frame.Form, to company.ToReplace) (details nfse.NoteDetails) {
	text := f.Trimmed("reason_text")
	if text != "" {
		kept, err := catalogue.ReasonText(text)
		if err != nil {
			f.AddProblem("reason_text", "note.cancel.text.wrong")
			return details
		}
		text = kept
	}
	details, err := to.Details(f.Value("reason_code"), text)
	if known := frame.AsError(err); known != nil {
		f.AddProblem(known.Field, map[string]string{"reason_code": "note.cancel.code.wrong",
			"reason_text": "note.replace.text.wrong"}[known.Field])
	}
	return details
}

// replacementFacts are the lines of a review about the note that is replaced.
func replacementFacts(r *frame.Request, to company.ToReplace, replaces nfse.Replaced) []frame.Line {
	reason := r.Language.Say("note.replace.reason." + replaces.ReasonCode)
	if replaces.ReasonText != "" {
		reason += ": " + replaces.ReasonText
	}
	return []frame.Line{
		{Label: "note.replace.reason", Text: reason},
		{Label: "note.replaces", Text: to.Reference + " · " + orDash(to.Authority.Number) + " · " +
			format.Money(r.Language, to.AmountCents)},
	}
}
