package batches

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
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/dashboard/words"
	"emissor/issuing/batch"
	"emissor/nfse"
	"emissor/store/batches"
	"emissor/store/catalogues"
)

// RoutesOfBatches are spreadsheets of notes.
func RoutesOfBatches(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/batches", frame.SeeNotes, frame.Nothing, listBatches),
		frame.On("GET", "/batches/template.csv", frame.IssueNotes, frame.Nothing, downloadTemplateCSV),
		frame.On("GET", "/batches/template.xlsx", frame.IssueNotes, frame.Nothing, downloadTemplateXLSX),
		frame.On("POST", "/batches", frame.IssueNotes, frame.ASheet, sendBatch),
		frame.On("GET", "/batches/{id}", frame.SeeNotes, frame.Follows, showBatch),
		frame.On("GET", "/batches/{id}/result.csv", frame.SeeBooks, frame.Nothing, downloadBatch),
		frame.On("POST", "/batches/{id}/accept", frame.IssueNotes, frame.FreshInLive, acceptBatch),
		frame.On("POST", "/batches/{id}/discard", frame.IssueNotes, frame.Nothing, discardBatch),
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
	Form     *frame.Form
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

func listBatches(r *frame.Request) error { return showBatches(r, http.StatusOK, batchesPage{}) }

func showBatches(r *frame.Request, status int, page batchesPage) (err error) {
	if page.Batches, err = r.D.Store.Batches.Batches(r.Context(), r.Scope, batchesOnPage); err != nil {
		return err
	}
	return r.RenderStatus(status, "batches", "section.batches", page)
}

// sendBatch checks a file whole. Where nothing is wrong it is on record, to be reviewed.
func sendBatch(r *frame.Request) error {
	form := &frame.Form{Values: map[string]string{}}
	content, err := r.File("sheet")
	if err != nil {
		return err
	}
	if len(content) == 0 {
		form.AddProblem("sheet", "batch.file.missing")
		return showBatches(r, http.StatusUnprocessableEntity, batchesPage{Form: form})
	}
	checked, err := checkSheet(r.D, r, content)
	if problem, is := batch.IsFileProblem(err); is {
		if err != error(problem) { // the reading panicked
			r.D.Logger.ErrorContext(r.Context(), "a spreadsheet was not read", "request_id", r.ID, "error", err)
		}
		form.AddProblem("sheet", "batch.file."+string(problem))
		return showBatches(r, http.StatusUnprocessableEntity, batchesPage{Form: form})
	}
	if err != nil {
		return err
	}
	if len(checked.Problems) > 0 {
		form.AddProblem("sheet", "batch.file.wrong")
		page := batchesPage{Form: form}
		page.Problems, page.More = problemsOf(r, checked.Problems)
		if page.Marked, err = marked(r, checked); err != nil {
			return err
		}
		return showBatches(r, http.StatusUnprocessableEntity, page)
	}
	id, created, err := r.Changes().Batches.CreateBatch(r.Context(), batches.Batch{Scope: r.Scope, Digest: checked.Digest,
		AmountCents: checked.AmountCents}, checked.Lines)
	if err != nil {
		return err
	}
	notice := ""
	if !created {
		notice = "batch.known_file"
	}
	return r.Redirect(r.Link("/batches/"+id), notice)
}

// checkSheet checks a file: one of an organization at a time, and few of all, as a file takes
// memory while it is unpacked.
func checkSheet(d *frame.Dashboard, r *frame.Request, content []byte) (batch.Checked, error) {
	alone := d.Sheets.Begin(r.Scope.OrganizationID)
	defer d.Sheets.End(r.Scope.OrganizationID)
	if !alone {
		return batch.Checked{}, frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.busy"}
	}
	ctx, end := context.WithTimeout(r.Context(), sheetTime)
	defer end()
	select {
	case d.Opening <- struct{}{}:
		defer func() { <-d.Opening }()
	case <-ctx.Done():
		return batch.Checked{}, frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.busy"}
	}
	checked, err := batch.Check(ctx, d.Store, d.Catalogue, r.Scope, content)
	if errors.Is(err, context.DeadlineExceeded) {
		err = frame.Problem{Status: http.StatusServiceUnavailable, Key: "problem.busy"}
	}
	return checked, err
}

// problemsOf says what is wrong with the cells of a file.
func problemsOf(r *frame.Request, problems []batch.Problem) (shown []batchProblem, more int) {
	for _, one := range problems {
		if len(shown) == problemsOnPage {
			return shown, len(problems) - problemsOnPage
		}
		value := one.Value
		if cut := []rune(value); len(cut) > valueShown {
			value = string(cut[:valueShown]) + "…"
		}
		shown = append(shown, batchProblem{one.Line, one.Column, value, problemText(r, one)})
	}
	return shown, 0
}

// problemText says what is wrong with a cell.
func problemText(r *frame.Request, one batch.Problem) string {
	if key := "issue.wrong." + one.Field; one.Key == batch.ProblemValue && words.Has(key) {
		return r.Language.Say(key)
	}
	return r.Language.Say("batch.problem." + string(one.Key))
}

// marked is the file with a column that says what is wrong with each line. It is kept nowhere: the page has it.
func marked(r *frame.Request, checked batch.Checked) (template.URL, error) {
	content, err := checked.Marked(r.Language.Say("batch.what"), func(one batch.Problem) string {
		return one.Column + ": " + problemText(r, one)
	})
	return template.URL("data:text/csv;base64," + base64.StdEncoding.EncodeToString(content)), err
}

// batchPage is a spreadsheet: its review, then how far it is, then its result.
type batchPage struct {
	Form     *frame.Form
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
func (p batchPage) MonthChoices(language words.Language) []frame.Option {
	if len(p.Months) == 0 || p.Months[0].Month == "" {
		return nil
	}
	options := []frame.Option{{Value: "", Key: "batch.month.choose", Text: ""}}
	for _, one := range p.Months {
		options = append(options, frame.Option{Value: string(one.Month), Key: "", Text: format.Month(language, one.Month)})
	}
	return options
}

// Repeats reports whether lines ask for what another spreadsheet asked for, in a month that it may be of.
func (p batchPage) Repeats() bool {
	return slices.ContainsFunc(p.Months, func(one batches.BatchMonth) bool { return one.Repeated > 0 })
}

func showBatch(r *frame.Request) error {
	found, err := r.D.Store.Batches.Batch(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	page := batchPage{Batch: found}
	if page.Months, _, err = monthsOfBatch(r, found); err != nil {
		return err
	}
	return renderBatch(r, http.StatusOK, page)
}

// batchMonths is how many months a spreadsheet without days may be of: of older ones it has days.
const batchMonths = 3

// monthsOfBatch are the months that a spreadsheet which nobody has accepted yet may be of, and the days of
// competence that its lines have then: the last one of each month that may be set.
func monthsOfBatch(r *frame.Request, of batches.Batch) ([]batches.BatchMonth, map[nfse.Month]nfse.Day, error) {
	if of.Status != batches.BatchChecked {
		return nil, nil, nil
	}
	first, last, err := r.D.Catalogue.CompetenceDays(r.Context(), r.Scope.OrganizationID)
	if err != nil {
		return nil, nil, err
	}
	var months []nfse.Month
	days := map[nfse.Month]nfse.Day{}
	for day := last; day >= first && len(months) < batchMonths; day = nfse.MonthOf(day).FirstDay().Before(1) {
		months, days[nfse.MonthOf(day)] = append(months, nfse.MonthOf(day)), day
	}
	counts, err := r.D.Store.Batches.BatchMonths(r.Context(), r.Scope, of.ID, months, last)
	return counts, days, err
}

// renderBatch shows a spreadsheet with a status.
func renderBatch(r *frame.Request, status int, page batchPage) (err error) {
	d, found := r.D, page.Batch
	page.Moving = found.Status == batches.BatchAccepting
	if page.Totals, err = d.Store.Batches.BatchTotals(r.Context(), r.Scope, found.ID); err != nil {
		return err
	}
	page.Ended = found.Lines - page.Totals.Waiting
	if page.Review, err = reviewBatch(r, found); err != nil {
		return err
	}
	lines, err := d.Store.Batches.BatchResults(r.Context(), r.Scope, found.ID, 0, false, 1)
	if err != nil {
		return err
	}
	if len(lines) > 0 && found.Status != batches.BatchChecked {
		page.First = lines[0].Reference
	}
	sender, err := d.Store.Access.User(r.Context(), found.UserID)
	if err != nil && !nfse.IsCode(err, nfse.CodeNotFound) {
		return err
	}
	page.By = sender.Email
	if page.Totals.Failed > 0 {
		failed, err := d.Store.Batches.BatchResults(r.Context(), r.Scope, found.ID, 0, true, failuresOnPage)
		if err != nil {
			return err
		}
		for _, line := range failed {
			page.Failures = append(page.Failures, batchProblem{Line: line.Line, Text: whyFailed(r, line)})
		}
	}
	if page.Moving && r.URL.Query().Get("still") == "" {
		page.Refresh = r.Link(r.URL.Path, "poll", "1")
	}
	return r.RenderStatus(status, "batch", "batch.title", page)
}

// whyFailed says why a line became no note.
func whyFailed(r *frame.Request, line batches.BatchResult) string {
	for _, key := range []string{"batch.failed." + line.Code, "issue.code." + line.Code, "issue.wrong." + line.Field} {
		if words.Has(key) {
			return r.Language.Say(key)
		}
	}
	return r.Language.Say("batch.failed.internal")
}

// acceptBatch has the lines accepted, by the engine, as notes of a month. Lines that another spreadsheet
// asked for are issued again only where the person says so: a file that was corrected has all its lines
// once more.
func acceptBatch(r *frame.Request) error {
	form := r.NewForm("email_customer", "register_ledger", "confirm_municipal_operation", "repeat", "month")
	found, err := r.D.Store.Batches.Batch(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	if found.Status != batches.BatchChecked {
		return r.Redirect(r.Link("/batches/"+found.ID), "")
	}
	months, days, err := monthsOfBatch(r, found)
	if err != nil {
		return err
	}
	month := nfse.Month(form.Value("month"))
	chosen := slices.IndexFunc(months, func(one batches.BatchMonth) bool { return one.Month == month })
	switch {
	case chosen < 0:
		form.AddProblem("month", "batch.month.missing")
	case months[chosen].Repeated > 0 && form.Value("repeat") == "":
		form.AddProblem("repeat", "batch.repeat.missing")
	}
	if !form.Good() {
		return renderBatch(r, http.StatusUnprocessableEntity, batchPage{Batch: found, Months: months, Form: form})
	}
	if err := r.AskFresh(); err != nil {
		return err
	}
	id, err := r.Changes().Batches.AcceptBatch(r.Context(), r.Scope, found.ID, month, days[month],
		notepages.Defaults(form))
	if err != nil {
		return err
	}
	notice := "batch.accepted"
	if id != found.ID {
		notice = "batch.known_file"
	}
	notepages.Accepted(r)
	return r.Redirect(r.Link("/batches/"+id), notice)
}

// discardBatch removes what was only checked.
func discardBatch(r *frame.Request) error {
	found, err := r.D.Store.Batches.Batch(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	if found.Status != batches.BatchChecked {
		return r.Redirect(r.Link("/batches/"+found.ID), "")
	}
	if err := r.Changes().Batches.DiscardBatch(r.Context(), r.Scope, found.ID); err != nil {
		return err
	}
	return r.Redirect(r.Link("/batches"), "batch.discarded")
}

// resultColumns are the columns of a result, by the keys of their names.
var resultColumns = []string{"batch.line", "notes.reference", "notes.state", "note.number", "note.access_key",
	"batch.error", "notes.csv.id"}

// downloadBatch sends what became of each line. A spreadsheet would round an access key, so that
// it gets an apostrophe, by which it is a text.
func downloadBatch(r *frame.Request) error {
	found, err := r.D.Store.Batches.Batch(r.Context(), r.Scope, r.PathValue("id"))
	if err != nil {
		return err
	}
	after := 0
	return r.Download("planilha-"+found.Digest[:12]+".csv", resultColumns,
		func(ctx context.Context) (rows [][]string, more bool, err error) {
			lines, err := r.D.Store.Batches.BatchResults(ctx, r.Scope, found.ID, after, false, linesInPiece)
			for _, line := range lines {
				after = line.Line
				rows = append(rows, resultCells(r, line))
			}
			return rows, len(lines) == linesInPiece, err
		})
}

func resultCells(r *frame.Request, line batches.BatchResult) []string {
	state, key, why := r.Language.Say("batch.line."+line.LineStatus), line.AccessKey, line.Rejection
	if line.Status != "" {
		state = r.Language.Say("status." + string(line.Status))
	}
	if line.LineStatus == "failed" {
		why = whyFailed(r, line)
	}
	if key != "" {
		key = "'" + key
	}
	return []string{strconv.Itoa(line.Line), line.Reference, state, line.Number, key, why, line.NoteID}
}

func downloadTemplateCSV(r *frame.Request) error {
	return sendTemplate(r, "csv", "text/csv; charset=utf-8", batch.TemplateCSV)
}

func downloadTemplateXLSX(r *frame.Request) error {
	return sendTemplate(r, "xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		batch.TemplateXLSX)
}

func sendTemplate(r *frame.Request, ending, kind string, template func([]catalogues.ServiceName) ([]byte,
	error)) error {
	services, err := r.D.Store.Catalogues.ServiceNames(r.Context(), r.Scope)
	if err != nil {
		return err
	}
	content, err := template(slices.Clip(services))
	if err != nil {
		return err
	}
	r.W.Header().Set("Content-Type", kind)
	r.W.Header().Set("Content-Disposition", `attachment; filename="modelo-notas.`+ending+`"`)
	_, err = r.W.Write(content)
	return err
}
