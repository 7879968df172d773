package notes

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	texts "emissor/internal/text"
	"emissor/nfse"
	"emissor/store/notes"
)

const (
	notesOnPage = 50  // how many notes a page lists
	takersAsked = 100 // how many customers a search for a taker may find
)

// StatusHeld is no state of a note: it chooses those that wait for a person.
const StatusHeld nfse.Status = "held"

// statuses are the states of notes in the order in which they come.
var statuses = []nfse.Status{
	nfse.StatusQueued, nfse.StatusProcessing, StatusHeld, nfse.StatusIssued, nfse.StatusRejected, nfse.StatusCancelled,
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
	Form     *frame.Form
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

func ListNotes(r *frame.Request) error {
	form := r.NewForm(noteFields...)
	search := strings.TrimSpace(form.Value("q"))
	if nfse.IsID(nfse.PrefixNote, search) {
		return r.Redirect(r.Link("/notes/"+search), "")
	}
	filter, err := noteFilter(r, form, search)
	if err != nil {
		return err
	}
	page := notesPage{Form: form, Statuses: statuses, Months: monthPresets(r, form), Sorts: sorts(r, form)}
	for _, field := range noteFields {
		page.Filtered = page.Filtered || field != "sort" && form.Value(field) != ""
		page.More = page.More || form.Value(field) != "" && slices.Contains(rareFields, field)
	}
	if page.Saved, err = savedFilters(r, form); err != nil {
		return err
	}
	if page.Services, _, err = ServicesToChoose(r, form.Value("service")); err != nil {
		return err
	}
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "notes", "section.notes", page)
	}
	if page.NotePage, err = r.D.Store.Notes.FilterNotes(r.Context(), r.Scope, filter); err != nil {
		return err
	}
	if len(filter.IDs) == 1 && len(page.Notes) == 1 && // by a unique id
		!strings.Contains(strings.ToLower(page.Notes[0].Reference), strings.ToLower(search)) {
		return r.Redirect(r.Link("/notes/"+page.Notes[0].ID), "")
	}
	if page.Filtered && len(page.Notes) > 0 {
		if page.Sums, err = r.D.Store.Notes.SumNotes(r.Context(), r.Scope, filter); err != nil {
			return err
		}
	}
	if filter.InPart {
		if err := lookedForPart(r, &page, filter); err != nil {
			return err
		}
	}
	page.NewerURL, page.OlderURL = notesURL(r, form, "newer", page.Newer), notesURL(r, form, "older", page.Older)
	for _, field := range noteFields {
		page.Keep = append(page.Keep, filterField{field, form.Value(field)})
	}
	page.CSVURL = r.Link("/notes.csv", filterPairs(form)...)
	if !page.Filtered && len(page.Notes) == 0 {
		page.Example = r.FirstRequest(page.Services)
	}
	return r.Render("notes", "section.notes", page)
}

// lookedForPart says since when notes were looked through for a part of a reference, and where the search goes on.
func lookedForPart(r *frame.Request, page *notesPage, filter notes.NoteFilter) error {
	oldest, cut, err := r.D.Store.Notes.LookedForPart(r.Context(), r.Scope, filter.Since, filter.Until)
	if err != nil || !cut {
		return err
	}
	page.PartSince = &nfse.Timestamp{Time: oldest}
	if day := string(nfse.DayOf(oldest)); day != page.Form.Value("until") {
		page.PartOlderURL = r.Link("/notes", pairsWith(page.Form, "until", day)...)
	}
	return nil
}

// notesURL is the list with the same filters from a note on; empty where there is none.
func notesURL(r *frame.Request, form *frame.Form, direction, id string) string {
	if id == "" {
		return ""
	}
	return r.Link("/notes", append(filterPairs(form), direction, id)...)
}

// monthPreset is a month of competence that one click chooses.
type monthPreset struct {
	Key, URL string
	Current  bool
}

// monthPresets are this month and the last one, with the filters that there are.
func monthPresets(r *frame.Request, form *frame.Form) []monthPreset {
	today := nfse.DayOf(time.Now())
	preset := func(key string, month nfse.Month) monthPreset {
		return monthPreset{key, r.Link("/notes", pairsWith(form, "month", string(month))...),
			form.Value("month") == string(month)}
	}
	return []monthPreset{preset("notes.month.this", nfse.MonthOf(today)), preset("notes.month.last", today.MonthBefore())}
}

// sorts are the addresses of the same notes in each order.
func sorts(r *frame.Request, form *frame.Form) map[string]string {
	all := map[string]string{}
	for _, sort := range noteSorts {
		name := cmp.Or(string(sort), "accepted")
		if all[name] = ""; string(sort) != form.Value("sort") {
			all[name] = r.Link("/notes", pairsWith(form, "sort", string(sort))...)
		}
	}
	return all
}

// sortedColumn is the head of a column by which notes can be sorted.
type sortedColumn struct{ URL, Key, Class string } // without a URL they are

func NewSortedColumn(sorts map[string]string, name, key, class string) sortedColumn {
	return sortedColumn{sorts[name], key, class}
}

// pairsWith are the filters with one of them set to another value.
func pairsWith(form *frame.Form, field, value string) (pairs []string) {
	for _, one := range noteFields {
		if one == field {
			pairs = append(pairs, one, value)
		} else {
			pairs = append(pairs, one, form.Value(one))
		}
	}
	return pairs
}

