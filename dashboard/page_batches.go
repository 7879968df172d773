package dashboard

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/words"
	"emissor/issuing/batch"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/store/catalogues"
)

// routesOfBatches are spreadsheets of notes.
func (d *Dashboard) routesOfBatches() []route {
	return []route{
		{"GET", "/batches", seeNotes, nothing, d.listBatches},
		{"GET", "/batches/template.csv", issueNotes, nothing, d.downloadTemplateCSV},
		{"GET", "/batches/template.xlsx", issueNotes, nothing, d.downloadTemplateXLSX},
		{"POST", "/batches", issueNotes, aSheet, d.sendBatch},
		{"GET", "/batches/{id}", seeNotes, follows, d.showBatch},
		{"GET", "/batches/{id}/result.csv", seeBooks, nothing, d.downloadBatch},
		{"POST", "/batches/{id}/accept", issueNotes, freshInLive, d.acceptBatch},
		{"POST", "/batches/{id}/discard", issueNotes, nothing, d.discardBatch},
	}
}

const (
	batchesOnPage  = 50
	problemsOnPage = 200  // of a file; the others are counted
	failuresOnPage = 200  // of lines; the others are in the result
	valueShown     = 80   // letters of a wrong cell
	linesInPiece   = 1000 // of a download
	sheetTime      = 20 * time.Second
)

// batchesPage lists spreadsheets, and has the form for another.
type batchesPage struct {
	Batches  []batches.Batch
	Form     *form
	Problems []batchProblem // of the file that was sent just now
	More     int            // problems that are not shown
	Marked   template.URL   // the file with its problems, as CSV
}

// batchProblem is what is wrong with a cell, in the reader's language.
type batchProblem struct {
	Line   int
	Column string
	Value  string // of the cell, its beginning
	Text   string
}

func (d *Dashboard) listBatches(r *request) error { return r.showBatches(http.StatusOK, batchesPage{}) }

func (r *request) showBatches(status int, page batchesPage) (err error) {
	if page.Batches, err = r.d.store.Batches.Batches(r.Context(), r.scope, batchesOnPage); err != nil {
		return err
	}
	return r.renderStatus(status, "batches", "section.batches", page)
}

// sendBatch checks a file whole. Where nothing is wrong it is on record, to be reviewed.
func (d *Dashboard) sendBatch(r *request) error {
	form := &form{values: map[string]string{}}
	content, err := r.file("sheet")
	if err != nil {
		return err
	}
	if len(content) == 0 {
		form.wrong("sheet", "batch.file.missing")
		return r.showBatches(http.StatusUnprocessableEntity, batchesPage{Form: form})
	}
	checked, err := d.checkSheet(r, content)
	if problem, is := batch.IsFileProblem(err); is {
		if err != error(problem) { // the reading panicked
			d.Logger.ErrorContext(r.Context(), "a spreadsheet was not read", "request_id", r.id, "error", err)
		}
		form.wrong("sheet", "batch.file."+string(problem))
		return r.showBatches(http.StatusUnprocessableEntity, batchesPage{Form: form})
	}
	if err != nil {
		return err
	}
	if len(checked.Problems) > 0 {
		form.wrong("sheet", "batch.file.wrong")
		page := batchesPage{Form: form}
		page.Problems, page.More = r.problemsOf(checked.Problems)
		if page.Marked, err = r.marked(checked); err != nil {
			return err
		}
		return r.showBatches(http.StatusUnprocessableEntity, page)
	}
	id, created, err := r.changes().Batches.CreateBatch(r.Context(), batches.Batch{Scope: r.scope, Digest: checked.Digest,
		AmountCents: checked.AmountCents}, checked.Lines)
	if err != nil {
		return err
	}
	notice := ""
	if !created {
		notice = "batch.known_file"
	}
	return r.redirect(r.link("/batches/"+id), notice)
}

// checkSheet checks a file: one of an organization at a time, and few of all, as a file takes
// memory while it is unpacked.
func (d *Dashboard) checkSheet(r *request, content []byte) (batch.Checked, error) {
	alone := d.sheets.Begin(r.scope.OrganizationID)
	defer d.sheets.End(r.scope.OrganizationID)
	if !alone {
		return batch.Checked{}, problem{http.StatusServiceUnavailable, "problem.busy"}
	}
	ctx, end := context.WithTimeout(r.Context(), sheetTime)
	defer end()
	select {
	case d.opening <- struct{}{}:
		defer func() { <-d.opening }()
	case <-ctx.Done():
		return batch.Checked{}, problem{http.StatusServiceUnavailable, "problem.busy"}
	}
	checked, err := batch.Check(ctx, d.store, d.catalogue, r.scope, content)
	if errors.Is(err, context.DeadlineExceeded) {
		err = problem{http.StatusServiceUnavailable, "problem.busy"}
	}
	return checked, err
}

