package operate

import (
	"errors"
	"net/url"
	"slices"
	"time"

	cataloguepages "emissor/dashboard/catalogues"
	companypages "emissor/dashboard/companies"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/catalogues"
	"emissor/store/companies"
	"emissor/store/notes"
	"emissor/store/operate"
	"emissor/store/outbox"
	"emissor/store/postgres"
)

// expiresSoon is how long before its end the page warns of a certificate.
const expiresSoon = 30 * 24 * time.Hour

// overviewPage is the first page: what happened, and what needs a person.
type overviewPage struct {
	Notes      []nfse.Note // the latest
	Plot       frame.Plot
	Money      frame.Plot
	Today      bool // there is no day but today
	Months     frame.Bars
	Totals     []stateTotal
	Half, Most time.Duration // from acceptance to issue: of half of the notes, and of 95 of 100
	Timed      bool
	Value      frame.FiscalValue // of what was issued
	Rejections []rejectionCount
	Waiting    notes.WaitingForPeople
	EngineAway bool
	Stalled    time.Duration // for how long nothing has moved in the installation; 0: it moves
	HeldSeries int
	Where      fact.Fact // what to do about the authority that the company issues by; none: nothing
	Expiring   []companies.Certificate
	Nothing    bool // needs a person
	Steps      []firstStep
	LiveURL    string // where a company that has only test begins with live; empty: it has begun, or others do
	Example    string
}

// stateTotal is how many notes of all the days are in a state.
type stateTotal struct {
	Status nfse.Status
	operate.Figure
}

// rejectionCount is how often a code was answered, and what to do about it.
type rejectionCount struct {
	operate.Figure
	Action string
}

// firstStep is something without which no note can be issued.
type firstStep struct {
	Key, Means string // keys of its name, and of what it is
	URL        string
	Since      string // whether it is needed, and since when; empty: it always is
	Done       bool
}

func ShowOverview(r *frame.Request) error {
	today := time.Now().In(format.Zone)
	since := time.Date(today.Year(), today.Month(), today.Day()-frame.OverviewDays+1, 0, 0, 0, 0, format.Zone)
	latest, err := r.D.Store.Notes.FilterNotes(r.Context(), r.Scope, notes.NoteFilter{Limit: 5})
	if err != nil {
		return err
	}
	figures, err := r.D.Store.Operate.NoteFigures(r.Context(), r.Scope, since)
	if err != nil {
		return err
	}
	first, days := plotted(figures.First, since)
	page := overviewPage{Notes: latest.Notes, Plot: frame.NewPlot(r.Language, figures.Days, first, days),
		Money: frame.NewMoneyPlot(r.Language, figures.Days, first, days), Today: days == 1}
	if page.Months, err = months(r, nfse.MonthOf(nfse.DayOf(today))); err != nil {
		return err
	}
	if page.Value, err = r.FiscalValueSince(since); err != nil {
		return err
	}
	page.Half, page.Timed = figures.TimeToIssue(0.5)
	page.Most, _ = figures.TimeToIssue(0.95)
	for _, status := range frame.Plotted {
		total := stateTotal{Status: status}
		for _, day := range figures.Days {
			total.Notes += day.Notes[status].Notes
			total.AmountCents += day.Notes[status].AmountCents
		}
		page.Totals = append(page.Totals, total)
	}
	if page.Rejections, err = rejections(r, figures.Rejections); err != nil {
		return err
	}
	if err := readWaiting(r, &page, since); err != nil {
		return err
	}
	services, _, err := r.D.Store.Catalogues.Services(r.Context(), r.Scope, postgres.Page{Limit: 100})
	if err != nil {
		return err
	}
	if page.Steps, err = firstSteps(r, services, len(latest.Notes) > 0); err != nil {
		return err
	}
	if page.LiveURL, err = beginLive(r, page.Steps); err != nil {
		return err
	}
	if len(latest.Notes) == 0 && r.Role == nfse.RoleDeveloper {
		page.Example = r.FirstRequest(services)
	}
	return r.Render("overview", "section.overview", page)
}

// plotted are the days of the plots: the last ones, or as many as there were since the first note.
func plotted(firstNote string, since time.Time) (first time.Time, days int) {
	if first, err := time.ParseInLocation(time.DateOnly, firstNote, format.Zone); err == nil && first.After(since) {
		gone := int(first.Sub(since).Hours()+12) / 24 // a day may have an hour more or less
		return first, max(1, frame.OverviewDays-gone)
	}
	return since, frame.OverviewDays
}

// monthsShown is how many months are shown, this one among them.
const monthsShown = 6

// months are what was issued, and the ISS of it, this month and in those before.
func months(r *frame.Request, this nfse.Month) (frame.Bars, error) {
	first := nfse.MonthOf(nfse.DayOf(this.FirstDay().Begin().AddDate(0, 1-monthsShown, 0)))
	value, err := r.FiscalValueSince(first.FirstDay().Begin())
	if err != nil {
		return frame.Bars{}, err
	}
	bars := frame.Bars{Name: "months", Title: r.Language.Say("overview.months",
		r.Language.Say("overview.issued."+string(value))), Of: "overview.month",
		Columns: []string{"notes.amount", "note.totals.iss"}, Apart: true}
	totals, err := r.D.Store.Books.MonthTotals(r.Context(), r.Scope, first, this)
	money := func(cents int64) string { return format.Money(r.Language, cents) }
	for _, one := range totals {
		bars.Add(format.Month(r.Language, one.Month), money, one.AmountCents, one.ISSCents)
	}
	return bars, err
}

