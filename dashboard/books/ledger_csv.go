package books

import (
	"context"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/dashboard/words"
	"emissor/store/books"
)

// ledgerInPiece is how many entries a download reads at a time.
const ledgerInPiece = 1000

// ledgerColumns are the columns of a download, by the keys of their names.
var ledgerColumns = append([]string{
	"ledger.time", "notes.competence", "ledger.kind", "notes.reference", "note.number", "notes.taker", "ledger.amount",
	"ledger.note", "ledger.entry",
}, frame.TotalColumns()...)

// DownloadLedger sends a period of the ledger as CSV, oldest first.
func DownloadLedger(r *frame.Request) error {
	form, period := readLedgerPeriod(r)
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "ledger", "section.ledger", ledgerPage{Form: form})
	}
	after := ""
	return r.Download("ledger-"+form.Value("since")+"-"+form.Value("until")+".csv", ledgerColumns,
		func(ctx context.Context) (rows [][]string, more bool, err error) {
			lines, err := ledgerLines(r, ctx, period, after)
			for _, line := range lines {
				rows, after = append(rows, ledgerCells(r, line)), line.ID
			}
			return rows, len(lines) == ledgerInPiece, err
		})
}

func ledgerLines(r *frame.Request, ctx context.Context, period ledgerPeriod, after string) ([]books.LedgerLine, error) {
	if !r.Scope.Livemode {
		return nil, nil
	}
	return r.D.Store.Books.LedgerBatch(ctx, r.Scope.OrganizationID, period.since, period.until, after, ledgerInPiece)
}

func ledgerCells(r *frame.Request, line books.LedgerLine) []string {
	total := func(cents int64) string { return PlainAmount(r.Language, *line.Counted(&cents)) }
	return append([]string{
		line.CreatedAt.In(format.Zone).Format(time.DateTime), format.Date(r.Language, line.Competence),
		r.Language.Say("ledger.kind." + string(line.Kind)),
		line.Reference, line.Number, line.Customer, PlainAmount(r.Language, line.AmountCents), line.NoteID, line.ID,
	}, frame.TotalCells(line.Totals, total)...)
}

// PlainAmount writes an amount as spreadsheets add it up: 1234,56 or 1234.56.
func PlainAmount(language words.Language, cents int64) string {
	return strings.NewReplacer("R$\u00a0", "", "−", "-", thousands(language), "").Replace(format.Money(language, cents))
}

func thousands(language words.Language) string {
	if language == words.Portuguese {
		return "."
	}
	return ","
}
