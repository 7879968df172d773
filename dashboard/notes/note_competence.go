package notes

import (
	"net/http"

	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/nfse"
)

// refusedCompetence finds out whether the note waits because the authority refuses its
// day of competence, and which other days may be chosen.
func refusedCompetence(r *frame.Request, page *notePage) (err error) {
	page.RefusedCompetence, err = competenceRefusedBy(r.D, r, page.Note.ID)
	if err != nil || page.RefusedCompetence == "" {
		return err
	}
	page.FirstDay, page.LastDay, err = r.D.Catalogue.CompetenceDays(r.Context(), r.Scope.OrganizationID)
	return err
}

// competenceRefusedBy is the code by which the authority refuses a note for its day of competence;
// empty when it does not.
func competenceRefusedBy(d *frame.Dashboard, r *frame.Request, noteID string) (string, error) {
	name, code, err := d.Store.Lifecycle.RefusedBy(r.Context(), r.Scope, noteID)
	if err != nil || code == "" {
		return "", err
	}
	by, known := authorities.Named(name)
	if known && by.RepairOf(code).Act != fiscal.ChangeCompetence {
		return "", nil
	}
	return code, nil
}

// SetCompetence gives a note another day of competence, when the authority refuses the
// one that it has.
func SetCompetence(r *frame.Request) error {
	note, err := OfNote(r)
	if err != nil {
		return err
	}
	form := r.NewForm("competence")
	code, err := competenceRefusedBy(r.D, r, note.ID)
	if err != nil {
		return err
	}
	if code == "" { // it does not wait for that any more
		return r.Redirect(r.Link("/notes/"+note.ID), "note.competence.over")
	}
	day := nfse.Day(form.Trimmed("competence"))
	if err = r.D.Catalogue.CheckDay(r.Context(), r.Scope.OrganizationID, day); err == nil {
		if err := r.AskFresh(); err != nil {
			return err
		}
		err = r.Changes().Lifecycle.SetCompetence(r.Context(), r.Scope, note.ID, day)
	}
	if known := frame.AsError(err); known != nil && known.Code == nfse.CodeInvalidRequest {
		code, err := competenceRefusedBy(r.D, r, note.ID)
		if err != nil {
			return err
		}
		if code == "" { // it does not wait for that any more
			return r.Redirect(r.Link("/notes/"+note.ID), "note.competence.over")
		}
		form.AddProblem("competence", "note.competence.wrong")
		return showNote(r, http.StatusUnprocessableEntity, form)
	}
	if err != nil {
		return err
	}
	Accepted(r)
	return r.Redirect(r.Link("/notes/"+note.ID), "note.competence.moved")
}
