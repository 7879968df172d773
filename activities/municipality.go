package activities

import (
	"context"

	"emissor/fiscal"
	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/workflows"
)

// Municipality is the late check of a note's municipality: the look-up that no service
// answered when the note was accepted is repeated before anything is transmitted.
type Municipality struct {
	Notes
	Resolver *municipality.Resolver
}

// VerifyMunicipality asks the zip code services again. When still none answers it
// returns an error, so that it is tried later.
func (a *Municipality) VerifyMunicipality(ctx context.Context, noteID string) (workflows.MunicipalityAnswer, error) {
	question, err := a.Store.Lifecycle.MunicipalityQuestion(ctx, noteID)
	if err != nil {
		return "", Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	if !question.Pending {
		return workflows.MunicipalitySettled, nil
	}
	answer, err := a.Resolver.Lookup(ctx, question.Scope, question.ZipCode)
	if err != nil {
		return "", Failure(ctx, a.Logger.With("note_id", noteID), err)
	}
	decision, err := municipality.Decide(answer, question.Code)
	switch {
	case nfse.IsCode(err, nfse.CodeMunicipalityConflict):
		return workflows.MunicipalityConflict, nil
	case err == nil && decision.CheckLater:
		err = nfse.Unavailable(nfse.CodeZipCodeLookupUnavailable, "", "no zip code service answered")
	case err == nil:
		err = a.Store.Lifecycle.CloseMunicipalityQuestion(ctx, noteID, decision.Verified)
	}
	return workflows.MunicipalitySettled, Failure(ctx, a.Logger.With("note_id", noteID), err)
}

// KeepDeclaredMunicipality ends the late check without an answer.
func (a *Municipality) KeepDeclaredMunicipality(ctx context.Context, noteID string) (workflows.NoteState, error) {
	err := a.Store.Lifecycle.CloseMunicipalityQuestion(ctx, noteID, false)
	return workflows.NoteState{Status: nfse.StatusProcessing}, Failure(ctx, a.Logger.With("note_id", noteID), err)
}

// RejectMunicipality ends a note whose zip code is in another municipality than
// declared.
func (a *Municipality) RejectMunicipality(ctx context.Context, noteID string) (workflows.NoteState, error) {
	settled, err := a.Store.Lifecycle.SettleRejected(ctx, noteID, fiscal.ConflictingMunicipality())
	return a.report(ctx, noteID, settled, err)
}