// problemsOf says what is wrong with the cells of a file.
func (r *request) problemsOf(problems []batch.Problem) (shown []batchProblem, more int) {
	for _, one := range problems {
		if len(shown) == problemsOnPage {
			return shown, len(problems) - problemsOnPage
		}
		value := one.Value
		if cut := []rune(value); len(cut) > valueShown {
			value = string(cut[:valueShown]) + "…"
		}
		shown = append(shown, batchProblem{one.Line, one.Column, value, r.problemText(one)})
	}
	return shown, 0
}

// problemText says what is wrong with a cell.
func (r *request) problemText(one batch.Problem) string {
	if key := "issue.wrong." + one.Field; one.Key == batch.ProblemValue && words.Has(key) {
		return r.language.Say(key)
	}
	return r.language.Say("batch.problem." + string(one.Key))
}

// marked is the file with a column that says what is wrong with each line. It is kept nowhere: the page has it.
func (r *request) marked(checked batch.Checked) (template.URL, error) {
	content, err := checked.Marked(r.language.Say("batch.what"), func(one batch.Problem) string {
		return one.Column + ": " + r.problemText(one)
	})
	return template.URL("data:text/csv;base64," + base64.StdEncoding.EncodeToString(content)), err
}

// batchPage is a spreadsheet: its review, then how far it is, then its result.
type batchPage struct {
	Form     *form
	Batch    batches.Batch
	Totals   batches.BatchTotals
	Months   []batches.BatchMonth // that it may be of, while nobody has accepted it
	Review   *batchReview         // nil once somebody has
	Ended    int                  // lines
	First    string               // the reference of its first line
	By       string
	Failures []batchProblem
	Moving   bool
	Refresh  string // address that is loaded again; empty: the page does not reload
}

// refreshSeconds is after how long the page of a spreadsheet that moves reloads.
const refreshSeconds = 10

// RefreshContent is what tells a browser to reload.
func (p batchPage) RefreshContent() template.HTMLAttr {
	return template.HTMLAttr(`content="` + template.HTMLEscapeString(fmt.Sprintf("%d;url=%s", refreshSeconds,
		p.Refresh)) + `"`)
}

// MonthChoices are the months that a person chooses from; none where the lines have days.
func (p batchPage) MonthChoices(language words.Language) []option {
	if len(p.Months) == 0 || p.Months[0].Month == "" {
		return nil
	}
	options := []option{{"", "batch.month.choose", ""}}
	for _, one := range p.Months {
		options = append(options, option{string(one.Month), "", format.Month(language, one.Month)})
	}
	return options
}

// Repeats reports whether lines ask for what another spreadsheet asked for, in a month that it may be of.
func (p batchPage) Repeats() bool {
	return slices.ContainsFunc(p.Months, func(one batches.BatchMonth) bool { return one.Repeated > 0 })
}

func (d *Dashboard) showBatch(r *request) error {
	found, err := d.store.Batches.Batch(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	page := batchPage{Batch: found}
	if page.Months, _, err = r.monthsOfBatch(found); err != nil {
		return err
	}
	return r.renderBatch(http.StatusOK, page)
}

// batchMonths is how many months a spreadsheet without days may be of: of older ones it has days.
const batchMonths = 3

// monthsOfBatch are the months that a spreadsheet which nobody has accepted yet may be of, and the days of
// competence that its lines have then: the last one of each month that may be set.
func (r *request) monthsOfBatch(of batches.Batch) ([]batches.BatchMonth, map[nfse.Month]nfse.Day, error) {
	if of.Status != batches.BatchChecked {
		return nil, nil, nil
	}
	first, last, err := r.d.catalogue.CompetenceDays(r.Context(), r.scope.OrganizationID)
	if err != nil {
		return nil, nil, err
	}
	var months []nfse.Month
	days := map[nfse.Month]nfse.Day{}
	for day := last; day >= first && len(months) < batchMonths; day = nfse.MonthOf(day).FirstDay().Before(1) {
		months, days[nfse.MonthOf(day)] = append(months, nfse.MonthOf(day)), day
	}
	counts, err := r.d.store.Batches.BatchMonths(r.Context(), r.scope, of.ID, months, last)
	return counts, days, err
}

// renderBatch shows a spreadsheet with a status.
func (r *request) renderBatch(status int, page batchPage) (err error) {
	d, found := r.d, page.Batch
	page.Moving = found.Status == batches.BatchAccepting
	if page.Totals, err = d.store.Batches.BatchTotals(r.Context(), r.scope, found.ID); err != nil {
		return err
	}
	page.Ended = found.Lines - page.Totals.Waiting
	if page.Review, err = r.reviewBatch(found); err != nil {
		return err
	}
	lines, err := d.store.Batches.BatchResults(r.Context(), r.scope, found.ID, 0, false, 1)
	if err != nil {
		return err
	}
	if len(lines) > 0 && found.Status != batches.BatchChecked {
		page.First = lines[0].Reference
	}
	sender, err := d.store.Access.User(r.Context(), found.UserID)
	if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
		return err
	}
	page.By = sender.Email
	if page.Totals.Failed > 0 {
		failed, err := d.store.Batches.BatchResults(r.Context(), r.scope, found.ID, 0, true, failuresOnPage)
		if err != nil {
			return err
		}
		for _, line := range failed {
			page.Failures = append(page.Failures, batchProblem{Line: line.Line, Text: r.whyFailed(line)})
		}
	}
	if page.Moving && r.URL.Query().Get("still") == "" {
		page.Refresh = r.link(r.URL.Path, "poll", "1")
	}
	return r.renderStatus(status, "batch", "batch.title", page)
}

