package catalogues

import (
	"errors"
	"net/http"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/issuing/catalogue"
	"emissor/nfse"
	"emissor/store/catalogues"
	"emissor/store/postgres"
)

// Register is a register of the company as the dashboard has it: works, or events.
type Register[T nfse.Work | nfse.CulturalEvent] struct {
	catalogues.Register[T]
	path   string // of its list
	area   string // of its messages: works or events
	fields []string

	read  func(map[string]string) (T, []*nfse.Error)
	texts func(T) map[string]string
	Row   func(T, *frame.Request) registerRow
}

var Works = Register[nfse.Work]{
	Register: catalogues.Works,
	path:     "/catalogue/works", area: "works", fields: catalogue.WorkFields,
	read: catalogue.ReadWork, texts: catalogue.TextsOfWork,
	Row: func(work nfse.Work, _ *frame.Request) registerRow {
		return registerRow{ID: work.ID, Name: work.Name, KnownBy: work.Registration + work.CIB,
			City: MunicipalityName(work.MunicipalityCode)}
	},
}

var CulturalEvents = Register[nfse.CulturalEvent]{
	Register: catalogues.CulturalEvents,
	path:     "/catalogue/events", area: "events", fields: catalogue.CulturalEventFields,
	read: catalogue.ReadCulturalEvent, texts: catalogue.TextsOfCulturalEvent,
	Row: func(event nfse.CulturalEvent, r *frame.Request) registerRow {
		return registerRow{ID: event.ID, Name: event.Name, City: MunicipalityName(event.MunicipalityCode),
			KnownBy: format.Date(r.Language, event.From) + " – " + format.Date(r.Language, event.Through)}
	},
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
	Form       *frame.Form
	Fields     []frame.Field
	Version    string
	Changed    bool // by somebody else meanwhile
	Found      []frame.Found
}

// None is an empty list of differences: the form has what was typed, and a link to what is there.
func (sitePage) None() []frame.Difference { return nil }

func (g Register[T]) Routes() []frame.Route {
	return []frame.Route{
		frame.On("GET", g.path, frame.SeeCatalogue, frame.Nothing, g.showList),
		frame.On("GET", g.path+"/new", frame.ChangeCatalogue, frame.Nothing, g.showNew),
		frame.On("POST", g.path, frame.ChangeCatalogue, frame.Nothing, g.save),
		frame.On("GET", g.path+"/{id}", frame.SeeCatalogue, frame.Nothing, g.show),
		frame.On("POST", g.path+"/{id}", frame.ChangeCatalogue, frame.Nothing, g.save),
		frame.On("POST", g.path+"/{id}/close", frame.ChangeCatalogue, frame.AConfirmation, g.end),
	}
}

func (g Register[T]) showList(r *frame.Request) error {
	after := r.URL.Query().Get("older")
	if !nfse.IsID(g.Prefix, after) {
		after = ""
	}
	records, more, err := g.List(r.Context(), r.D.Store.Catalogues, r.Scope, false,
		postgres.Page{Limit: RecordsOnPage, After: after})
	if err != nil {
		return err
	}
	page := registerPage{Area: g.area, Path: g.path, First: after == ""}
	for _, record := range records {
		row := g.Row(record.Record, r)
		row.Closed = record.ClosedAt
		page.Rows = append(page.Rows, row)
	}
	if more {
		page.OlderURL = r.Link(g.path, "older", records[len(records)-1].ID)
	}
	return r.Render("register", "section."+g.area, page)
}

func (g Register[T]) showNew(r *frame.Request) error {
	return g.render(r, http.StatusOK, sitePage{Form: r.NewForm()})
}

func (g Register[T]) render(r *frame.Request, status int, page sitePage) error {
	page.Area, page.Path = g.area, g.path
	for _, name := range g.fields {
		kind := "text"
		if name == "from" || name == "through" {
			kind = "date"
		}
		page.Fields = append(page.Fields, frame.NewField(page.Form, name, "site."+name, kind))
	}
	title := "register.new." + g.area
	if page.ID != "" {
		title = "register.one." + g.area
	}
	return r.RenderStatus(status, "site", title, page)
}

