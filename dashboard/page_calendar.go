package dashboard

import (
	"errors"
	"net/url"
	"time"

	"emissor/dashboard/format"
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

func (d *Dashboard) showCalendar(r *request) error {
	profile, err := d.store.Companies.FiscalProfile(r.Context(), r.scope.OrganizationID)
	if errors.Is(err, companies.ErrNoFiscalProfile) {
		return r.render("calendar", "calendar.title", calendarPage{})
	}
	if err != nil {
		return err
	}
	profile = company.Present(profile)
	by, _ := authorities.Named(profile.Authority)
	page, today := calendarPage{HasProfile: true}, nfse.DayOf(time.Now())
	on := today
	for _, change := range taxes.Calendar(profile, by.Municipality == "", d.ClassifiedFrom) {
		page.Changes = append(page.Changes, shownChange{Change: change, Text: r.language.Sentence(change.What),
			Begun: change.Day != "" && change.Day <= today})
		if change.Classification {
			on = max(on, change.Day)
		}
	}
	page.On = format.Date(r.language, on)
	if err := d.checkServices(r, &page, profile.Authority, on); err != nil {
		return err
	}
	return r.render("calendar", "calendar.title", page)
}

// checkServices adds the live services that lack something on a day.
func (d *Dashboard) checkServices(r *request, page *calendarPage, authority string, on nfse.Day) error {
	live := nfse.Scope{OrganizationID: r.scope.OrganizationID, Livemode: true}
	services, more, err := d.store.Catalogues.ClassifiedServices(r.Context(), live, false,
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
			shown.Missing = append(shown.Missing, knownOr("service.live."+code, "service.live.other"))
		}
		if shown.Missing != nil {
			page.Lacking = append(page.Lacking, shown)
		}
	}
	return nil
}
