package batches

import (
	"errors"
	"net/url"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal/authorities"
	"emissor/fiscal/taxes"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/companies"
	"emissor/store/postgres"
)

// calendarPage is what the law changes for the company, and which of its services lack what.
type calendarPage struct {
	HasProfile bool
	Changes    []shownChange
	On         string // the day by whose tables services are checked
	Checked    int    // active live services
	Lacking    []lackingService
	More       bool // there are more services than were checked
}

// shownChange is a change as the page has it.
type shownChange struct {
	taxes.Change
	Text  string
	Begun bool
}

// lackingService is a live service that lacks something.
type lackingService struct {
	Name, URL string   // where it is classified
	Missing   []string // keys of what it lacks
}

// mostChecked is how many services the page checks at most.
const mostChecked = 500

func ShowCalendar(r *frame.Request) error {
	profile, err := r.D.Store.Companies.FiscalProfile(r.Context(), r.Scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return r.Render("calendar", "calendar.title", calendarPage{})
	}
	if err != nil {
		return err
	}
	profile = company.Present(profile)
	by, _ := authorities.Named(profile.Authority)
	page, today := calendarPage{HasProfile: true}, nfse.DayOf(time.Now())
	on := today
	for _, change := range taxes.Calendar(profile, by.Municipality == "", r.D.ClassifiedFrom) {
		page.Changes = append(page.Changes, shownChange{Change: change, Text: r.Language.Sentence(change.What),
			Begun: change.Day != "" && change.Day <= today})
		if change.Classification {
			on = max(on, change.Day)
		}
	}
	page.On = format.Date(r.Language, on)
	if err := checkServices(r.D, r, &page, profile.Authority, on); err != nil {
		return err
	}
	return r.Render("calendar", "calendar.title", page)
}

// checkServices adds the live services that lack something on a day.
func checkServices(d *frame.Dashboard, r *frame.Request, page *calendarPage, authority string, on nfse.Day) error {
	live := nfse.Scope{OrganizationID: r.Scope.OrganizationID, Livemode: true}
	services, more, err := d.Store.Catalogues.ClassifiedServices(r.Context(), live, false,
		postgres.Page{Limit: mostChecked})
	if err != nil {
		return err
	}
	page.More = more
	tables := d.Tables.Editions().On(string(on))
	for _, service := range services {
		if !service.Active {
			continue
		}
		page.Checked++
		shown := lackingService{Name: service.Name, URL: "/catalogue/services/" + service.ID + "/classification?" +
			url.Values{"org": {live.OrganizationID}, "env": {live.Environment()}}.Encode()}
		for _, code := range company.ServiceLacks(authority, tables, service) {
			shown.Missing = append(shown.Missing, frame.KnownOr("service.live."+code, "service.live.other"))
		}
		if shown.Missing != nil {
			page.Lacking = append(page.Lacking, shown)
		}
	}
	return nil
}
