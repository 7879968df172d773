package dashboard

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"emissor/dashboard/format"
	texts "emissor/internal/text"
	"emissor/nfse"
	"emissor/store/notes"
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
var noteFields = []string{"q", "state", "month", "sort", "since", "until", "reference", "taker", "amount", "service",
	"request"}

// rareFields are the filters that are folded while none is used.
var rareFields = noteFields[4:]

// noteSorts are the orders of notes, by their names in the address.
var noteSorts = []notes.NoteSort{notes.SortAccepted, notes.SortCompetence, notes.SortAmount}

// notesPage is a page of the list of notes. Its filters are in its address, so that it can
// be sent as a link.
type notesPage struct {
	notes.NotePage
	Form     *form
	Statuses []nfse.Status
	Services []nfse.Service
	Months   []monthPreset
	Sorts    map[string]string // the same notes in each order, by its name; empty: this one
	Sums     notes.NoteSums    // of what is filtered
	Saved    []savedFilter
	Keep     []filterField // what is kept of this list where it is saved as a filter
	Filtered bool
	More     bool   // a field that is used rarely is filled in
	NewerURL string // empty: there are none
	OlderURL string
	CSVURL   string

	// PartSince is since when notes were looked through for a part of a reference; nil: all were.
	PartSince    *nfse.Timestamp
	PartOlderURL string // the same search in older ones

	Example string // a request that issues the first note
}

// filterField is a field of the filter, and what it is set to.
type filterField struct{ Name, Value string }

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
	page := notesPage{Form: form, Statuses: statuses, Months: r.monthPresets(form), Sorts: r.sorts(form)}
	for _, field := range noteFields {
		page.Filtered = page.Filtered || field != "sort" && form.Value(field) != ""
		page.More = page.More || form.Value(field) != "" && slices.Contains(rareFields, field)
	}
	if page.Saved, err = r.savedFilters(form); err != nil {
		return err
	}
	if page.Services, _, err = r.servicesToChoose(form.Value("service")); err != nil {
		return err
	}
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "notes", "section.notes", page)
	}
	if page.NotePage, err = d.store.Notes.FilterNotes(r.Context(), r.scope, filter); err != nil {
		return err
	}
	if len(filter.IDs) == 1 && len(page.Notes) == 1 && // by a unique id
		!strings.Contains(strings.ToLower(page.Notes[0].Reference), strings.ToLower(search)) {
		return r.redirect(r.link("/notes/"+page.Notes[0].ID), "")
	}
	if page.Filtered && len(page.Notes) > 0 {
		if page.Sums, err = d.store.Notes.SumNotes(r.Context(), r.scope, filter); err != nil {
			return err
		}
	}
	if filter.InPart {
		if err := r.lookedForPart(&page, filter); err != nil {
			return err
		}
	}
	page.NewerURL, page.OlderURL = r.notesURL(form, "newer", page.Newer), r.notesURL(form, "older", page.Older)
	for _, field := range noteFields {
		page.Keep = append(page.Keep, filterField{field, form.Value(field)})
	}
	page.CSVURL = r.link("/notes.csv", filterPairs(form)...)
	if !page.Filtered && len(page.Notes) == 0 {
		page.Example = r.firstRequest(page.Services)
	}
	return r.render("notes", "section.notes", page)
}

// lookedForPart says since when notes were looked through for a part of a reference, and where the search goes on.
func (r *request) lookedForPart(page *notesPage, filter notes.NoteFilter) error {
	oldest, cut, err := r.d.store.Notes.LookedForPart(r.Context(), r.scope, filter.Since, filter.Until)
	if err != nil || !cut {
		return err
	}
	page.PartSince = &nfse.Timestamp{Time: oldest}
	if day := string(nfse.DayOf(oldest)); day != page.Form.Value("until") {
		page.PartOlderURL = r.link("/notes", pairsWith(page.Form, "until", day)...)
	}
	return nil
}

// notesURL is the list with the same filters from a note on; empty where there is none.
func (r *request) notesURL(form *form, direction, id string) string {
	if id == "" {
		return ""
	}
	return r.link("/notes", append(filterPairs(form), direction, id)...)
}

// monthPreset is a month of competence that one click chooses.
type monthPreset struct {
	Key, URL string
	Current  bool
}

// monthPresets are this month and the last one, with the filters that there are.
func (r *request) monthPresets(form *form) []monthPreset {
	today := nfse.DayOf(time.Now())
	preset := func(key string, month nfse.Month) monthPreset {
		return monthPreset{key, r.link("/notes", pairsWith(form, "month", string(month))...),
			form.Value("month") == string(month)}
	}
	return []monthPreset{preset("notes.month.this", nfse.MonthOf(today)), preset("notes.month.last", today.MonthBefore())}
}

// sorts are the addresses of the same notes in each order.
func (r *request) sorts(form *form) map[string]string {
	all := map[string]string{}
	for _, sort := range noteSorts {
		name := cmp.Or(string(sort), "accepted")
		if all[name] = ""; string(sort) != form.Value("sort") {
			all[name] = r.link("/notes", pairsWith(form, "sort", string(sort))...)
		}
	}
	return all
}

