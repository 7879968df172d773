package notes

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"emissor/dashboard/frame"
	"emissor/fiscal/danfse"
	texts "emissor/internal/text"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/notes"
	"emissor/store/webhooks"
)

// CancelNote asks to cancel a note, as the API does.
func CancelNote(r *frame.Request) error {
	form, code, text := r.ReadCancellation()
	if !form.Good() {
		return showNote(r, http.StatusUnprocessableEntity, form)
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	note, started, err := r.Changes().Lifecycle.RequestCancellation(r.Context(), r.PathValue("id"),
		lifecycle.NewCancellation{
			Key: nfse.APIKey{Scope: r.Scope}, RequestID: r.ID, ReasonCode: code, ReasonText: text,
		})
	switch known := frame.AsError(err); {
	case known != nil && slices.Contains([]nfse.Code{nfse.CodeNoteNotCancellable, nfse.CodeNoteAlreadyCancelled,
		nfse.CodeCancellationInProgress}, known.Code):
		form.AddProblem("reason_code", "note.cancel."+string(known.Code))
		return showNote(r, http.StatusConflict, form)
	case err != nil:
		return err
	}
	if started {
		Accepted(r)
	}
	return r.Redirect(r.Link("/notes/"+note.ID), "note.cancel.requested")
}

// RedriveNote has a waiting note looked at again at once.
func RedriveNote(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	if !note.Moving() {
		return r.Redirect(r.Link("/notes/"+note.ID), "note.redrive.over")
	}
	if err := r.Changes().Lifecycle.RedriveNote(r.Context(), note.ID); err != nil {
		return err
	}
	Accepted(r)
	return r.Redirect(r.Link("/notes/"+note.ID), "note.redrive.done")
}

// RetryOfNote sends a delivery of the note again.
func RetryOfNote(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	delivery, _, err := r.D.Store.Webhooks.Delivery(r.Context(), r.PathValue("delivery"))
	if err != nil {
		return err
	}
	if delivery.NoteID != note.ID {
		return ErrNotKnown
	}
	ids, err := r.Changes().Webhooks.RetryDeliveries(r.Context(), webhooks.DeliveryFilter{ID: delivery.ID, Limit: 1})
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return r.Redirect(r.Link("/notes/"+note.ID), "note.retry.none")
	}
	Accepted(r)
	return r.Redirect(r.Link("/notes/"+note.ID), "note.retry.done")
}

const (
	// MostDrawn bounds how many DANFSe are drawn at once: each takes a processor.
	MostDrawn = 2
	// drawWait is how long a request waits for its turn.
	drawWait = 5 * time.Second
)

// DownloadDANFSe draws the printed form of an issued note.
func DownloadDANFSe(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	stored, err := r.D.Store.Notes.NoteDocument(r.Context(), note.ID)
	if nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		return ErrNotKnown
	}
	if err != nil {
		return err
	}
	if company.OwnURL(stored.IssuedBy.FiscalProfile, stored.Number, stored.VerificationCode) != "" {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.no_danfse"}
	}
	page, err := Draw(r.Context(), r.D, printed(r.D, stored))
	if err != nil {
		return err
	}
	header := r.W.Header()
	header.Set("Content-Type", "application/pdf")
	header.Set("Content-Disposition", texts.Attachment(noteFile(r, note, ".pdf")))
	http.ServeContent(r.W, r.Request, "", time.Time{}, bytes.NewReader(page))
	return nil
}

// printed is what the printed form of a note is made from, on paper and on its page.
func printed(d *frame.Dashboard, stored notes.NoteDocument) danfse.Document {
	return danfse.Document{XML: stored.XML, Events: stored.Events, Cancelled: stored.Status == nfse.StatusCancelled,
		Replaced: stored.Replaced, Logo: d.Logo}
}

// Draw waits for its turn and draws a DANFSe. The turn ends when it is drawn, so that slow
// clients delay nobody.
func Draw(ctx context.Context, d *frame.Dashboard, document danfse.Document) ([]byte, error) {
	waiting, end := context.WithTimeout(ctx, drawWait)
	defer end()
	select {
	case d.Drawing <- struct{}{}:
		defer func() { <-d.Drawing }()
	case <-waiting.Done():
		return nil, frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.busy"}
	}
	var page bytes.Buffer
	err := danfse.Draw(&page, document)
	return page.Bytes(), err
}
