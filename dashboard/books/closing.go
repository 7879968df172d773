package books

import (
	"cmp"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/nfse"
	"emissor/store/books"
)

const (
	// openOnClosing is how many open notes the closing names, and groupsOnClosing how many services,
	// cities or regimes; the files have all of them.
	openOnClosing   = 50
	groupsOnClosing = 25

	archiveRefresh = 5 * time.Second // while a ZIP is being made
)

// RoutesOfClosing are the month's closing and what it is taken away as.
func RoutesOfClosing(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/closing", frame.SeeBooks, frame.Follows, showClosing),
		frame.On("GET", "/closing.csv", frame.SeeBooks, frame.Nothing, downloadMonth),
		frame.On("GET", "/closing.xlsx", frame.SeeBooks, frame.Nothing, downloadWorkbook),
		frame.On("GET", "/closing/books", frame.SeeBooks, frame.Nothing, showBooks),
		frame.On("POST", "/closing/archive", frame.SeeBooks, frame.Nothing, makeArchive),
		frame.On("GET", "/closing/archive/{id}", frame.SeeBooks, frame.Nothing, downloadArchive),
	}
}

// closingPage is a month by competence.
type closingPage struct {
	Form          *frame.Form
	Month         nfse.Month
	Value         frame.FiscalValue // of what was issued since the month began
	Issued        books.MonthSums
	Before        books.MonthSums // issued ones of the month before
	Ended         []endedSums
	Groups        []closingGroups
	Services      []frame.Bars // what services came to, beside the month before
	Customers     frame.Bars   // the customers to whom most was issued
	ManyCustomers bool         // there are too many notes to add them up by customer
	Open          []books.OpenNote
	MoreOpen      bool
	Archive       *books.Archive
	Stale         bool   // the month has changed since the ZIP was made
	RefreshURL    string // what a browser loads again while the ZIP is being made; empty: it does not
	NewerURL      string
	OlderURL      string
	CSVURL        string
	XLSXURL       string
	BooksURL      string
	CancelledURL  string // the list of cancelled notes
	TooManyToMake bool
}

// endedSums are notes that do not stand any longer.
type endedSums struct {
	State  books.MonthState
	Sums   books.MonthSums
	Before books.MonthSums
}

// closingGroups are the issued notes of a month by something: a key of its name, and a line for
// each, the largest first.
type closingGroups struct {
	Key   string
	Lines []closingLine
	More  int // groups that are summed up in the last line
}

// closingLine is a group and its sums.
type closingLine struct {
	Name string
	books.MonthSums
}

// measure is a sum of the month beside the month before.
type measure struct {
	Key           string
	Cents, Before int64
}

// Change is how much more it is.
func (m measure) Change() int64 { return m.Cents - m.Before }

// Measures are the sums of the issued notes, in the order of the page.
func (p closingPage) Measures() (all []measure) {
	before := sumsOf(p.Before)
	for i, one := range sumsOf(p.Issued) {
		all = append(all, measure{one.Key, one.Cents, before[i].Cents})
	}
	return all
}

// namedSum is one of the sums of notes, by the key of its name.
type namedSum struct {
	Key   string
	Cents int64
}

func sumsOf(s books.MonthSums) []namedSum {
	return []namedSum{
		{"notes.amount", s.AmountCents}, {"note.totals.total", s.TotalCents}, {"note.totals.net", s.NetCents},
		{"closing.iss_due", s.ISSDueCents()}, {"note.totals.iss_withheld", s.ISSWithheldCents},
		{"note.totals.irrf", s.IRRFCents}, {"note.totals.csrf", s.CSRFCents}, {"note.totals.inss", s.INSSCents},
		{"note.totals.ibs", s.IBSCents}, {"note.totals.cbs", s.CBSCents},
	}
}

// NotesChange is how many more notes were issued than in the month before.
func (p closingPage) NotesChange() int64 { return p.Issued.Notes - p.Before.Notes }