// sortedColumn is the head of a column by which notes can be sorted.
type sortedColumn struct{ URL, Key, Class string } // without a URL they are

func newSortedColumn(sorts map[string]string, name, key, class string) sortedColumn {
	return sortedColumn{sorts[name], key, class}
}

// numberOf is the number of an issued note's document; empty where there is none.
func numberOf(note nfse.Note) string {
	if note.Authority == nil {
		return ""
	}
	return text(note.Authority.Number)
}

// pairsWith are the filters with one of them set to another value.
func pairsWith(form *form, field, value string) (pairs []string) {
	for _, one := range noteFields {
		if one == field {
			pairs = append(pairs, one, value)
		} else {
			pairs = append(pairs, one, form.Value(one))
		}
	}
	return pairs
}

func filterPairs(form *form) (pairs []string) {
	for _, field := range noteFields {
		pairs = append(pairs, field, form.Value(field))
	}
	return pairs
}

// noteFilter reads the filters of the address.
func (r *request) noteFilter(form *form, search string) (filter notes.NoteFilter, err error) {
	filter = notes.NoteFilter{Status: nfse.Status(form.Value("state")), Limit: notesOnPage,
		Reference: form.Value("reference"), RequestID: strings.TrimSpace(form.Value("request")),
		ServiceID: form.Value("service")}
	if filter.Status != "" && !slices.Contains(statuses, filter.Status) {
		form.wrong("state", "notes.state.wrong")
	}
	if filter.Status == statusHeld {
		filter.Status, filter.Held = "", true
	}
	r.readPeriod(form, &filter)
	if month := form.Value("month"); month != "" {
		if filter.Month, err = nfse.ParseMonth(month); err != nil {
			form.wrong("month", "notes.month.wrong")
		}
	}
	if sort := notes.NoteSort(form.Value("sort")); slices.Contains(noteSorts, sort) {
		filter.Sort = sort
	}
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

func (r *request) readPeriod(form *form, filter *notes.NoteFilter) {
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
func (r *request) readSearch(form *form, filter *notes.NoteFilter, search string) (err error) {
	taker := strings.TrimSpace(form.Value("taker"))
	switch {
	case nfse.IsID(nfse.PrefixRequest, search):
		filter.RequestID = search
	case search != "":
		if filter.IDs, err = r.d.store.Notes.NotesNamed(r.Context(), r.scope, search); err != nil {
			return err
		}
		if filter.IDs != nil {
			break
		}
		if taker == "" {
			if filter.CustomerIDs, err = r.takersCalled(form, search); err != nil || len(filter.CustomerIDs) > 0 {
				return err
			}
			filter.CustomerIDs = nil
		}
		filter.IDs, err = r.d.store.Notes.NotesNamedInPart(r.Context(), r.scope, search, filter.Since, filter.Until)
		filter.InPart = true
		if filter.IDs == nil {
			filter.IDs = []string{} // it names no note
		}
	}
	if taker != "" && err == nil {
		filter.CustomerIDs, err = r.takersCalled(form, taker)
	}
	return err
}

// takersCalled finds the customers that a text names by tax id or by words of the name; where these are too
// many, those with just this name.
func (r *request) takersCalled(form *form, taker string) ([]string, error) {
	if id, err := nfse.ParseTaxID(taker); err == nil {
		customer, err := r.d.store.Catalogues.CustomerByTaxID(r.Context(), r.scope, id)
		if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return []string{}, nil
		}
		return []string{customer.ID}, err
	}
	customers, more, err := r.d.store.Catalogues.CustomersByWords(r.Context(), r.scope, taker, takersAsked)
	if more {
		others := slices.IndexFunc(customers, func(one nfse.Customer) bool { return strings.TrimSpace(one.Name) != taker })
		if customers = customers[:max(others, 0)]; len(customers) == 0 {
			form.wrong("taker", "notes.taker.many")
		}
	}
	ids := []string{}
	for _, customer := range customers {
		ids = append(ids, customer.ID)
	}
	return ids, err
}

// noteFile is the name of a file of a note, by its number or else by its reference.
func (r *request) noteFile(note nfse.Note, extension string) string {
	return texts.NoteFile(cmp.Or(numberOf(note), note.Reference), r.organization, extension)
}

// downloadXML sends the document of an issued note, unchanged.
func (d *Dashboard) downloadXML(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	xml, err := d.store.Notes.NoteXML(r.Context(), r.scope, note.ID)
	if nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		return problem{http.StatusNotFound, "problem.not_found"}
	}
	if err != nil {
		return err
	}
	header := r.w.Header()
	header.Set("Content-Type", "application/xml; charset=utf-8")
	header.Set("Content-Disposition", texts.Attachment(r.noteFile(note, ".xml")))
	http.ServeContent(r.w, r.Request, "", time.Time{}, strings.NewReader(string(xml)))
	return nil
}
