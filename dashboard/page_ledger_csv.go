package dashboard

import (
	"context"
	"encoding/csv"
	"net/http"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/store"
)

const (
	ledgerBatch    = 1000             // entries that are read at once
	batchDeadline  = 30 * time.Second // for the reader to take each batch
	ledgerDeadline = 30 * time.Minute // for all of it
)

// downloadLedger sends a period of the ledger as CSV, oldest first. It is read in
// batches and kept nowhere, so that any length of it takes the same memory; each batch
// has a deadline of its own in place of the server's.
func (d *Dashboard) downloadLedger(r *request) error {
	form, period := r.ledgerPeriod()
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "ledger", "section.ledger", ledgerPage{Form: form})
	}
	ctx, end := context.WithTimeout(r.Context(), ledgerDeadline)
	defer end()
	first, err := r.ledgerLines(ctx, period, "")
	if err != nil {
		return err // before anything is sent, so that it is answered as a page
	}
	r.w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	r.w.Header().Set("Content-Disposition",
		`attachment; filename="ledger-`+form.Value("since")+`-`+form.Value("until")+`.csv"`)
	out := r.newLedgerCSV()
	for lines := first; len(lines) > 0; {
		if err := out.write(lines); err != nil {
			return errAnswered // the reader is gone
		}
		if len(lines) < ledgerBatch {
			break
		}
		if lines, err = r.ledgerLines(ctx, period, lines[len(lines)-1].ID); err != nil {
			d.Logger.WarnContext(ctx, "a download of the ledger broke off", "request_id", r.id, "error", err)
			panic(http.ErrAbortHandler) // so that the reader sees that there is more
		}
	}
	return nil
}

func (r *request) ledgerLines(ctx context.Context, period ledgerPeriod, after string) ([]store.LedgerLine, error) {
	if !r.scope.Livemode {
		return nil, nil
	}
	return r.d.store.LedgerBatch(ctx, r.scope.OrganizationID, period.since, period.until, after, ledgerBatch)
}

// ledgerCSV writes entries as spreadsheets of the reader's language take them: in
// Portuguese semicolons and a decimal comma.
type ledgerCSV struct {
	*csv.Writer
	language words.Language
	deadline *http.ResponseController
}

func (r *request) newLedgerCSV() ledgerCSV {
	out := ledgerCSV{csv.NewWriter(r.w), r.language, http.NewResponseController(r.w)}
	if r.language == words.Portuguese {
		out.Comma = ';'
	}
	_, _ = r.w.Write([]byte("\ufeff")) // by which spreadsheets know UTF-8
	header := []string{"ledger.time", "ledger.kind", "notes.reference", "note.number", "notes.taker", "ledger.amount",
		"ledger.note", "ledger.entry"}
	for i, key := range header {
		header[i] = r.language.Say(key)
	}
	_ = out.Write(header)
	out.Flush()
	return out
}

func (c ledgerCSV) write(lines []store.LedgerLine) error {
	_ = c.deadline.SetWriteDeadline(time.Now().Add(batchDeadline))
	for _, line := range lines {
		_ = c.Write([]string{
			line.CreatedAt.In(format.Zone).Format(time.DateTime), c.language.Say("ledger.kind." + string(line.Kind)),
			unformulated(line.Reference), unformulated(line.Number), unformulated(line.Customer),
			plainAmount(c.language, line.AmountCents), line.NoteID, line.ID,
		})
	}
	c.Flush()
	return c.Error()
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

// unformulated keeps a spreadsheet from taking a text for a formula.
func unformulated(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n|", rune(text[0])) {
		return "'" + text
	}
	return text
}