// WithDocument is how many notes of the month have a document: those that the ZIP will have.
func (p closingPage) WithDocument() (notes int64) {
	notes = p.Issued.Notes
	for _, one := range p.Ended {
		notes += one.Sums.Notes
	}
	return notes
}

// RefreshContent is what tells a browser without script to reload.
func (p closingPage) RefreshContent() template.HTMLAttr {
	return template.HTMLAttr(`content="` + template.HTMLEscapeString(fmt.Sprintf("%d;url=%s",
		int(archiveRefresh.Seconds()), p.RefreshURL)) + `"`)
}

// monthOf reads the month that the address names; without one, the month before this one, which
// is the one that is closed now.
func monthOf(r *frame.Request) (*frame.Form, nfse.Month) {
	form := r.NewForm("month")
	if form.Value("month") == "" {
		form.Values["month"] = string(nfse.DayOf(time.Now()).MonthBefore())
	}
	month, err := nfse.ParseMonth(form.Value("month"))
	if err != nil {
		form.AddProblem("month", "closing.month.wrong")
	}
	return form, month
}

func beginOf(month nfse.Month) time.Time { return nfse.Day(month + "-01").Begin() }

func monthBefore(month nfse.Month) nfse.Month { return nfse.Day(month + "-01").MonthBefore() }

func monthAfter(month nfse.Month) nfse.Month {
	return nfse.Month(beginOf(month).AddDate(0, 1, 0).Format("2006-01"))
}

func showClosing(r *frame.Request) error {
	form, month := monthOf(r)
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "closing", "section.closing", closingPage{Form: form})
	}
	page := closingPage{Form: form, Month: month, BooksURL: r.Link("/closing/books", "month", string(month)),
		CSVURL: r.Link("/closing.csv", "month", string(month)), XLSXURL: r.Link("/closing.xlsx", "month", string(month)),
		OlderURL:      r.Link("/closing", "month", string(monthBefore(month))),
		CancelledURL:  r.Link("/notes", "state", string(nfse.StatusCancelled), "month", string(month)),
		TooManyToMake: r.URL.Query().Has("many")}
	if monthAfter(month) <= nfse.Month(time.Now().In(format.Zone).Format("2006-01")) {
		page.NewerURL = r.Link("/closing", "month", string(monthAfter(month)))
	}
	var err error
	if page.Value, err = r.FiscalValueSince(beginOf(month)); err != nil {
		return err
	}
	figures, err := r.D.Store.Books.MonthFigures(r.Context(), r.Scope, monthBefore(month), month)
	if err != nil {
		return err
	}
	page.add(r, figures)
	if page.ManyCustomers = page.Issued.Notes > notesOfCustomers; !page.ManyCustomers && page.Issued.Notes > 0 {
		if page.Customers, err = customersDrawn(r, month, page.Issued); err != nil {
			return err
		}
	}
	if page.Open, err = r.D.Store.Books.OpenNotes(r.Context(), r.Scope, month, openOnClosing+1); err != nil {
		return err
	}
	if len(page.Open) > openOnClosing {
		page.Open, page.MoreOpen = page.Open[:openOnClosing], true
	}
	for i := range page.Open {
		if page.Open[i].Held {
			page.Open[i].Status = notepages.StatusHeld
		}
	}
	archive, err := r.D.Store.Books.ArchiveOf(r.Context(), r.Scope, month)
	switch {
	case errors.Is(err, books.ErrNoArchive):
	case err != nil:
		return err
	default:
		page.Archive = &archive
		if archive.Status == books.ArchivePending && !r.URL.Query().Has("still") {
			page.RefreshURL = r.Link("/closing", "month", string(month), "poll", "1")
		}
		if archive.Status == books.ArchiveReady {
			page.Stale, err = r.D.Store.Books.ChangedSince(r.Context(), archive, page.WithDocument())
			if err != nil {
				return err
			}
		}
	}
	return r.Render("closing", "section.closing", page)
}

