package dashboard

import (
	"emissor/nfse"
	"emissor/store"
)

// overviewPage is the first page.
type overviewPage struct{ Notes []nfse.Note }

func (d *Dashboard) showOverview(r *request) error {
	latest, err := d.store.FilterNotes(r.Context(), r.scope, store.NoteFilter{Limit: 5})
	if err != nil {
		return err
	}
	return r.render("overview", "section.overview", overviewPage{latest.Notes})
}
