package dashboard

import (
	"net/http"
	"slices"
	"strings"

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
	pager
	Form     *form
	Statuses []mails.EmailStatus
	Filtered bool
	Failed   bool   // at least one has failed
	Problem  string // key
}

func (d *Dashboard) listEmails(r *request) error { return r.showEmails(http.StatusOK, "") }

func (r *request) showEmails(status int, problem string) error {
	form := r.newForm("q", "state", "since", "until")
	filter := mails.EmailListFilter{Status: mails.EmailStatus(form.Value("state")), Limit: emailsOnPage}
	filter.NoteID = strings.TrimSpace(form.Value("q"))
	if filter.NoteID != "" && !nfse.IsID(nfse.PrefixNote, filter.NoteID) {
		form.wrong("q", "emails.note.wrong")
	}
	if filter.Status != "" && !slices.Contains(emailStatuses, filter.Status) {
		form.wrong("state", "notes.state.wrong")
	}
	filter.Since, filter.Until = readPeriod(form)
	filter.After, filter.Before = r.cursor(nfse.PrefixEmail)
	page := emailsPage{Form: form, Statuses: emailStatuses, Problem: problem,
		Filtered: filter.NoteID != "" || filter.Status != "" || form.Value("since") != "" || form.Value("until") != ""}
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "emails", "section.emails", page)
	}
	var err error
	if page.EmailPage, err = r.d.store.Mails.FilterEmails(r.Context(), r.scope, filter); err != nil {
		return err
	}
	failed, err := r.d.store.Mails.FilterEmails(r.Context(), r.scope,
		mails.EmailListFilter{Status: mails.EmailFailed, Limit: 1})
	if err != nil {
		return err
	}
	page.Failed = len(failed.Emails) > 0
	ids := make([]string, len(page.Emails))
	for i, email := range page.Emails {
		ids[i] = email.ID
	}
	page.pager = r.pager("/emails", ids, page.Newer, page.Older, "q", filter.NoteID, "state", form.Value("state"),
		"since", form.Value("since"), "until", form.Value("until"))
	return r.renderStatus(status, "emails", "section.emails", page)
}

// cursor is the id in the address after or before which the page begins.
func (r *request) cursor(prefix nfse.Prefix) (after, before string) {
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(prefix, id) {
		return id, ""
	}
	if id := query.Get("newer"); nfse.IsID(prefix, id) {
		return "", id
	}
	return "", ""
}

func (d *Dashboard) retryEmail(r *request) error {
	email, err := d.store.Mails.EmailOf(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	err = r.changes().Mails.RetryEmail(r.Context(), email.ID)
	if nfse.IsCode(err, nfse.CodeInvalidRequest) { // it was sent, meanwhile or before
		return r.showEmails(http.StatusConflict, "emails.sent_already")
	}
	if err != nil {
		return err
	}
	return r.redirect(r.link("/emails"), "emails.retried")
}

func (d *Dashboard) retryFailedEmails(r *request) error {
	retried, err := r.changes().Mails.RetryFailedEmails(r.Context(), r.scope, emailsAtOnce)
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
	return r.redirect(r.link("/emails"), notice)
}
