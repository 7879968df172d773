package dashboard

import (
	"context"
	"net/http"
	"slices"
	"time"

	"emissor/dashboard/format"
	"emissor/internal/sheets"
	"emissor/nfse"
	"emissor/store/books"
)

const (
	// notesInWorkbook is how many notes a workbook has at most: it is made before it is sent. The
	// CSV has all.
	notesInWorkbook = 50_000

	monthInPiece = 500 // notes that are read at a time
)

// monthColumns are those of a month's notes, by the keys of their names.
var monthColumns = slices.Concat([]string{
	"notes.competence", "note.number", "note.access_key", "notes.reference", "notes.state", "notes.issued",
	"closing.cancelled_at", "notes.tax_id", "notes.taker", "notes.service", "closing.city", "notes.amount",
}, totalColumns())

// downloadMonth sends the notes of a month that have a document as CSV.
func (d *Dashboard) downloadMonth(r *request) error {
	form, month := r.monthOf()
	if !form.good() {
		return r.redirect(r.link("/closing", "month", form.Value("month")), "")
	}
	var after books.MonthPlace
	name := "closing-" + r.scope.Environment() + "-" + string(month) + ".csv"
	return r.download(name, monthColumns, func(ctx context.Context) (rows [][]string, more bool, err error) {
		notes, next, err := d.store.Books.MonthNotes(ctx, r.scope, month, after, monthInPiece)
		for _, note := range notes {
			rows = append(rows, r.monthCells(note))
		}
		after = next
		return rows, len(notes) == monthInPiece, err
	})
}

// monthTexts are the cells of a month's note that are texts, in the order of the columns.
func (r *request) monthTexts(note nfse.Note) []string {
	var issued, cancelled, number, key string
	if note.IssuedAt != nil {
		issued = format.Moment(r.language, *note.IssuedAt)
	}
	if note.Cancellation != nil && note.Status == nfse.StatusCancelled && note.Cancellation.ResolvedAt != nil {
		cancelled = format.Moment(r.language, *note.Cancellation.ResolvedAt)
	}
	if note.Authority != nil {
		number, key = text(note.Authority.Number), text(note.Authority.AccessKey)
	}
	return []string{format.Date(r.language, note.Competence), number, key, note.Reference,
		r.language.Say("status." + string(note.Status)), issued, cancelled, format.TaxID(note.Customer.TaxID),
		note.Customer.Name, note.Service.Name, municipalityName(note.Service.MunicipalityCode)}
}

const accessKeyCell = 2 // of monthTexts

func (r *request) monthCells(note nfse.Note) []string {
	cells := r.monthTexts(note)
	if cells[accessKeyCell] != "" { // a spreadsheet would take it for a number, and round it
		cells[accessKeyCell] = "'" + cells[accessKeyCell]
	}
	var totals *nfse.Totals
	if note.Authority != nil {
		totals = note.Authority.Totals
	}
	amount := func(cents int64) string { return plainAmount(r.language, cents) }
	return append(append(cells, amount(note.AmountCents)), totalCells(totals, amount)...)
}

// downloadWorkbook sends a month as XLSX: its sums, those by service, city and regime, and its notes.
func (d *Dashboard) downloadWorkbook(r *request) error {
	form, month := r.monthOf()
	if !form.good() {
		return r.redirect(r.link("/closing", "month", form.Value("month")), "")
	}
	ctx, end := context.WithTimeout(r.Context(), downloadLimit)
	defer end()
	book, err := sheets.New()
	if err != nil {
		return err
	}
	defer func() { _ = book.Close() }()
	if err := r.writeSums(ctx, book, month); err != nil {
		return err
	}
	if err := r.writeNotes(ctx, book, month); err != nil {
		return err
	}
	header := r.w.Header()
	header.Set("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	header.Set("Content-Disposition", `attachment; filename="closing-`+r.scope.Environment()+"-"+string(month)+`.xlsx"`)
	if r.Method == http.MethodHead {
		return nil
	}
	if err := http.NewResponseController(r.w).SetWriteDeadline(time.Now().Add(downloadLimit)); err != nil {
		return err
	}
	return book.Write(r.w)
}

func (r *request) writeSums(ctx context.Context, book *sheets.Book, month nfse.Month) error {
	figures, err := r.d.store.Books.MonthFigures(ctx, r.scope, monthBefore(month), month)
	if err != nil {
		return err
	}
	var page closingPage
	page.Month = month
	page.add(r, figures)
	say := r.language.Say
	err = book.Sheet(say("closing.sheet.sums"), say("closing.sum"), string(month), string(monthBefore(month)))
	if err != nil {
		return err
	}
	rows := [][]any{{say("closing.notes"), page.Issued.Notes, page.Before.Notes}}
	for _, one := range page.Measures() {
		rows = append(rows, []any{say(one.Key), sheets.Cents(one.Cents), sheets.Cents(one.Before)})
	}
	for _, one := range page.Ended {
		rows = append(rows, []any{say("closing." + string(one.State)), one.Sums.Notes, one.Before.Notes})
	}
	if !r.scope.Livemode {
		rows = append(rows, []any{say("closing.test")})
	}
	for _, row := range rows {
		if err := book.Row(row...); err != nil {
			return err
		}
	}
	for _, groups := range r.closingGroups(month, figures, notesInWorkbook) {
		columns := []string{say(groups.Key), say("closing.notes")}
		for _, one := range sumsOf(books.MonthSums{}) {
			columns = append(columns, say(one.Key))
		}
		if err := book.Sheet(say(groups.Key), columns...); err != nil {
			return err
		}
		for _, line := range groups.Lines {
			cells := []any{line.Name, line.Notes}
			for _, one := range sumsOf(line.MonthSums) {
				cells = append(cells, sheets.Cents(one.Cents))
			}
			if err := book.Row(cells...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *request) writeNotes(ctx context.Context, book *sheets.Book, month nfse.Month) error {
	columns := make([]string, len(monthColumns))
	for i, key := range monthColumns {
		columns[i] = r.language.Say(key)
	}
	if err := book.Sheet(r.language.Say("closing.sheet.notes"), columns...); err != nil {
		return err
	}
	var after books.MonthPlace
	for written := 0; ; {
		notes, next, err := r.d.store.Books.MonthNotes(ctx, r.scope, month, after, monthInPiece)
		if err != nil {
			return err
		}
		for _, note := range notes {
			if err := book.Row(r.noteRow(note)...); err != nil {
				return err
			}
		}
		written, after = written+len(notes), next
		if len(notes) < monthInPiece {
			return nil
		}
		if written >= notesInWorkbook {
			return book.Row(r.language.Say("closing.xlsx.more"))
		}
	}
}

// noteRow is a note as a row of a workbook.
func (r *request) noteRow(note nfse.Note) (cells []any) {
	for _, cell := range r.monthTexts(note) {
		cells = append(cells, cell)
	}
	var totals *nfse.Totals
	if note.Authority != nil {
		totals = note.Authority.Totals
	}
	cells = append(cells, sheets.Cents(note.AmountCents), totals.Charged(), totals.Net(), totals.Withheld())
	stated := map[string]int64{}
	for _, one := range totals.Stated() {
		stated[one.Name] = one.Cents
	}
	for _, name := range taxesOfTotals {
		if cents, is := stated[name]; is {
			cells = append(cells, sheets.Cents(cents))
		} else {
			cells = append(cells, nil)
		}
	}
	return cells
}