// add fills in the sums of figures of the month and the one before.
func (p *closingPage) add(r *frame.Request, figures []books.MonthFigure) {
	p.Ended = []endedSums{{State: books.MonthCancelled}, {State: books.MonthReplaced}}
	for _, one := range figures {
		switch {
		case one.State != books.MonthIssued:
			i := slices.IndexFunc(p.Ended, func(e endedSums) bool { return e.State == one.State })
			if one.Month == p.Month {
				p.Ended[i].Sums = p.Ended[i].Sums.Plus(one.MonthSums)
			} else {
				p.Ended[i].Before = p.Ended[i].Before.Plus(one.MonthSums)
			}
		case one.Month == p.Month:
			p.Issued = p.Issued.Plus(one.MonthSums)
		default:
			p.Before = p.Before.Plus(one.MonthSums)
		}
	}
	p.Groups = readClosingGroups(r, p.Month, figures, groupsOnClosing)
	p.Services = servicesDrawn(r, p.Month, figures)
}

// servicesOfFigure is how many services a figure has, and then all others together.
const servicesOfFigure = 10

const (
	// notesOfCustomers is how many notes of a month are added up by customer at most: each of them is read.
	notesOfCustomers = 10_000
	// customersOfFigure is how many customers a figure has, and then all others together.
	customersOfFigure = 10
)

// customersDrawn are revenue and ISS by customer in a month, of which all issued notes come to these sums.
func customersDrawn(r *frame.Request, month nfse.Month, issued books.MonthSums) (frame.Bars, error) {
	bars := frame.Bars{Name: "customers", Title: r.Language.Say("closing.drawn.customers"), Of: "notes.taker",
		Columns: []string{"notes.amount", "note.totals.iss"}, Apart: true}
	money := func(cents int64) string { return format.Money(r.Language, cents) }
	largest, err := r.D.Store.Books.LargestCustomers(r.Context(), r.Scope, month, customersOfFigure)
	rest := issued
	for _, one := range largest {
		bars.Add(one.Name, money, one.AmountCents, one.ISSCents)
		rest.AmountCents -= one.AmountCents
		rest.ISSCents -= one.ISSCents
	}
	if len(largest) == customersOfFigure && rest.AmountCents > 0 {
		bars.Add(r.Language.Say("closing.others"), money, rest.AmountCents, rest.ISSCents)
	}
	return bars, err
}

// serviceMonths are the issued notes of a service in a month and in the one before.
type serviceMonths struct {
	name         string
	this, before books.MonthSums
}

// servicesDrawn are revenue and ISS by service, this month and in the one before; none where nothing was issued.
func servicesDrawn(r *frame.Request, month nfse.Month, figures []books.MonthFigure) []frame.Bars {
	columns := []string{"closing.this", "closing.before"}
	revenue := frame.Bars{Name: "revenue", Title: r.Language.Say("closing.drawn.revenue"), Of: "closing.by.service",
		Columns: columns}
	iss := frame.Bars{Name: "iss", Title: r.Language.Say("closing.drawn.iss"), Of: "closing.by.service",
		Columns: columns}
	money := func(cents int64) string { return format.Money(r.Language, cents) }
	for _, one := range serviceMonthsOf(month, figures, r.Language.Say("closing.others")) {
		revenue.Add(one.name, money, one.this.AmountCents, one.before.AmountCents)
		iss.Add(one.name, money, one.this.ISSCents, one.before.ISSCents)
	}
	if revenue.Empty() {
		return nil
	}
	return []frame.Bars{revenue, iss}
}

