package dashboard

import (
	"net/http"
	"strings"

	"emissor/dashboard/format"
	"emissor/nfse"
)

// notesInPiece is how many notes a download reads at a time.
const notesInPiece = 500

// noteColumns are those of a download, by the keys of their names.
var noteColumns = []string{
	"notes.csv.id", "notes.reference", "notes.state", "notes.accepted", "notes.issued", "notes.tax_id", "notes.taker",
	"notes.service", "notes.amount", "note.number", "note.access_key", "notes.csv.rejection",
}

// downloadNotes sends the notes that the list's filters choose as CSV, piece by piece.
func (d *Dashboard) downloadNotes(r *request) error {
	form := r.newForm(noteFields...)
	filter, err := r.noteFilter(form, strings.TrimSpace(form.Value("q")))
	if err != nil {
		return err
	}
	if !form.good() {
		return r.redirect(r.link("/notes", filterPairs(form)...), "") // which says what is wrong
	}
	filter.Limit, filter.After, filter.Before = notesInPiece, "", ""
	// The first piece is read before the answer begins: a database that is out is a page.
	page, err := d.store.FilterNotes(r.Context(), r.scope, filter)
	if err != nil {
		return err
	}
	if r.Method == http.MethodHead {
		return nil
	}
	file := r.newDownload("notes-" + r.scope.Environment() + ".csv")
	var head []string
	for _, key := range noteColumns {
		head = append(head, r.language.Say(key))
	}
	file.row(head...)
	for {
		for _, note := range page.Notes {
			file.row(r.noteCells(note)...)
		}
		if err = file.flush(); err != nil || page.Older == "" {
			break
		}
		filter.After = page.Older
		if page, err = d.store.FilterNotes(file.ctx, r.scope, filter); err != nil {
			break
		}
	}
	file.close(err)
	return nil
}

func (r *request) noteCells(note nfse.Note) []string {
	var issued, number, key, rejection string
	if note.IssuedAt != nil {
		issued = format.Moment(r.language, *note.IssuedAt)
	}
	if note.Authority != nil {
		number, key = text(note.Authority.Number), text(note.Authority.AccessKey)
	}
	if note.Rejection != nil {
		rejection = note.Rejection.Code
	}
	return []string{
		note.ID, note.Reference, r.language.Say("status." + string(note.Status)),
		format.Moment(r.language, note.CreatedAt), issued, format.TaxID(note.Customer.TaxID), note.Customer.Name,
		note.Service.Name, format.Amount(r.language, note.AmountCents), number, key, rejection,
	}
}

func text(value *string) string {
	if value == nil {
		return ""
	}
	return *value
}
