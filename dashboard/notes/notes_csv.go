package notes

import (
	"context"
	"slices"
	"strings"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/nfse"
	"emissor/store/notes"
)

// notesInPiece is how many notes a download reads at a time.
const notesInPiece = 500

// noteColumns are the columns of a download, by the keys of their names.
var noteColumns = slices.Concat([]string{
	"notes.csv.id", "notes.reference", "notes.state", "notes.accepted", "notes.competence", "notes.issued",
	"notes.cancelled", "notes.tax_id", "notes.taker", "notes.service", "notes.amount", "note.number", "note.access_key",
	"notes.csv.rejection",
}, frame.TotalColumns(), []string{"notes.csv.replaces", "notes.csv.replaced_by"})

// DownloadNotes sends the notes that match the list's filters as CSV, piece by piece.
func DownloadNotes(r *frame.Request) error {
	form := r.NewForm(noteFields...)
	filter, err := noteFilter(r, form, strings.TrimSpace(form.Value("q")))
	if err != nil {
		return err
	}
	if !form.Good() {
		return r.Redirect(r.Link("/notes", filterPairs(form)...), "") // whose form says what is wrong
	}
	filter.Limit, filter.After, filter.Before, filter.Sort = notesInPiece, "", "", notes.SortAccepted
	return r.Download("notes-"+r.Scope.Environment()+".csv", noteColumns,
		func(ctx context.Context) (rows [][]string, more bool, err error) {
			page, err := r.D.Store.Notes.FilterNotes(ctx, r.Scope, filter)
			if err != nil {
				return nil, false, err
			}
			linked, err := r.D.Store.Lifecycle.LinkedNotes(ctx, r.Scope, page.Notes...)
			for _, note := range page.Notes {
				rows = append(rows, append(noteCells(r, note), linked[note.Replaces].Reference,
					linked[note.ReplacedBy].Reference))
			}
			filter.After = page.Older
			return rows, page.Older != "", err
		})
}

func noteCells(r *frame.Request, note nfse.Note) []string {
	var issued, cancelled, number, key, rejection string
	var totals *nfse.Totals
	if note.IssuedAt != nil {
		issued = format.Moment(r.Language, *note.IssuedAt)
	}
	if note.CancelledAt != nil {
		cancelled = format.Moment(r.Language, *note.CancelledAt)
	}
	if note.Authority != nil {
		number, key = nfse.OrEmpty(note.Authority.Number), keyAsText(nfse.OrEmpty(note.Authority.AccessKey))
		totals = note.Authority.Totals
	}
	if note.Rejection != nil {
		rejection = note.Rejection.Code
	}
	amount := func(cents int64) string { return format.Amount(r.Language, cents) }
	return append([]string{
		note.ID, note.Reference, r.Language.Say("status." + string(note.Status)),
		format.Moment(r.Language, note.CreatedAt), format.Date(r.Language, note.Competence), issued, cancelled,
		format.TaxID(note.Customer.TaxID), note.Customer.Name,
		note.Service.Name, amount(note.AmountCents), number, key, rejection,
	}, frame.TotalCells(totals, amount)...)
}

// keyAsText is an access key as spreadsheets do not round it: they keep 15 digits of a number. NFS before
// its digits is how the document itself writes it (infNFSe, attribute Id), so that it is no number, no
// formula, and has nothing that cannot be seen.
func keyAsText(key string) string {
	if key == "" || strings.Trim(key, "0123456789") != "" {
		return key
	}
	return "NFS" + key
}