// serviceMonthsOf are the services with an issued note, the largest first, and the smallest in one with this name.
func serviceMonthsOf(month nfse.Month, figures []books.MonthFigure, others string) (all []serviceMonths) {
	services := map[string]serviceMonths{}
	for _, one := range figures {
		if one.State != books.MonthIssued {
			continue
		}
		service := services[one.ServiceID]
		service.name = one.Service
		if one.Month == month {
			service.this = service.this.Plus(one.MonthSums)
		} else {
			service.before = service.before.Plus(one.MonthSums)
		}
		services[one.ServiceID] = service
	}
	all = slices.SortedFunc(maps.Values(services), func(a, b serviceMonths) int {
		return cmp.Or(cmp.Compare(b.this.AmountCents, a.this.AmountCents),
			cmp.Compare(b.before.AmountCents, a.before.AmountCents), cmp.Compare(a.name, b.name))
	})
	if len(all) > servicesOfFigure+1 {
		rest := serviceMonths{name: others}
		for _, one := range all[servicesOfFigure:] {
			rest.this, rest.before = rest.this.Plus(one.this), rest.before.Plus(one.before)
		}
		all = append(all[:servicesOfFigure], rest)
	}
	return all
}

// readClosingGroups reads the issued notes of a month by service, city and regime, each with so many
// lines at most.
func readClosingGroups(r *frame.Request, month nfse.Month, figures []books.MonthFigure, most int) []closingGroups {
	by := func(key string, group func(books.MonthFigure) (id, name string)) closingGroups {
		sums, names := map[string]books.MonthSums{}, map[string]string{}
		for _, one := range figures {
			if one.State == books.MonthIssued && one.Month == month {
				id, name := group(one)
				sums[id], names[id] = sums[id].Plus(one.MonthSums), name
			}
		}
		groups := closingGroups{Key: key}
		for id, sum := range sums {
			groups.Lines = append(groups.Lines, closingLine{names[id], sum})
		}
		slices.SortFunc(groups.Lines, func(a, b closingLine) int {
			return cmp.Or(cmp.Compare(b.AmountCents, a.AmountCents), cmp.Compare(a.Name, b.Name))
		})
		if len(groups.Lines) > most {
			rest := closingLine{Name: r.Language.Say("closing.others")}
			for _, line := range groups.Lines[most:] {
				rest.MonthSums = rest.Plus(line.MonthSums)
			}
			groups.More = len(groups.Lines) - most
			groups.Lines = append(groups.Lines[:most:most], rest)
		}
		return groups
	}
	return []closingGroups{
		by("closing.by.service", func(f books.MonthFigure) (string, string) { return f.ServiceID, f.Service }),
		by("closing.by.city", func(f books.MonthFigure) (string, string) {
			return f.City,
				cataloguepages.MunicipalityName(f.City)
		}),
		by("closing.by.regime", func(f books.MonthFigure) (string, string) { return f.Regime, regimeName(r, f.Regime) }),
	}
}

// regimeName names a regime of a figure.
func regimeName(r *frame.Request, regime string) string {
	names := map[string]string{
		"": "closing.regime.none", "1:": "company.simples.none", "2:": "company.simples.mei",
		"3:": "company.simples.me", "3:1": "closing.regime.me.1", "3:2": "closing.regime.me.2",
		"3:3": "closing.regime.me.3",
	}
	if key, known := names[regime]; known {
		return r.Language.Say(key)
	}
	return regime
}

// booksPage compares the books of a month.
type booksPage struct {
	Form       *frame.Form
	Month      nfse.Month
	ClosingURL string
	books.MonthBooks
}

const differencesOnPage = 100

func showBooks(r *frame.Request) error {
	form, month := monthOf(r)
	page := booksPage{Form: form, Month: month, ClosingURL: r.Link("/closing", "month", form.Value("month"))}
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "books", "closing.books", page)
	}
	if r.Scope.Livemode { // the test environment has one book only
		var err error
		page.MonthBooks, err = r.D.Store.Books.MonthBooks(r.Context(), r.Scope.OrganizationID, month, differencesOnPage)
		if err != nil {
			return err
		}
	}
	return r.Render("books", "closing.books", page)
}