func filterPairs(form *frame.Form) (pairs []string) {
	for _, field := range noteFields {
		pairs = append(pairs, field, form.Value(field))
	}
	return pairs
}

// noteFilter reads the filters of the address.
func noteFilter(r *frame.Request, form *frame.Form, search string) (filter notes.NoteFilter, err error) {
	filter = notes.NoteFilter{Status: nfse.Status(form.Value("state")), Limit: notesOnPage,
		Reference: form.Value("reference"), RequestID: strings.TrimSpace(form.Value("request")),
		ServiceID: form.Value("service")}
	if filter.Status != "" && !slices.Contains(statuses, filter.Status) {
		form.AddProblem("state", "notes.state.wrong")
	}
	if filter.Status == StatusHeld {
		filter.Status, filter.Held = "", true
	}
	readPeriod(r, form, &filter)
	if month := form.Value("month"); month != "" {
		if filter.Month, err = nfse.ParseMonth(month); err != nil {
			form.AddProblem("month", "notes.month.wrong")
		}
	}
	if sort := notes.NoteSort(form.Value("sort")); slices.Contains(noteSorts, sort) {
		filter.Sort = sort
	}
	if amount := form.Value("amount"); amount != "" {
		if filter.AmountCents, err = format.ParseMoney(amount); err != nil {
			form.AddProblem("amount", "notes.amount.wrong")
		}
	}
	if err := readSearch(r, form, &filter, search); err != nil {
		return filter, err
	}
	if filter.NeedsPeriod() && filter.Since.IsZero() {
		form.AddProblem("since", "notes.since.needed")
	}
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(nfse.PrefixNote, id) {
		filter.After = id
	} else if id := query.Get("newer"); nfse.IsID(nfse.PrefixNote, id) {
		filter.Before = id
	}
	return filter, nil
}

func readPeriod(r *frame.Request, form *frame.Form, filter *notes.NoteFilter) {
	var err error
	if filter.Since, err = format.ParseDay(form.Value("since")); err != nil {
		form.AddProblem("since", "notes.date.wrong")
	}
	until, err := format.ParseDay(form.Value("until"))
	if err != nil {
		form.AddProblem("until", "notes.date.wrong")
	} else if !until.IsZero() {
		filter.Until = until.AddDate(0, 0, 1) // the whole day
	}
}

// readSearch finds what a text names: a request, a note by any of its numbers or ids, or a
// taker.
func readSearch(r *frame.Request, form *frame.Form, filter *notes.NoteFilter, search string) (err error) {
	taker := strings.TrimSpace(form.Value("taker"))
	switch {
	case nfse.IsID(nfse.PrefixRequest, search):
		filter.RequestID = search
	case search != "":
		if filter.IDs, err = r.D.Store.Notes.NotesNamed(r.Context(), r.Scope, search); err != nil {
			return err
		}
		if filter.IDs != nil {
			break
		}
		if taker == "" {
			if filter.CustomerIDs, err = takersCalled(r, form, search); err != nil || len(filter.CustomerIDs) > 0 {
				return err
			}
			filter.CustomerIDs = nil
		}
		filter.IDs, err = r.D.Store.Notes.NotesNamedInPart(r.Context(), r.Scope, search, filter.Since, filter.Until)
		filter.InPart = true
		if filter.IDs == nil {
			filter.IDs = []string{} // it names no note
		}
	}
	if taker != "" && err == nil {
		filter.CustomerIDs, err = takersCalled(r, form, taker)
	}
	return err
}

// takersCalled finds the customers that a text names by tax id or by words of the name; where these are too
// many, those with just this name.
func takersCalled(r *frame.Request, form *frame.Form, taker string) ([]string, error) {
	if id, err := nfse.ParseTaxID(taker); err == nil {
		customer, err := r.D.Store.Catalogues.CustomerByTaxID(r.Context(), r.Scope, id)
		if nfse.IsCode(err, nfse.CodeCustomerNotFound) {
			return []string{}, nil
		}
		return []string{customer.ID}, err
	}
	customers, more, err := r.D.Store.Catalogues.CustomersByWords(r.Context(), r.Scope, taker, takersAsked)
	if more {
		others := slices.IndexFunc(customers, func(one nfse.Customer) bool { return strings.TrimSpace(one.Name) != taker })
		if customers = customers[:max(others, 0)]; len(customers) == 0 {
			form.AddProblem("taker", "notes.taker.many")
		}
	}
	ids := []string{}
	for _, customer := range customers {
		ids = append(ids, customer.ID)
	}
	return ids, err
}

// noteFile is the name of a file of a note, by its number or else by its reference.
func noteFile(r *frame.Request, note nfse.Note, extension string) string {
	return texts.NoteFile(cmp.Or(frame.NumberOf(note), note.Reference), r.Organization, extension)
}

// DownloadXML sends the document of an issued note, unchanged.
func DownloadXML(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	xml, err := r.D.Store.Notes.NoteXML(r.Context(), r.Scope, note.ID)
	if nfse.IsCode(err, nfse.CodeXMLNotAvailable) {
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.not_found"}
	}
	if err != nil {
		return err
	}
	header := r.W.Header()
	header.Set("Content-Type", "application/xml; charset=utf-8")
	header.Set("Content-Disposition", texts.Attachment(noteFile(r, note, ".xml")))
	http.ServeContent(r.W, r.Request, "", time.Time{}, strings.NewReader(string(xml)))
	return nil
}
