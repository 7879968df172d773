package books

import (
	"context"
	"net/http"
	"slices"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
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

// monthColumns are the columns of a month's notes, by the keys of their names.
var monthColumns = slices.Concat([]string{
	"notes.competence", "note.number", "note.access_key", "notes.reference", "notes.state", "notes.issued",
	"closing.cancelled_at", "notes.tax_id", "notes.taker", "notes.service", "closing.city", "notes.amount",
}, frame.TotalColumns())

// downloadMonth sends the notes of a month that have a document as CSV.
func downloadMonth(r *frame.Request) error {
	form, month := monthOf(r)
	if !form.Good() {
		return r.Redirect(r.Link("/closing", "month", form.Value("month")), "")
	}
	var after books.MonthPlace
	name := "closing-" + r.Scope.Environment() + "-" + string(month) + ".csv"
	return r.Download(name, monthColumns, func(ctx context.Context) (rows [][]string, more bool, err error) {
		notes, next, err := r.D.Store.Books.MonthNotes(ctx, r.Scope, month, after, monthInPiece)
		for _, note := range notes {
			rows = append(rows, monthCells(r, note))
		}
		after = next
		return rows, len(notes) == monthInPiece, err
	})
}

// monthTexts are the cells of a month's note that are texts, in the order of the columns.
func monthTexts(r *frame.Request, note nfse.Note) []string {
	var issued, cancelled, number, key string
	if note.IssuedAt != nil {
		issued = format.Moment(r.Language, *note.IssuedAt)
	}
	if note.Cancellation != nil && note.Status == nfse.StatusCancelled && note.Cancellation.ResolvedAt != nil {
		cancelled = format.Moment(r.Language, *note.Cancellation.ResolvedAt)
	}
	if note.Authority != nil {
		number, key = nfse.OrEmpty(note.Authority.Number), nfse.OrEmpty(note.Authority.AccessKey)
	}
	return []string{format.Date(r.Language, note.Competence), number, key, note.Reference,
		r.Language.Say("status." + string(note.Status)), issued, cancelled, format.TaxID(note.Customer.TaxID),
		note.Customer.Name, note.Service.Name, cataloguepages.MunicipalityName(note.Service.MunicipalityCode)}
}

const accessKeyCell = 2 // of monthTexts

func monthCells(r *frame.Request, note nfse.Note) []string {
	cells := monthTexts(r, note)
	if cells[accessKeyCell] != "" { // a spreadsheet would take it for a number, and round it
		cells[accessKeyCell] = "'" + cells[accessKeyCell]
	}
	var totals *nfse.Totals
	if note.Authority != nil {
		totals = note.Authority.Totals
	}
	amount := func(cents int64) string { return PlainAmount(r.Language, cents) }
	return append(append(cells, amount(note.AmountCents)), frame.TotalCells(totals, amount)...)
}

// downloadWorkbook sends a month as XLSX: its sums, those by service, city and regime, and its notes.
func downloadWorkbook(r *frame.Request) error {
	form, month := monthOf(r)
	if !form.Good() {
		return r.Redirect(r.Link("/closing", "month", form.Value("month")), "")
	}
	ctx, end := context.WithTimeout(r.Context(), frame.DownloadLimit)
	defer end()
	book, err := sheets.New()
	if err != nil {
		return err
	}
	defer func() { _ = book.Close() }()
	if err := writeSums(r, ctx, book, month); err != nil {
		return err
	}
	if err := writeNotes(r, ctx, book, month); err != nil {
		return err
	}
	header := r.W.Header()
	header.Set("Content-Type", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
	header.Set("Content-Disposition", `attachment; filename="closing-`+r.Scope.Environment()+"-"+string(month)+`.xlsx"`)
	if r.Method == http.MethodHead {
		return nil
	}
	if err := http.NewResponseController(r.W).SetWriteDeadline(time.Now().Add(frame.DownloadLimit)); err != nil {
		return err
	}
	return book.Write(r.W)
}

func writeSums(r *frame.Request, ctx context.Context, book *sheets.Book, month nfse.Month) error {
	figures, err := r.D.Store.Books.MonthFigures(ctx, r.Scope, monthBefore(month), month)
	if err != nil {
		return err
	}
	var page closingPage
	page.Month = month
	page.add(r, figures)
	say := r.Language.Say
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
	if !r.Scope.Livemode {
		rows = append(rows, []any{say("closing.test")})
	}
	for _, row := range rows {
		if err := book.Row(row...); err != nil {
			return err
		}
	}
	for _, groups := range readClosingGroups(r, month, figures, notesInWorkbook) {
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

func writeNotes(r *frame.Request, ctx context.Context, book *sheets.Book, month nfse.Month) error {
	columns := make([]string, len(monthColumns))
	for i, key := range monthColumns {
		columns[i] = r.Language.Say(key)
	}
	if err := book.Sheet(r.Language.Say("closing.sheet.notes"), columns...); err != nil {
		return err
	}
	var after books.MonthPlace
	for written := 0; ; {
		notes, next, err := r.D.Store.Books.MonthNotes(ctx, r.Scope, month, after, monthInPiece)
		if err != nil {
			return err
		}
		for _, note := range notes {
			if err := book.Row(noteRow(r, note)...); err != nil {
				return err
			}
		}
		written, after = written+len(notes), next
		if len(notes) < monthInPiece {
			return nil
		}
		if written >= notesInWorkbook {
			return book.Row(r.Language.Say("closing.xlsx.more"))
		}
	}
}

// noteRow is a note as a row of a workbook.
func noteRow(r *frame.Request, note nfse.Note) (cells []any) {
	for _, cell := range monthTexts(r, note) {
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
	for _, name := range frame.TaxesOfTotals {
		if cents, is := stated[name]; is {
			cells = append(cells, sheets.Cents(cents))
		} else {
			cells = append(cells, nil)
		}
	}
	return cells
}
