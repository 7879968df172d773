package books

import (
	"net/http"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	mailpages "emissor/dashboard/mails"
	"emissor/nfse"
	"emissor/store/books"
)

const (
	ledgerOnPage   = 100
	leftOutCounted = 1000
)

// ledgerPage is a period of the ledger, in days of America/Sao_Paulo.
type ledgerPage struct {
	books.LedgerPage
	frame.Pager
	Form   *frame.Form
	Sums   books.LedgerSums
	CSVURL string
	// LeftOut are notes issued in the period that the ledger does not have, counted up to one more
	// than leftOutCounted.
	LeftOut    int
	ClosingURL string
	Value      frame.FiscalValue // of what was issued since the first day
}

// ledgerPeriod is the period of a page of the ledger: whole days, from since until before
// until.
type ledgerPeriod struct{ since, until time.Time }

func (p ledgerPeriod) last() time.Time { return p.until.AddDate(0, 0, -1) }

// readLedgerPeriod reads the period that the address chooses; without one, this month until
// today. The form gets the default too, so that people see the period.
func readLedgerPeriod(r *frame.Request) (form *frame.Form, period ledgerPeriod) {
	form = r.NewForm("since", "until")
	today := time.Now().In(format.Zone)
	if form.Value("since") == "" {
		form.Values["since"] = time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, format.Zone).Format(time.DateOnly)
	}
	if form.Value("until") == "" {
		form.Values["until"] = max(today.Format(time.DateOnly), form.Value("since"))
	}
	period.since, period.until = frame.ReadPeriod(form)
	if form.Good() && period.since.Year() < 2000 || form.Good() && period.until.Year() > 2200 {
		form.AddProblem("since", "notes.date.wrong")
	}
	return form, period
}

func ShowLedger(r *frame.Request) error {
	form, period := readLedgerPeriod(r)
	page := ledgerPage{Form: form}
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "ledger", "section.ledger", page)
	}
	if !r.Scope.Livemode { // the ledger has live notes only
		return r.Render("ledger", "section.ledger", page)
	}
	filter := books.LedgerFilter{Since: period.since, Until: period.until, Limit: ledgerOnPage}
	filter.After, filter.Before = mailpages.Cursor(r, nfse.PrefixLedgerEntry)
	var err error
	if page.Value, err = r.FiscalValueSince(period.since); err != nil {
		return err
	}
	if page.LedgerPage, err = r.D.Store.Books.FilterLedger(r.Context(), r.Scope.OrganizationID, filter); err != nil {
		return err
	}
	page.Sums, err = r.D.Store.Books.LedgerSums(r.Context(), r.Scope.OrganizationID, period.since, period.last())
	if err != nil {
		return err
	}
	page.LeftOut, err = r.D.Store.Books.LedgerLeftOut(r.Context(), r.Scope.OrganizationID, period.since, period.until,
		leftOutCounted+1)
	if err != nil {
		return err
	}
	page.ClosingURL = r.Link("/closing", "month", period.since.Format("2006-01"))
	ids := make([]string, len(page.Lines))
	for i, line := range page.Lines {
		ids[i] = line.ID
	}
	days := []string{"since", form.Value("since"), "until", form.Value("until")}
	page.Pager = r.Pager("/ledger", ids, page.Newer, page.Older, days...)
	page.CSVURL = r.Link("/ledger.csv", days...)
	return r.Render("ledger", "section.ledger", page)
}

// ManyLeftOut reports whether more are left out than are counted.
func (p ledgerPage) ManyLeftOut() bool { return p.LeftOut > leftOutCounted }

// Issued is how many entries of the period say that a note was issued.
func (p ledgerPage) Issued() int { return int(p.Sums.Issued) }

// Reversed is how many say that an issued note was cancelled.
func (p ledgerPage) Reversed() int { return int(p.Sums.Reversed) }
