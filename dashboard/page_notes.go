package dashboard

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/nfse"
	"emissor/store"
)

const (
	notesOnPage = 50  // how many notes a page lists
	takersAsked = 100 // how many customers a search for a taker may find
)

// statusHeld is no state of a note: it chooses those that wait for a person.
const statusHeld nfse.Status = "held"

// statuses are the states of notes in the order in which they come.
var statuses = []nfse.Status{
	nfse.StatusQueued, nfse.StatusProcessing, statusHeld, nfse.StatusIssued, nfse.StatusRejected, nfse.StatusCancelled,
}

// noteFields are the filters of notes, by their names in the address.
var noteFields = []string{"q", "state", "since", "until", "reference", "taker", "amount", "service", "request"}

// notesPage is a page of the list of notes. Its filters are in its address, so that it can
// be sent as a link.
type notesPage struct {
	store.NotePage
	Form     *form
	Statuses []nfse.Status
	Services []nfse.Service
	Filtered bool
	More     bool   // a field that is used rarely is filled in
	NewerURL string // empty: there are none
	OlderURL string
	CSVURL   string
	Example  string // a request that issues the first note
}

func (d *Dashboard) listNotes(r *request) error {
	form := r.newForm(noteFields...)
	search := strings.TrimSpace(form.Value("q"))
	if nfse.IsID(nfse.PrefixNote, search) {
		return r.redirect(r.link("/notes/"+search), "")
	}
	filter, err := r.noteFilter(form, search)
	if err != nil {
		return err
	}
	page := notesPage{Form: form, Statuses: statuses}
	for _, field := range noteFields {
		page.Filtered = page.Filtered || form.Value(field) != ""
		page.More = page.More || form.Value(field) != "" && slices.Contains(noteFields[4:], field)
	}
	if page.Services, _, err = r.servicesToChoose(form.Value("service")); err != nil {
		return err
	}
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "notes", "section.notes", page)
	}
	if page.NotePage, err = d.store.FilterNotes(r.Context(), r.scope, filter); err != nil {
		return err
	}
	if len(filter.IDs) == 1 && len(page.Notes) == 1 && page.Notes[0].Reference != search { // by a unique id
		return r.redirect(r.link("/notes/"+page.Notes[0].ID), "")
	}
	page.NewerURL, page.OlderURL = r.notesURL(form, "newer", page.Newer), r.notesURL(form, "older", page.Older)
	page.CSVURL = r.link("/notes.csv", filterPairs(form)...)
	if !page.Filtered && len(page.Notes) == 0 {
		page.Example = r.firstRequest(page.Services)
	}
	return r.render("notes", "section.notes", page)
}

// notesURL is the list with the same filters from a note on; empty where there is none.
func (r *request) notesURL(form *form, direction, id string) string {
	if id == "" {
		return ""
	}
	return r.link("/notes", append(filterPairs(form), direction, id)...)
}

func filterPairs(form *form) (pairs []string) {
	for _, field := range noteFields {
		pairs = append(pairs, field, form.Value(field))
	}
	return pairs
}

// noteFilter reads the filters of the address.
func (r *request) noteFilter(form *form, search string) (filter store.NoteFilter, err error) {
	filter = store.NoteFilter{Status: nfse.Status(form.Value("state")), Limit: notesOnPage,
		Reference: form.Value("reference"), RequestID: strings.TrimSpace(form.Value("request")),
		ServiceID: form.Value("service")}
	if filter.Status != "" && !slices.Contains(statuses, filter.Status) {
		form.wrong("state", "notes.state.wrong")
	}
	if filter.Status == statusHeld {
		filter.Status, filter.Held = "", true
	}
	r.readPeriod(form, &filter)
	if amount := form.Value("amount"); amount != "" {
		if filter.AmountCents, err = format.ParseMoney(amount); err != nil {
			form.wrong("amount", "notes.amount.wrong")
		}
	}
	if err := r.readSearch(form, &filter, search); err != nil {
		return filter, err
	}
	if filter.NeedsPeriod() && filter.Since.IsZero() {
		form.wrong("since", "notes.since.needed")
	}
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(nfse.PrefixNote, id) {
		filter.After = id
	} else if id := query.Get("newer"); nfse.IsID(nfse.PrefixNote, id) {
		filter.Before = id
	}
	return filter, nil
}

func (r *request) readPeriod(form *form, filter *store.NoteFilter) {
	var err error
	if filter.Since, err = format.ParseDay(form.Value("since")); err != nil {
		form.wrong("since", "notes.date.wrong")
	}
	until, err := format.ParseDay(form.Value("until"))
	if err != nil {
		form.wrong("until", "notes.date.wrong")
	} else if !until.IsZero() {
		filter.Until = until.AddDate(0, 0, 1) // the whole day
	}
}

// readSearch finds what a text names: a request, a note by any of its numbers or ids, or a
// taker.
func (r *request) readSearch(form *form, filter *store.NoteFilter, search string) (err error) {
	taker := strings.TrimSpace(form.Value("taker"))
	switch {
	case nfse.IsID(nfse.PrefixRequest, search):
		filter.RequestID = search
	case search != "":
		if filter.IDs, err = r.d.store.NotesNamed(r.Context(), r.scope, search); err != nil {
			return err
		}
		if filter.IDs == nil && taker == "" {
			taker = search
		}
		if filter.IDs == nil && taker != search {
			filter.IDs = []string{} // it names no note
		}
	}
	if taker == "" {
		return nil
	}
	id, err := nfse.ParseTaxID(taker)
	if err != nil {
		id = ""
	}
	ids, more, err := r.d.store.CustomersCalled(r.Context(), r.scope, id, taker, takersAsked)
	if err != nil {
		return err
	}
	if more {
		form.wrong("taker", "notes.taker.many")
	}
	filter.CustomerIDs = ids
	return nil
}

// downloadXML sends the document of an issued note, unchanged.
func (d *Dashboard) downloadXML(r *request) error {
	id := r.PathValue("id")
	xml, err := d.store.NoteXML(r.Context(), r.scope, id)
	if nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		return problem{http.StatusNotFound, "problem.not_found"}
	}
	if err != nil {
		return err
	}
	header := r.w.Header()
	header.Set("Content-Type", "application/xml; charset=utf-8")
	header.Set("Content-Disposition", `attachment; filename="`+id+`.xml"`)
	http.ServeContent(r.w, r.Request, "", time.Time{}, strings.NewReader(string(xml)))
	return nil
}
