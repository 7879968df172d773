package dashboard

import (
	"context"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/store/books"
)

// ledgerInPiece is how many entries a download reads at a time.
const ledgerInPiece = 1000

// ledgerColumns are those of a download, by the keys of their names.
var ledgerColumns = append([]string{
	"ledger.time", "notes.competence", "ledger.kind", "notes.reference", "note.number", "notes.taker", "ledger.amount",
	"ledger.note", "ledger.entry",
}, totalColumns()...)

// downloadLedger sends a period of the ledger as CSV, oldest first.
func (d *Dashboard) downloadLedger(r *request) error {
	form, period := r.ledgerPeriod()
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "ledger", "section.ledger", ledgerPage{Form: form})
	}
	after := ""
	return r.download("ledger-"+form.Value("since")+"-"+form.Value("until")+".csv", ledgerColumns,
		func(ctx context.Context) (rows [][]string, more bool, err error) {
			lines, err := r.ledgerLines(ctx, period, after)
			for _, line := range lines {
				rows, after = append(rows, r.ledgerCells(line)), line.ID
			}
			return rows, len(lines) == ledgerInPiece, err
		})
}

func (r *request) ledgerLines(ctx context.Context, period ledgerPeriod, after string) ([]books.LedgerLine, error) {
	if !r.scope.Livemode {
		return nil, nil
	}
	return r.d.store.Books.LedgerBatch(ctx, r.scope.OrganizationID, period.since, period.until, after, ledgerInPiece)
}

func (r *request) ledgerCells(line books.LedgerLine) []string {
	total := func(cents int64) string { return plainAmount(r.language, *line.Counted(&cents)) }
	return append([]string{
		line.CreatedAt.In(format.Zone).Format(time.DateTime), format.Date(r.language, line.Competence),
		r.language.Say("ledger.kind." + string(line.Kind)),
		line.Reference, line.Number, line.Customer, plainAmount(r.language, line.AmountCents), line.NoteID, line.ID,
	}, totalCells(line.Totals, total)...)
}

// plainAmount writes an amount as spreadsheets add it up: 1234,56 or 1234.56.
func plainAmount(language words.Language, cents int64) string {
	return strings.NewReplacer("R$\u00a0", "", "−", "-", thousands(language), "").Replace(format.Money(language, cents))
}

func thousands(language words.Language) string {
	if language == words.Portuguese {
		return "."
	}
	return ","
}
