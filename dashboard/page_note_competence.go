package dashboard

import (
	"net/http"

	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/nfse"
)

// refusedCompetence finds out whether the note waits because the authority refuses its
// day of competence, and which other days may be chosen.
func (r *request) refusedCompetence(page *notePage) (err error) {
	page.RefusedCompetence, err = r.d.competenceRefusedBy(r, page.Note.ID)
	if err != nil || page.RefusedCompetence == "" {
		return err
	}
	page.FirstDay, page.LastDay, err = r.d.catalogue.CompetenceDays(r.Context(), r.scope.OrganizationID)
	return err
}

// competenceRefusedBy is the code by which the authority refuses a note for its day of competence;
// empty when it does not.
func (d *Dashboard) competenceRefusedBy(r *request, noteID string) (string, error) {
	name, code, err := d.store.Lifecycle.RefusedBy(r.Context(), r.scope, noteID)
	if err != nil || code == "" {
		return "", err
	}
	by, known := authorities.Named(name)
	if known && by.RepairOf(code).Act != fiscal.ChangeCompetence {
		return "", nil
	}
	return code, nil
}

// setCompetence gives a note another day of competence, when the authority refuses the
// one that it has.
func (d *Dashboard) setCompetence(r *request) error {
	note, err := r.ofNote()
	if err != nil {
		return err
	}
	form := r.newForm("competence")
	code, err := d.competenceRefusedBy(r, note.ID)
	if err != nil {
		return err
	}
	if code == "" { // it does not wait for that any more
		return r.redirect(r.link("/notes/"+note.ID), "note.competence.over")
	}
	day := nfse.Day(form.trimmed("competence"))
	if err = d.catalogue.CheckDay(r.Context(), r.scope.OrganizationID, day); err == nil {
		if err := r.askFresh(); err != nil {
			return err
		}
		err = r.changes().Lifecycle.SetCompetence(r.Context(), r.scope, note.ID, day)
	}
	if known := asError(err); known != nil && known.Code == nfse.CodeInvalidRequest {
		code, err := d.competenceRefusedBy(r, note.ID)
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