// whyFailed says why a line became no note.
func (r *request) whyFailed(line batches.BatchResult) string {
	for _, key := range []string{"batch.failed." + line.Code, "issue.code." + line.Code, "issue.wrong." + line.Field} {
		if words.Has(key) {
			return r.language.Say(key)
		}
	}
	return r.language.Say("batch.failed.internal")
}

// acceptBatch has the lines accepted, by the engine, as notes of a month. Lines that another spreadsheet
// asked for are issued again only where the person says so: a file that was corrected has all its lines
// once more.
func (d *Dashboard) acceptBatch(r *request) error {
	form := r.newForm("email_customer", "register_ledger", "confirm_municipal_operation", "repeat", "month")
	found, err := d.store.Batches.Batch(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	if found.Status != batches.BatchChecked {
		return r.redirect(r.link("/batches/"+found.ID), "")
	}
	months, days, err := r.monthsOfBatch(found)
	if err != nil {
		return err
	}
	month := nfse.Month(form.Value("month"))
	chosen := slices.IndexFunc(months, func(one batches.BatchMonth) bool { return one.Month == month })
	switch {
	case chosen < 0:
		form.wrong("month", "batch.month.missing")
	case months[chosen].Repeated > 0 && form.Value("repeat") == "":
		form.wrong("repeat", "batch.repeat.missing")
	}
	if !form.good() {
		return r.renderBatch(http.StatusUnprocessableEntity, batchPage{Batch: found, Months: months, Form: form})
	}
	if err := r.askFresh(); err != nil {
		return err
	}
	id, err := r.changes().Batches.AcceptBatch(r.Context(), r.scope, found.ID, month, days[month], form.defaults())
	if err != nil {
		return err
	}
	notice := "batch.accepted"
	if id != found.ID {
		notice = "batch.known_file"
	}
	r.accepted()
	return r.redirect(r.link("/batches/"+id), notice)
}

// discardBatch removes what was only checked.
func (d *Dashboard) discardBatch(r *request) error {
	found, err := d.store.Batches.Batch(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	if found.Status != batches.BatchChecked {
		return r.redirect(r.link("/batches/"+found.ID), "")
	}
	if err := r.changes().Batches.DiscardBatch(r.Context(), r.scope, found.ID); err != nil {
		return err
	}
	return r.redirect(r.link("/batches"), "batch.discarded")
}

// resultColumns are those of a result, by the keys of their names.
var resultColumns = []string{"batch.line", "notes.reference", "notes.state", "note.number", "note.access_key",
	"batch.error", "notes.csv.id"}

// downloadBatch sends what became of each line. A spreadsheet would round an access key, so that
// it gets an apostrophe, by which it is a text.
func (d *Dashboard) downloadBatch(r *request) error {
	found, err := d.store.Batches.Batch(r.Context(), r.scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	after := 0
	return r.download("planilha-"+found.Digest[:12]+".csv", resultColumns,
		func(ctx context.Context) (rows [][]string, more bool, err error) {
			lines, err := d.store.Batches.BatchResults(ctx, r.scope, found.ID, after, false, linesInPiece)
			for _, line := range lines {
				after = line.Line
				rows = append(rows, r.resultCells(line))
			}
			return rows, len(lines) == linesInPiece, err
		})
}

func (r *request) resultCells(line batches.BatchResult) []string {
	state, key, why := r.language.Say("batch.line."+line.LineStatus), line.AccessKey, line.Rejection
	if line.Status != "" {
		state = r.language.Say("status." + string(line.Status))
	}
	if line.LineStatus == "failed" {
		why = r.whyFailed(line)
	}
	if key != "" {
		key = "'" + key
	}
	return []string{strconv.Itoa(line.Line), line.Reference, state, line.Number, key, why, line.NoteID}
}

func (d *Dashboard) downloadTemplateCSV(r *request) error {
	return r.sendTemplate("csv", "text/csv; charset=utf-8", batch.TemplateCSV)
}

func (d *Dashboard) downloadTemplateXLSX(r *request) error {
	return r.sendTemplate("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		batch.TemplateXLSX)
}

func (r *request) sendTemplate(ending, kind string, template func([]catalogues.ServiceName) ([]byte, error)) error {
	services, err := r.d.store.Catalogues.ServiceNames(r.Context(), r.scope)
	if err != nil {
		return err
	}
	content, err := template(slices.Clip(services))
	if err != nil {
		return err
	}
	r.w.Header().Set("Content-Type", kind)
	r.w.Header().Set("Content-Disposition", `attachment; filename="modelo-notas.`+ending+`"`)
	_, err = r.w.Write(content)
	return err
}
