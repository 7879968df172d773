package notes

import (
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"emissor/dashboard/frame"
	"emissor/store/notes"
)

const (
	longestFilterName  = 60  // characters
	longestFilterValue = 200 // characters of a field
)

// RoutesOfFilters are for the filters of notes that a person keeps.
func RoutesOfFilters(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("POST", "/notes/filters", frame.SeeNotes, frame.Nothing, saveFilter),
		frame.On("POST", "/notes/filters/{id}/remove", frame.SeeNotes, frame.Nothing, removeFilter),
	}
}

// savedFilter is a filter that the reader has kept.
type savedFilter struct {
	ID, Name, URL string
	Current       bool // the list is filtered by it
}

// savedFilters are the reader's filters, and which of them is the one of the form.
func savedFilters(r *frame.Request, form *frame.Form) (shown []savedFilter, err error) {
	filters, err := r.D.Store.Notes.SavedFilters(r.Context(), r.Scope, r.User.ID)
	here := r.Link("/notes", filterPairs(form)...)
	for _, one := range filters {
		var pairs []string
		for _, field := range noteFields { // only what a filter has now
			pairs = append(pairs, field, one.Query[field])
		}
		url := r.Link("/notes", pairs...)
		shown = append(shown, savedFilter{one.ID, one.Name, url, url == here})
	}
	return shown, err
}

// saveFilter keeps the filter that its form carries.
func saveFilter(r *frame.Request) error {
	name := strings.TrimSpace(r.PostForm.Get("name"))
	filter := notes.SavedFilter{Name: name, Query: map[string]string{}}
	for _, field := range noteFields {
		value := strings.TrimSpace(r.PostForm.Get(field))
		if !utf8.ValidString(value) || utf8.RuneCountInString(value) > longestFilterValue ||
			strings.ContainsFunc(value, unicode.IsControl) {
			return frame.Problem{Status: http.StatusBadRequest, Key: "problem.unreadable"}
		}
		if value != "" {
			filter.Query[field] = value
		}
	}
	back := r.Link("/notes", filterPairs(frame.FormOf(filter.Query))...)
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > longestFilterName ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return r.Redirect(back, "filters.name.wrong")
	}
	if len(filter.Query) == 0 {
		return r.Redirect(back, "filters.empty")
	}
	err := r.D.Store.Notes.SaveFilter(r.Context(), r.Scope, r.User.ID, filter)
	if errors.Is(err, notes.ErrManyFilters) {
		return r.Redirect(back, "filters.many")
	}
	if err != nil {
		return err
	}
	return r.Redirect(back, "filters.saved")
}

func removeFilter(r *frame.Request) error {
	if err := r.D.Store.Notes.RemoveFilter(r.Context(), r.Scope, r.User.ID, r.PathValue("id")); err != nil {
		return err
	}
	return r.Redirect(r.Link("/notes"), "filters.removed")
}
