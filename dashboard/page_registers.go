package dashboard

import (
	"context"
	"errors"
	"net/http"

	"emissor/dashboard/format"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// register is a register of the company as the dashboard has it: works, or events.
type register[T nfse.Work | nfse.CulturalEvent] struct {
	d      *Dashboard
	path   string // of its list
	area   string // of its messages: works or events
	prefix nfse.Prefix
	fields []string

	read  func(map[string]string) (T, []*nfse.Error)
	texts func(T) map[string]string
	row   func(T, *request) registerRow

	list func(*catalogues.Store, context.Context, nfse.Scope, bool, postgres.Page) ([]catalogues.Registered[T], bool,
		error)
	one   func(*catalogues.Store, context.Context, nfse.Scope, string) (catalogues.Registered[T], error)
	add   func(*catalogues.Changes, context.Context, nfse.Scope, T) (catalogues.Registered[T], error)
	set   func(*catalogues.Changes, context.Context, nfse.Scope, string, T, string) error
	close func(*catalogues.Changes, context.Context, nfse.Scope, string) error
}

func (d *Dashboard) works() register[nfse.Work] {
	return register[nfse.Work]{
		d: d, path: "/catalogue/works", area: "works", prefix: nfse.PrefixWork, fields: catalogue.WorkFields,
		read: catalogue.ReadWork, texts: catalogue.TextsOfWork,
		row: func(work nfse.Work, _ *request) registerRow {
			return registerRow{ID: work.ID, Name: work.Name, KnownBy: work.Registration + work.CIB,
				City: municipalityName(work.MunicipalityCode)}
		},
		list: (*catalogues.Store).Works, one: (*catalogues.Store).Work, add: (*catalogues.Changes).AddWork,
		set: (*catalogues.Changes).SetWork, close: (*catalogues.Changes).CloseWork,
	}
}

func (d *Dashboard) culturalEvents() register[nfse.CulturalEvent] {
	return register[nfse.CulturalEvent]{
		d: d, path: "/catalogue/events", area: "events", prefix: nfse.PrefixCulturalEvent,
		fields: catalogue.CulturalEventFields,
		read:   catalogue.ReadCulturalEvent, texts: catalogue.TextsOfCulturalEvent,
		row: func(event nfse.CulturalEvent, r *request) registerRow {
			return registerRow{ID: event.ID, Name: event.Name, City: municipalityName(event.MunicipalityCode),
				KnownBy: format.Date(r.language, event.From) + " – " + format.Date(r.language, event.Through)}
		},
		list: (*catalogues.Store).CulturalEvents, one: (*catalogues.Store).CulturalEvent,
		add: (*catalogues.Changes).AddCulturalEvent,
		set: (*catalogues.Changes).SetCulturalEvent, close: (*catalogues.Changes).CloseCulturalEvent,
	}
}

// registerRow is a record in its list.
type registerRow struct {
	ID, Name, KnownBy, City string
	Closed                  *nfse.Timestamp
}

// registerPage is a page of a register.
type registerPage struct {
	Area, Path string
	Rows       []registerRow
	First      bool
	OlderURL   string
}

// sitePage is the form of a work or an event.
type sitePage struct {
	Area, Path string
	ID         string // empty: it is a new one
	Name       string
	Closed     *nfse.Timestamp
	Form       *form
	Fields     []field
	Version    string
	Changed    bool // by somebody else meanwhile
	Found      []found
}

// None is an empty list of differences: the form has what was typed, and a link to what is there.
func (sitePage) None() []difference { return nil }

func (g register[T]) routes() []route {
	return []route{
		{"GET", g.path, seeCatalogue, nothing, g.showList},
		{"GET", g.path + "/new", changeCatalogue, nothing, g.showNew},
		{"POST", g.path, changeCatalogue, nothing, g.save},
		{"GET", g.path + "/{id}", seeCatalogue, nothing, g.show},
		{"POST", g.path + "/{id}", changeCatalogue, nothing, g.save},
		{"POST", g.path + "/{id}/close", changeCatalogue, aConfirmation, g.end},
	}
}

func (g register[T]) showList(r *request) error {
	after := r.URL.Query().Get("older")
	if !nfse.IsID(g.prefix, after) {
		after = ""
	}
	records, more, err := g.list(g.d.store.Catalogues, r.Context(), r.scope, false,
		postgres.Page{Limit: recordsOnPage, After: after})
	if err != nil {
		return err
	}
	page := registerPage{Area: g.area, Path: g.path, First: after == ""}
	for _, record := range records {
		row := g.row(record.Record, r)
		row.Closed = record.ClosedAt
		page.Rows = append(page.Rows, row)
	}
	if more {
		page.OlderURL = r.link(g.path, "older", records[len(records)-1].ID)
	}
	return r.render("register", "section."+g.area, page)
}

func (g register[T]) showNew(r *request) error {
	return g.render(r, http.StatusOK, sitePage{Form: r.newForm()})
}

func (g register[T]) render(r *request, status int, page sitePage) error {
	page.Area, page.Path = g.area, g.path
	for _, name := range g.fields {
		kind := "text"
		if name == "from" || name == "through" {
			kind = "date"
		}
		page.Fields = append(page.Fields, newField(page.Form, name, "site."+name, kind))
	}
	title := "register.new." + g.area
	if page.ID != "" {
		title = "register.one." + g.area
	}
	return r.renderStatus(status, "site", title, page)
}

// onRecord is the page of a record as it is.
func (g register[T]) onRecord(r *request) (sitePage, error) {
	record, err := g.one(g.d.store.Catalogues, r.Context(), r.scope, r.PathValue("id"))
	if errors.Is(err, catalogues.ErrNotRegistered) {
		err = problem{http.StatusNotFound, "problem.not_found"}
	}
	return sitePage{
		ID: record.ID, Name: g.row(record.Record, r).Name, Closed: record.ClosedAt,
		Form: formOf(g.texts(record.Record)), Version: nfse.VersionOf(record.Record),
	}, err
}

func (g register[T]) show(r *request) error {
	page, err := g.onRecord(r)
	if err != nil {
		return err
	}
	return g.render(r, http.StatusOK, page)
}

// save adds a record, or changes the one that the address names.
func (g register[T]) save(r *request) (err error) {
	page := sitePage{}
	if r.PathValue("id") != "" {
		if page, err = g.onRecord(r); err != nil {
			return err
		}
	}
	current := page.Version
	page.Form, page.Version = r.newForm(g.fields...), r.PostForm.Get("version")
	search := map[string]func(string) found{"municipality_code": searchMunicipality("municipality_code")}
	var only bool
	if page.Found, only = r.lookedFor(page.Form, search); only {
		return g.render(r, http.StatusOK, page)
	}
	record, problems := g.read(page.Form.values)
	for _, problem := range problems {
		page.Form.wrong(problem.Field, "site.wrong."+problem.Field)
	}
	if !page.Form.good() {
		return g.render(r, http.StatusUnprocessableEntity, page)
	}
	if page.ID == "" {
		added, err := g.add(r.changes().Catalogues, r.Context(), r.scope, record)
		if err != nil {
			return err
		}
		return r.redirect(r.link(g.path+"/"+added.ID), "site.added")
	}
	err = g.set(r.changes().Catalogues, r.Context(), r.scope, page.ID, record, page.Version)
	switch {
	case errors.Is(err, postgres.ErrChanged), errors.Is(err, catalogues.ErrClosed):
		page.Changed, page.Version = true, current
		return g.render(r, http.StatusConflict, page)
	case err != nil:
		return err
	}
	return r.redirect(r.link(g.path+"/"+page.ID), "site.changed")
}

func (g register[T]) end(r *request) error {
	err := g.close(r.changes().Catalogues, r.Context(), r.scope, r.PathValue("id"))
	if errors.Is(err, catalogues.ErrNotRegistered) {
		err = problem{http.StatusNotFound, "problem.not_found"}
	}
	if err != nil {
		return err
	}
	return r.redirect(r.link(g.path+"/"+r.PathValue("id")), "site.closed")
}

// closing is what is asked before a record is closed.
func (g register[T]) closing(r *request) (*act, error) {
	page, err := g.onRecord(r)
	if err != nil || page.Closed != nil {
		return nil, err
	}
	return &act{Title: "register.close." + g.area, Means: r.language.Say("site.close.means"),
		Back: r.link(g.path + "/" + page.ID), Facts: []line{{"site.name", page.Name}}}, nil
}

func (r *request) closingWork() (*act, error)  { return r.d.works().closing(r) }
func (r *request) closingEvent() (*act, error) { return r.d.culturalEvents().closing(r) }

// options are the records to choose from, the newest, and the one that is chosen, with what it
// means to choose none.
func (g register[T]) options(r *request, chosen, none string) ([]option, error) {
	options := []option{{"", none, ""}}
	records, _, err := g.list(g.d.store.Catalogues, r.Context(), r.scope, true, postgres.Page{Limit: sitesOffered})
	if err != nil {
		return nil, err
	}
	known := chosen == ""
	for _, record := range records {
		row := g.row(record.Record, r)
		options = append(options, option{Value: row.ID, Text: joined(row.Name, row.KnownBy, row.City)})
		known = known || row.ID == chosen
	}
	if known {
		return options, nil
	}
	record, err := g.one(g.d.store.Catalogues, r.Context(), r.scope, chosen)
	if errors.Is(err, catalogues.ErrNotRegistered) {
		return options, nil
	}
	row := g.row(record.Record, r)
	text := joined(row.Name, row.KnownBy)
	if record.ClosedAt != nil {
		text += " · " + r.language.Say("site.is_closed")
	}
	return append(options, option{Value: row.ID, Text: text}), err
}

// sitesOffered is how many records a list to choose from has.
const sitesOffered = 200
