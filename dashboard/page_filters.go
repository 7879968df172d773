package dashboard

import (
	"errors"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"emissor/store/notes"
)

const (
	longestFilterName  = 60  // characters
	longestFilterValue = 200 // characters of a field
)

// routesOfFilters are for the filters of notes that a person keeps.
func (d *Dashboard) routesOfFilters() []route {
	return []route{
		{"POST", "/notes/filters", seeNotes, nothing, d.saveFilter},
		{"POST", "/notes/filters/{id}/remove", seeNotes, nothing, d.removeFilter},
	}
}

// savedFilter is a filter that the reader has kept.
type savedFilter struct {
	ID, Name, URL string
	Current       bool // the list is filtered by it
}

// savedFilters are the reader's filters, and which of them is the one of the form.
func (r *request) savedFilters(form *form) (shown []savedFilter, err error) {
	filters, err := r.d.store.Notes.SavedFilters(r.Context(), r.scope, r.user.ID)
	here := r.link("/notes", filterPairs(form)...)
	for _, one := range filters {
		var pairs []string
		for _, field := range noteFields { // only what a filter has now
			pairs = append(pairs, field, one.Query[field])
		}
		url := r.link("/notes", pairs...)
		shown = append(shown, savedFilter{one.ID, one.Name, url, url == here})
	}
	return shown, err
}

// saveFilter keeps the filter that its form carries.
func (d *Dashboard) saveFilter(r *request) error {
	name := strings.TrimSpace(r.PostForm.Get("name"))
	filter := notes.SavedFilter{Name: name, Query: map[string]string{}}
	for _, field := range noteFields {
		value := strings.TrimSpace(r.PostForm.Get(field))
		if !utf8.ValidString(value) || utf8.RuneCountInString(value) > longestFilterValue ||
			strings.ContainsFunc(value, unicode.IsControl) {
			return problem{http.StatusBadRequest, "problem.unreadable"}
		}
		if value != "" {
			filter.Query[field] = value
		}
	}
	back := r.link("/notes", filterPairs(formOf(filter.Query))...)
	if name == "" || !utf8.ValidString(name) || utf8.RuneCountInString(name) > longestFilterName ||
		strings.ContainsFunc(name, unicode.IsControl) {
		return r.redirect(back, "filters.name.wrong")
	}
	if len(filter.Query) == 0 {
		return r.redirect(back, "filters.empty")
	}
	err := d.store.Notes.SaveFilter(r.Context(), r.scope, r.user.ID, filter)
	if errors.Is(err, notes.ErrManyFilters) {
		return r.redirect(back, "filters.many")
	}
	if err != nil {
		return err
	}
	return r.redirect(back, "filters.saved")
}

func (d *Dashboard) removeFilter(r *request) error {
	if err := d.store.Notes.RemoveFilter(r.Context(), r.scope, r.user.ID, r.PathValue("id")); err != nil {
		return err
	}
	return r.redirect(r.link("/notes"), "filters.removed")
}