// onRecord is the page of a record as it is.
func (g Register[T]) onRecord(r *frame.Request) (sitePage, error) {
	record, err := g.One(r.Context(), r.D.Store.Catalogues, r.Scope, r.PathValue("id"))
	if errors.Is(err, catalogues.ErrNotRegistered) {
		err = frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	return sitePage{
		ID: record.ID, Name: g.Row(record.Record, r).Name, Closed: record.ClosedAt,
		Form: frame.FormOf(g.texts(record.Record)), Version: nfse.VersionOf(record.Record),
	}, err
}

func (g Register[T]) show(r *frame.Request) error {
	page, err := g.onRecord(r)
	if err != nil {
		return err
	}
	return g.render(r, http.StatusOK, page)
}

// save adds a record, or changes the one that the address names.
func (g Register[T]) save(r *frame.Request) (err error) {
	page := sitePage{}
	if r.PathValue("id") != "" {
		if page, err = g.onRecord(r); err != nil {
			return err
		}
	}
	current := page.Version
	page.Form, page.Version = r.NewForm(g.fields...), r.PostForm.Get("version")
	search := map[string]func(string) frame.Found{"municipality_code": SearchMunicipality("municipality_code")}
	var only bool
	if page.Found, only = r.LookedFor(page.Form, search); only {
		return g.render(r, http.StatusOK, page)
	}
	record, problems := g.read(page.Form.Values)
	for _, problem := range problems {
		page.Form.AddProblem(problem.Field, "site.wrong."+problem.Field)
	}
	if !page.Form.Good() {
		return g.render(r, http.StatusUnprocessableEntity, page)
	}
	if page.ID == "" {
		added, err := g.Add(r.Context(), r.Changes().Catalogues, r.Scope, record)
		if err != nil {
			return err
		}
		return r.Redirect(r.Link(g.path+"/"+added.ID), "site.added")
	}
	err = g.Set(r.Context(), r.Changes().Catalogues, r.Scope, page.ID, record, page.Version)
	switch {
	case errors.Is(err, postgres.ErrChanged), errors.Is(err, catalogues.ErrClosed):
		page.Changed, page.Version = true, current
		return g.render(r, http.StatusConflict, page)
	case err != nil:
		return err
	}
	return r.Redirect(r.Link(g.path+"/"+page.ID), "site.changed")
}

func (g Register[T]) end(r *frame.Request) error {
	err := g.Close(r.Context(), r.Changes().Catalogues, r.Scope, r.PathValue("id"))
	if errors.Is(err, catalogues.ErrNotRegistered) {
		err = frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	if err != nil {
		return err
	}
	return r.Redirect(r.Link(g.path+"/"+r.PathValue("id")), "site.closed")
}

// Closing is what is asked before a record is closed.
func (g Register[T]) Closing(r *frame.Request) (*frame.Act, error) {
	page, err := g.onRecord(r)
	if err != nil || page.Closed != nil {
		return nil, err
	}
	return &frame.Act{Title: "register.close." + g.area, Means: r.Language.Say("site.close.means"),
		Back: r.Link(g.path + "/" + page.ID), Facts: []frame.Line{{Label: "site.name", Text: page.Name}}}, nil
}

// Options are the records to choose from, the newest, and the one that is chosen, with what it
// means to choose none.
func (g Register[T]) Options(r *frame.Request, chosen, none string) ([]frame.Option, error) {
	options := []frame.Option{{Value: "", Key: none, Text: ""}}
	records, _, err := g.List(r.Context(), r.D.Store.Catalogues, r.Scope, true, postgres.Page{Limit: sitesOffered})
	if err != nil {
		return nil, err
	}
	known := chosen == ""
	for _, record := range records {
		row := g.Row(record.Record, r)
		options = append(options, frame.Option{Value: row.ID, Text: frame.Joined(row.Name, row.KnownBy, row.City)})
		known = known || row.ID == chosen
	}
	if known {
		return options, nil
	}
	record, err := g.One(r.Context(), r.D.Store.Catalogues, r.Scope, chosen)
	if errors.Is(err, catalogues.ErrNotRegistered) {
		return options, nil
	}
	row := g.Row(record.Record, r)
	text := frame.Joined(row.Name, row.KnownBy)
	if record.ClosedAt != nil {
		text += " · " + r.Language.Say("site.is_closed")
	}
	return append(options, frame.Option{Value: row.ID, Text: text}), err
}

// sitesOffered is how many records a list to choose from has.
const sitesOffered = 200
