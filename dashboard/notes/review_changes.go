package notes

import (
	"slices"

	"emissor/dashboard/frame"
	"emissor/fiscal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// changedLine is a line of a review that is otherwise than in the note that is replaced; empty where one of
// both has none.
type changedLine struct{ Label, Before, After string }

// changedFrom are the lines in which a note differs from the one that it replaces, in their order.
func changedFrom(r *frame.Request, to company.ToReplace, note lifecycle.NewNote) ([]changedLine, error) {
	after, err := declarationOf(r, note, to.Competence)
	if err != nil {
		return nil, err
	}
	classification, err := r.D.Store.Catalogues.ServiceClassification(r.Context(), r.Scope, note.Service.ID)
	if err != nil {
		return nil, err
	}
	replaced := lifecycle.NewNote{Service: to.Service, Customer: to.Customer, Details: to.LiveNote.Details}
	replaced.AmountCents, replaced.ISSWithheld = to.AmountCents, to.ISSWithheld
	replaced.Municipality = to.Municipality
	lines, err := declaredLines(r, replaced, to.Declared(), to.Classification)
	if err != nil {
		return nil, err
	}
	now, err := declaredLines(r, note, after, classification)
	return changes(lines, now), err
}

// declaredLines are the lines of all that the document of a note states.
func declaredLines(r *frame.Request, note lifecycle.NewNote, declaration fiscal.Declaration,
	classification *nfse.Classification) ([]frame.Line, error) {
	city, err := cityRate(r, declaration)
	return slices.Concat(linesOf(r, note, declaration.Note.Competence), []frame.Line{
		{Label: "company.simples", Text: simples(r, declaration.Issuer.Simples)},
	}, setOf(r, declaration), withheldOf(r, declaration), computedOf(r, declaration, classification != nil, city),
		classified(r, classification)), err
}

// simples is whether a company is in Simples Nacional.
func simples(r *frame.Request, option nfse.SimplesOption) string {
	if word := company.SimplesWord(option); word != "" {
		return r.Language.Say("company.simples." + word)
	}
	return "–"
}

// changes are the labels whose texts are not the same.
func changes(before, after []frame.Line) (all []changedLine) {
	texts := func(lines []frame.Line, label string) (written string) {
		for _, one := range lines {
			if one.Label == label {
				written = frame.Joined(written, one.Text)
			}
		}
		return written
	}
	for _, one := range slices.Concat(after, before) {
		change := changedLine{one.Label, texts(before, one.Label), texts(after, one.Label)}
		if change.Before != change.After && !slices.Contains(all, change) {
			all = append(all, change)
		}
	}
	return all
}
