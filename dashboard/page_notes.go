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

// notesOnPage is how many notes a page lists.
const notesOnPage = 50

// statuses are the states of notes in the order of their lives.
var statuses = []nfse.Status{
	nfse.StatusQueued, nfse.StatusProcessing, nfse.StatusIssued, nfse.StatusRejected, nfse.StatusCancelled,
}

// notesPage is a page of the list of notes. What it was filtered by is in its
// address, so that it can be sent as a link.
type notesPage struct {
	store.NotePage
	Form     *form
	Statuses []nfse.Status
	Filtered bool
	NewerURL string // empty: there are none
	OlderURL string
}

func (d *Dashboard) listNotes(r *request) error {
	form := r.newForm("q", "state", "since", "until")
	search := strings.TrimSpace(form.Value("q"))
	if nfse.IsID(nfse.PrefixNote, search) {
		return r.redirect(r.link("/notes/"+search), "")
	}
	filter := r.noteFilter(form, search)
	page := notesPage{Form: form, Statuses: statuses, Filtered: search != "" || form.Value("state") != "" ||
		form.Value("since") != "" || form.Value("until") != ""}
	if !form.good() {
		return r.renderStatus(http.StatusUnprocessableEntity, "notes", "section.notes", page)
	}
	var err error
	if page.NotePage, err = d.store.FilterNotes(r.Context(), r.scope, filter); err != nil {
		return err
	}
	turn := func(direction, id string) string {
		return r.link("/notes", "q", search, "state", form.Value("state"), "since", form.Value("since"), "until",
			form.Value("until"), direction, id)
	}
	if shown := page.Notes; len(shown) > 0 {
		if page.Newer {
			page.NewerURL = turn("newer", shown[0].ID)
		}
		if page.Older {
			page.OlderURL = turn("older", shown[len(shown)-1].ID)
		}
	}
	return r.render("notes", "section.notes", page)
}

// noteFilter reads what the address chooses.
func (r *request) noteFilter(form *form, search string) store.NoteFilter {
	filter := store.NoteFilter{Status: nfse.Status(form.Value("state")), Limit: notesOnPage}
	if filter.Status != "" && !slices.Contains(statuses, filter.Status) {
		form.wrong("state", "notes.state.wrong")
	}
	if nfse.IsID(nfse.PrefixRequest, search) {
		filter.RequestID = search
	} else {
		filter.Reference = search
	}
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
	query := r.URL.Query()
	if id := query.Get("older"); nfse.IsID(nfse.PrefixNote, id) {
		filter.After = id
	} else if id := query.Get("newer"); nfse.IsID(nfse.PrefixNote, id) {
		filter.Before = id
	}
	return filter
}

// downloadXML sends the document of an issued note as it is.
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
