package notes

import (
	"net/http"

	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/mails"
)

// RoutesOfNoteDetails are what a note's page leads to.
func RoutesOfNoteDetails(d *frame.Dashboard) []frame.Route {
	seeMessages := frame.Audience(nfse.SeeRequests)
	return []frame.Route{
		frame.On("POST", "/notes/{id}/email", frame.SendEmails, frame.Nothing, emailNote),
		frame.On("GET", "/notes/{id}/messages", seeMessages, frame.Nothing, listMessages),
		frame.On("GET", "/notes/{id}/messages/{message}", seeMessages, frame.Nothing, showMessage),
		frame.On("GET", "/notes/{id}/messages/{message}/xml", seeMessages, frame.Nothing, downloadMessage),
	}
}

// emailNote has the e-mail of an issued note sent again, to any address. What is typed wrong comes
// back on the note's page.
func emailNote(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	form := r.NewForm("email")
	address, err := nfse.ParseEmail(form.Value("email"))
	now := r.D.Now()
	switch {
	case err != nil:
		form.AddProblem("email", "note.email.wrong")
	case !canEmail(note):
		form.AddProblem("email", "note.email.not_issued")
	case !r.D.Limits.Emails.Allow(r.User.ID, now) || !r.D.Limits.Emails.Allow(r.Scope.OrganizationID, now):
		form.AddProblem("email", "note.email.too_many")
	}
	if !form.Good() {
		return showNoteWith(r, http.StatusUnprocessableEntity, nil, form)
	}
	if _, err = r.Changes().Mails.EmailNote(r.Context(), r.Scope, mails.SentAgainTo{NoteID: note.ID,
		Address: address}); err != nil {
		return err
	}
	Accepted(r)
	return r.Redirect(r.Link("/notes/"+note.ID), "note.email.done")
}

// canEmail reports whether a note has an e-mail: the test environment sends none.
func canEmail(note nfse.Note) bool {
	return note.Livemode &&
		(note.Status == nfse.StatusIssued || note.Status == nfse.StatusCancelled && note.Authority != nil)
}

// emailForm is the form of an e-mail, with the customer's present address; nil where there is none.
func emailForm(r *frame.Request, note nfse.Note) (*frame.Form, error) {
	if !canEmail(note) || !r.Role.May(nfse.SendEmails) {
		return nil, nil
	}
	customer, err := r.D.Store.Catalogues.Customer(r.Context(), r.Scope, note.CustomerID)
	if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
		return frame.FormOf(map[string]string{}), nil
	}
	return frame.FormOf(map[string]string{"email": nfse.OrEmpty(customer.Email)}), err
}
