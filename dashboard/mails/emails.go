package mails

import (
	"net/http"
	"slices"
	"strings"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/mails"
)

const (
	emailsOnPage = 50
	emailsAtOnce = 200 // are sent again by one request
)

// emailStatuses are the states of e-mails that a list can be of.
var emailStatuses = []mails.EmailStatus{mails.EmailPending, mails.EmailSent, mails.EmailFailed, mails.EmailSkipped}

// emailsPage lists the e-mails to customers.
type emailsPage struct {
	mails.EmailPage
	frame.Pager
	Form     *frame.Form
	Statuses []mails.EmailStatus
	Filtered bool
	Failed   bool   // at least one has failed
	Problem  string // key
}

func ListEmails(r *frame.Request) error { return showEmails(r, http.StatusOK, "") }

func showEmails(r *frame.Request, status int, problem string) error {
	form := r.NewForm("q", "state", "since", "until")
	filter := mails.EmailListFilter{Status: mails.EmailStatus(form.Value("state")), Limit: emailsOnPage}
	filter.NoteID = strings.TrimSpace(form.Value("q"))
	if filter.NoteID != "" && !nfse.IsID(nfse.PrefixNote, filter.NoteID) {
		form.AddProblem("q", "emails.note.wrong")
	}
	if filter.Status != "" && !slices.Contains(emailStatuses, filter.Status) {
		form.AddProblem("state", "notes.state.wrong")
	}
	filter.Since, filter.Until = frame.ReadPeriod(form)
	filter.After, filter.Before = Cursor(r, nfse.PrefixEmail)
	page := emailsPage{Form: form, Statuses: emailStatuses, Problem: problem,
		Filtered: filter.NoteID != "" || filter.Status != "" || form.Value("since") != "" || form.Value("until") != ""}
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "emails", "section.emails", page)
	}
	var err error
	if page.EmailPage, err = r.D.Store.Mails.FilterEmails(r.Context(), r.Scope, filter); err != nil {
		return err
	}
	failed, err := r.D.Store.Mails.FilterEmails(r.Context(), r.Scope,
		mails.EmailListFilter{Status: mails.EmailFailed, Limit: 1})
	if err != nil {
		return err
	}
	page.Failed = len(failed.Emails) > 0
	ids := make([]string, len(page.Emails))
	for i, email := range page.Emails {
		ids[i] = email.ID
	}
	page.Pager = r.Pager("/emails", ids, page.Newer, page.Older, "q", filter.NoteID, "state", form.Value("state"),
		"since", form.Value("since"), "until", form.Value("until"))
	return r.RenderStatus(status, "emails", "section.emails", page)
}

// Cursor is the id in the address after or before which the page begins.
func Cursor(r *frame.Request, prefix nfse.Prefix) (after, before string) {
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(prefix, id) {
		return id, ""
	}
	if id := query.Get("newer"); nfse.IsID(prefix, id) {
		return "", id
	}
	return "", ""
}

func RetryEmail(r *frame.Request) error {
	email, err := r.D.Store.Mails.EmailOf(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	err = r.Changes().Mails.RetryEmail(r.Context(), email.ID)
	if nfse.IsCode(err, nfse.CodeInvalidRequest) { // it was sent, meanwhile or before
		return showEmails(r, http.StatusConflict, "emails.sent_already")
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link("/emails"), "emails.retried")
}

func RetryFailedEmails(r *frame.Request) error {
	retried, err := r.Changes().Mails.RetryFailedEmails(r.Context(), r.Scope, emailsAtOnce)
	if err != nil {
		return err
	}
	notice := "emails.retried.all"
	switch retried {
	case 0:
		notice = "emails.none_failed"
	case emailsAtOnce:
		notice = "emails.retried.some"
	}
	return r.Redirect(r.Link("/emails"), notice)
}