// rejections adds what to do, as the latest note with the code says it, or else the
// catalogue of codes.
func rejections(r *frame.Request, figures []operate.Figure) (counted []rejectionCount, err error) {
	if len(figures) == 0 {
		return nil, nil
	}
	latest, err := r.D.Store.Notes.FilterNotes(r.Context(), r.Scope,
		notes.NoteFilter{Status: nfse.StatusRejected, Limit: 100})
	if err != nil {
		return nil, err
	}
	authority, err := cataloguepages.Authority(r)
	if err != nil {
		return nil, err
	}
	actions := map[string]string{}
	for _, note := range latest.Notes {
		if _, known := actions[note.Rejection.Code]; !known {
			actions[note.Rejection.Code] = r.Language.Rejection(note.Rejection).Action
		}
	}
	for _, figure := range figures {
		action, known := actions[figure.Name]
		if !known {
			_, action = r.Language.Meaning(authority, fiscal.Issue, figure.Name)
		}
		counted = append(counted, rejectionCount{figure, action})
	}
	return counted, nil
}

func readWaiting(r *frame.Request, page *overviewPage, since time.Time) (err error) {
	if page.Waiting, err = r.D.Store.Notes.WaitingForPeople(r.Context(), r.Scope, since); err != nil {
		return err
	}
	waited, err := r.D.Store.Outbox.LongestWait(r.Context())
	if err != nil {
		return err
	}
	page.EngineAway = r.D.EngineAway != nil && r.D.EngineAway()
	if waited > outbox.Stalled {
		page.Stalled = waited
	}
	if r.Scope.Livemode {
		certificates, err := r.D.Store.Companies.Certificates(r.Context(), r.Scope.OrganizationID)
		if err != nil {
			return err
		}
		for _, one := range certificates {
			if one.RemovedAt == nil && one.NotAfter.Before(time.Now().Add(expiresSoon)) {
				page.Expiring = append(page.Expiring, one)
			}
		}
		held, err := r.D.Store.Numbers.HeldSeries(r.Context(), r.Scope.OrganizationID)
		if err != nil {
			return err
		}
		page.HeldSeries = len(held)
		if page.Where, err = companypages.WhereToDecide(r); err != nil {
			return err
		}
	}
	page.Nothing = page.Waiting == notes.WaitingForPeople{} && len(page.Expiring) == 0 && page.HeldSeries == 0 &&
		page.Stalled == 0 && page.Where.None()
	return nil
}

// beginLive is the first step to live notes, for who reads the first steps in test and may take it.
func beginLive(r *frame.Request, steps []firstStep) (address string, err error) {
	if r.Scope.Livemode || len(steps) == 0 || !r.Role.May(nfse.ManageCompany) {
		return "", nil
	}
	certificates, err := r.D.Store.Companies.Certificates(r.Context(), r.Scope.OrganizationID)
	if err != nil || len(certificates) > 0 {
		return "", err
	}
	return "/company/certificates/new?" + url.Values{"org": {r.Scope.OrganizationID}, "env": {"live"}}.Encode(), nil
}

// firstSteps are the steps to the first note, done or not; none once there is a note.
func firstSteps(r *frame.Request, services []nfse.Service, issued bool) (steps []firstStep, err error) {
	if issued {
		return nil, nil
	}
	add := func(name, path string, done bool) {
		steps = append(steps, firstStep{Key: "overview.step." + name, Means: "overview.step." + name + ".means",
			URL: r.Link(path), Done: done})
	}
	if r.Scope.Livemode {
		_, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
		if err != nil && !errors.Is(err, companies.ErrNoFiscalProfile) {
			return nil, err
		}
		profiled := err == nil
		certificates, err := r.D.Store.Companies.Certificates(r.Context(), r.Scope.OrganizationID)
		if err != nil {
			return nil, err
		}
		usable := false
		for _, one := range certificates {
			usable = usable || one.RemovedAt == nil && one.NotAfter.After(time.Now())
		}
		add("certificate", "/company/certificates/new", usable)
		add("profile", "/company", profiled)
	}
	service := "/catalogue/services/new"
	if len(services) > 0 {
		service = "/catalogue/services"
	}
	add("service", service, len(services) > 0)
	if r.Scope.Livemode {
		all, _, err := r.D.Store.Catalogues.ClassifiedServices(r.Context(), r.Scope, false, postgres.Page{Limit: 100})
		if err != nil {
			return nil, err
		}
		authority, err := cataloguepages.Authority(r)
		if err != nil {
			return nil, err
		}
		tables := cataloguepages.Tables(r.D)
		classified := slices.ContainsFunc(all, func(one catalogues.ClassifiedService) bool {
			defects := company.ServiceDefects(authority, tables, one)
			return !slices.Contains(defects, company.Unclassified) && !slices.Contains(defects, company.Misclassified)
		})
		path := "/catalogue/services"
		if len(services) > 0 {
			path += "/" + services[0].ID + "/classification"
		}
		if _, since := cataloguepages.ClassificationNeeded(r, authority); since != "" {
			add("classification", path, classified)
			steps[len(steps)-1].Since = since
		}
	}
	add("note", "/notes/new", false)
	return steps, nil
}
