package dashboard

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"emissor/internal/danfse"
	texts "emissor/internal/text"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/notes"
	"emissor/store/webhooks"
)

// cancelNote asks to cancel a note, as the API does.
func (d *Dashboard) cancelNote(r *request) error {
	form, code, text := r.readCancellation()
	if !form.good() {
		return r.showNote(http.StatusUnprocessableEntity, form)
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	note, started, err := r.changes().Lifecycle.RequestCancellation(r.Context(), r.PathValue("id"),
		lifecycle.NewCancellation{
			Key: nfse.APIKey{Scope: r.scope}, RequestID: r.id, ReasonCode: code, ReasonText: text,
		})
	switch known := asError(err); {
	case known != nil && slices.Contains([]nfse.Code{nfse.CodeNoteNotCancellable, nfse.CodeNoteAlreadyCancelled,
		nfse.CodeCancellationInProgress}, known.Code):
		form.wrong("reason_code", "note.cancel."+string(known.Code))
		return r.showNote(http.StatusConflict, form)
	case err != nil:
		return err
	}
	if started {
		r.accepted()
	}
	return r.redirect(r.link("/notes/"+note.ID), "note.cancel.requested")
}

// redriveNote has a waiting note looked at again at once.
func (d *Dashboard) redriveNote(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	if !note.Moving() {
		return r.redirect(r.link("/notes/"+note.ID), "note.redrive.over")
	}
	if err := r.changes().Lifecycle.RedriveNote(r.Context(), note.ID); err != nil {
		return err
	}
	r.accepted()
	return r.redirect(r.link("/notes/"+note.ID), "note.redrive.done")
}

// retryOfNote sends a delivery of the note again.
func (d *Dashboard) retryOfNote(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	delivery, _, err := d.store.Webhooks.Delivery(r.Context(), r.PathValue("delivery"))
	if err != nil {
		return err
	}
	if delivery.NoteID != note.ID {
		return errNotKnown
	}
	ids, err := r.changes().Webhooks.RetryDeliveries(r.Context(), webhooks.DeliveryFilter{ID: delivery.ID, Limit: 1})
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		return r.redirect(r.link("/notes/"+note.ID), "note.retry.none")
	}
	r.accepted()
	return r.redirect(r.link("/notes/"+note.ID), "note.retry.done")
}

const (
	// mostDrawn bounds how many DANFSe are drawn at once: each takes a processor.
	mostDrawn = 2
	// drawWait is how long a request waits for its turn.
	drawWait = 5 * time.Second
)

// downloadDANFSe draws the printed form of an issued note.
func (d *Dashboard) downloadDANFSe(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	stored, err := d.store.Notes.NoteDocument(r.Context(), note.ID)
	if nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		return errNotKnown
	}
	if err != nil {
		return err
	}
	if company.OwnURL(stored.IssuedBy.FiscalProfile, stored.Number, stored.VerificationCode) != "" {
		return problem{http.StatusNotFound, "problem.no_danfse"}
	}
	page, err := d.draw(r.Context(), d.printed(stored))
	if err != nil {
		return err
	}
	header := r.w.Header()
	header.Set("Content-Type", "application/pdf")
	header.Set("Content-Disposition", texts.Attachment(r.noteFile(note, ".pdf")))
	http.ServeContent(r.w, r.Request, "", time.Time{}, bytes.NewReader(page))
	return nil
}

// printed is what the printed form of a note is made from, on paper and on its page.
func (d *Dashboard) printed(stored notes.NoteDocument) danfse.Document {
	return danfse.Document{XML: stored.XML, Events: stored.Events, Cancelled: stored.Status == nfse.StatusCancelled,
		Replaced: stored.Replaced, Logo: d.Logo}
}

// draw waits for its turn and draws a DANFSe. The turn ends when it is drawn, so that slow
// clients delay nobody.
func (d *Dashboard) draw(ctx context.Context, document danfse.Document) ([]byte, error) {
	waiting, end := context.WithTimeout(ctx, drawWait)
	defer end()
	select {
	case d.drawing <- struct{}{}:
		defer func() { <-d.drawing }()
	case <-waiting.Done():
		return nil, problem{http.StatusServiceUnavailable, "problem.busy"}
	}
	var page bytes.Buffer
	err := danfse.Draw(&page, document)
	return page.Bytes(), err
}
