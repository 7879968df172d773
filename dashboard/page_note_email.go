package dashboard

import (
	"net/http"

	"emissor/nfse"
	"emissor/store/mails"
)

// routesOfNoteDetails are what a note's page leads to.
func (d *Dashboard) routesOfNoteDetails() []route {
	seeMessages := audience(nfse.SeeRequests)
	return []route{
		{"POST", "/notes/{id}/email", sendEmails, nothing, d.emailNote},
		{"GET", "/notes/{id}/messages", seeMessages, nothing, d.listMessages},
		{"GET", "/notes/{id}/messages/{message}", seeMessages, nothing, d.showMessage},
		{"GET", "/notes/{id}/messages/{message}/xml", seeMessages, nothing, d.downloadMessage},
	}
}

// emailNote has the e-mail of an issued note sent again, to any address. What is typed wrong comes
// back on the note's page.
func (d *Dashboard) emailNote(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	form := r.newForm("email")
	address, err := nfse.ParseEmail(form.Value("email"))
	now := d.Now()
	switch {
	case err != nil:
		form.wrong("email", "note.email.wrong")
	case !canEmail(note):
		form.wrong("email", "note.email.not_issued")
	case !d.limits.emails.Allow(r.user.ID, now) || !d.limits.emails.Allow(r.scope.OrganizationID, now):
		form.wrong("email", "note.email.too_many")
	}
	if !form.good() {
		return r.showNoteWith(http.StatusUnprocessableEntity, nil, form)
	}
	if _, err = r.changes().Mails.EmailNote(r.Context(), r.scope, mails.SentAgainTo{NoteID: note.ID,
		Address: address}); err != nil {
		return err
	}
	r.accepted()
	return r.redirect(r.link("/notes/"+note.ID), "note.email.done")
}

// canEmail reports whether a note has an e-mail: the test environment sends none.
func canEmail(note nfse.Note) bool {
	return note.Livemode && (note.Status == nfse.StatusIssued || note.Status == nfse.StatusCancelled && note.Authority != nil)
}

// emailForm is the form of an e-mail, with the customer's present address; nil where there is none.
func (r *request) emailForm(note nfse.Note) (*form, error) {
	if !canEmail(note) || !r.role.May(nfse.SendEmails) {
		return nil, nil
	}
	customer, err := r.d.store.Catalogues.Customer(r.Context(), r.scope, note.CustomerID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		return formOf(map[string]string{}), nil
	}
	return formOf(map[string]string{"email": textOf(customer.Email)}), err
}
