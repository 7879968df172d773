package dashboard

import (
	"net/http"

	"emissor/nfse"
)

// refusedCompetence finds out whether the note waits because the authority refuses its
// day of competence, and which other days may be chosen.
func (r *request) refusedCompetence(page *notePage) (err error) {
	page.RefusedCompetence, err = r.d.store.RefusedCompetence(r.Context(), r.scope, page.Note.ID)
	if err != nil || page.RefusedCompetence == "" {
		return err
	}
	page.FirstDay, page.LastDay, err = r.d.catalogue.CompetenceDays(r.Context(), r.scope.OrganizationID)
	return err
}

// setCompetence gives a note another day of competence, when the authority refuses the
// one that it has.
func (d *Dashboard) setCompetence(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	form := r.newForm("competence")
	err = d.catalogue.SetCompetence(r.Context(), r.changes(), r.scope, note.ID, nfse.Day(form.trimmed("competence")))
	if known := asError(err); known != nil && known.Code == nfse.CodeInvalidRequest {
		code, err := d.store.RefusedCompetence(r.Context(), r.scope, note.ID)
		if err != nil {
			return err
		}
		if code == "" { // it does not wait for that any more
			return r.redirect(r.link("/notes/"+note.ID), "note.competence.over")
		}
		form.wrong("competence", "note.competence.wrong")
		return r.showNote(http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	r.accepted()
	return r.redirect(r.link("/notes/"+note.ID), "note.competence.moved")
}
