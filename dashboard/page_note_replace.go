package dashboard

import (
	"net/http"
	"slices"

	"emissor/dashboard/format"
	"emissor/issuing/catalogue"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// replacing is what the form of a note that replaces another has beside that of any note.
type replacing struct {
	Note    nfse.Note // that is replaced
	Reasons []option
}

// replaceFields are all that its form sends.
var replaceFields = slices.Concat(issueFields, []string{"reason_code", "reason_text"})

// newReplacement shows the form, filled in from the note that is to be replaced.
func (d *Dashboard) newReplacement(r *request) error {
	to, err := company.ReadToReplace(r.Context(), d.store, r.scope, r.PathValue("id"))
	if err == nil {
		err = lifecycle.MayBeReplaced(to.Note)
	}
	if err != nil {
		return r.notReplaceable(err)
	}
	form := r.newForm(replaceFields...)
	form.fillReplacement(r, to)
	return r.showReplacement(http.StatusOK, form, to, nil)
}

// notReplaceable leads back to a note that may not be replaced, and says why.
func (r *request) notReplaceable(err error) error {
	known := asError(err)
	if known == nil || !slices.Contains(notReplaceable, known.Code) {
		return err
	}
	return r.redirect(r.link("/notes/"+r.PathValue("id")), "note.replace."+string(known.Code))
}

// notReplaceable are the codes of notes that may not be replaced.
var notReplaceable = []nfse.Code{
	nfse.CodeNoteNotCancellable, nfse.CodeNoteAlreadyCancelled, nfse.CodeCancellationInProgress,
}

// fillReplacement fills in the form from a note, and locks what must stay as it is.
func (f *form) fillReplacement(r *request, to company.ToReplace) {
	f.fill(r, to.Again(to.Reference))
	f.values["competence"] = string(to.Competence)
	for name, is := range map[string]bool{"email_customer": to.Defaults.EmailCustomer,
		"register_ledger":             to.Defaults.RegisterLedger,
		"confirm_municipal_operation": to.Defaults.ConfirmMunicipalOperation} {
		if f.values[name] = ""; is {
			f.values[name] = "on"
		}
	}
	f.fillDetails(r, to.Given())
	f.locked = to.Locked()
}

// keepLocked takes what must stay from the note, whatever was sent.
func (f *form) keepLocked(r *request, to company.ToReplace) {
	from := formOf(map[string]string{})
	from.fillReplacement(r, to)
	f.locked = from.locked
	for _, name := range f.locked {
		f.values[name] = from.values[name]
	}
	if slices.Contains(f.locked, "tax_id") {
		f.values["customer"] = "" // in place of which the tax id is given
	}
}

func (r *request) showReplacement(status int, form *form, to company.ToReplace, found []found) error {
	page := issuePage{Action: "/notes/" + to.ID + "/replace", Replaces: &replacing{Note: to.Note}}
	page.Replaces.Reasons = []option{{"", "group.choose", ""}}
	for _, code := range to.Reasons() {
		page.Replaces.Reasons = append(page.Replaces.Reasons, option{Value: code, Key: "note.replace.reason." + code})
	}
	return r.showForm(status, page, form, found)
}

// replaceNote accepts a note that replaces another, once it was reviewed.
func (d *Dashboard) replaceNote(r *request) error {
	to, err := company.ReadToReplace(r.Context(), d.store, r.scope, r.PathValue("id"))
	if err != nil {
		return r.notReplaceable(err)
	}
	form := r.newForm(replaceFields...)
	form.cityByName("municipality_code")
	form.keepLocked(r, to)
	if r.PostForm.Get("back") != "" || r.PostForm.Has(moreDocuments) { // from the review, or for further rows
		return r.showReplacement(http.StatusOK, form, to, nil)
	}
	var failed error
	if found, only := r.lookedFor(form, r.searchOfIssue(&failed)); only {
		if failed != nil {
			return failed
		}
		form.chosen(r.PostForm.Get("set"))
		return r.showReplacement(http.StatusOK, form, to, found)
	}
	if filled, err := r.fillIn(form, "address."); err != nil {
		return err
	} else if filled {
		form.keepLocked(r, to)
		return r.showReplacement(http.StatusOK, form, to, nil)
	}
	found, err := r.settleConversation(form)
	if err != nil {
		return err
	}
	if found != nil {
		return r.showReplacement(http.StatusUnprocessableEntity, form, to, found)
	}
	issuance, replaces := form.issuance(true), form.replacement(to).Replaces
	details, err := r.details(form, to.Given())
	if err != nil {
		return err
	}
	details.Replaces = replaces
	if !form.good() {
		return r.showReplacement(http.StatusUnprocessableEntity, form, to, nil)
	}
	note, known, err := d.catalogue.DraftReplacement(r.Context(), r.scope, form.defaults(), r.id, issuance, details)
	if err != nil {
		return r.refuseReplacement(form, to, err)
	}
	if known != nil {
		return r.redirect(r.link("/notes/"+known.ID), "issue.known")
	}
	refused, err := to.Check(r.Context(), d.store, note)
	if err != nil {
		return r.notReplaceable(err)
	}
	if refused != nil {
		form.wrong("reason_code", "note.replace.refused")
		return r.showReplacement(http.StatusUnprocessableEntity, form, to, nil)
	}
	page, err := r.review(form, note, replaceFields, &to)
	if err != nil {
		return err
	}
	if page.Action = "/notes/" + to.ID + "/replace"; page.Digest != r.PostForm.Get(reviewedField) {
		return r.render("review", "note.replace.review", page)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	if err := r.keepEmail(form, note); err != nil {
		return r.refuseReplacement(form, to, err)
	}
	accepted, created, err := r.changes().Lifecycle.Replace(r.Context(), note)
	if err != nil {
		return r.refuseReplacement(form, to, err)
	}
	notice := "issue.known"
	if created {
		r.accepted()
		notice = "note.replace.requested"
	}
	return r.redirect(r.link("/notes/"+accepted.ID), notice)
}

// refuseReplacement shows the form again with why a note was not accepted.
func (r *request) refuseReplacement(form *form, to company.ToReplace, err error) error {
	known := asError(err)
	switch {
	case known != nil && slices.Contains(notReplaceable, known.Code):
		return r.notReplaceable(err)
	case known != nil && form.refused(known):
		return r.showReplacement(http.StatusUnprocessableEntity, form, to, nil)
	}
	return err
}

// replacement reads the reason, and sets what is wrong with it.
func (f *form) replacement(to company.ToReplace) (details nfse.NoteDetails) {
	text := f.trimmed("reason_text")
	if text != "" {
		kept, err := catalogue.ReasonText(text)
		if err != nil {
			f.wrong("reason_text", "note.cancel.text.wrong")
			return details
		}
		text = kept
	}
	details, err := to.Details(f.Value("reason_code"), text)
	if known := asError(err); known != nil {
		f.wrong(known.Field, map[string]string{"reason_code": "note.cancel.code.wrong",
			"reason_text": "note.replace.text.wrong"}[known.Field])
	}
	return details
}

// replacementFacts are the lines of a review about the note that is replaced.
func replacementFacts(r *request, to company.ToReplace, replaces nfse.Replaced) []line {
	reason := r.language.Say("note.replace.reason." + replaces.ReasonCode)
	if replaces.ReasonText != "" {
		reason += ": " + replaces.ReasonText
	}
	return []line{
		{"note.replace.reason", reason},
		{"note.replaces", to.Reference + " · " + orDash(to.Authority.Number) + " · " +
			format.Money(r.language, to.AmountCents)},
	}
}
