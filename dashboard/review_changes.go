package dashboard

import (
	"slices"

	"emissor/fiscal"
	"emissor/issuing/company"
	"emissor/nfse"
	"emissor/store/lifecycle"
)

// changedLine is a line of a review that is otherwise than in the note that is replaced; empty where one of
// both has none.
type changedLine struct{ Label, Before, After string }

// changedFrom are the lines in which a note differs from the one that it replaces, in their order.
func (r *request) changedFrom(to company.ToReplace, note lifecycle.NewNote) ([]changedLine, error) {
	after, err := r.declarationOf(note, to.Competence)
	if err != nil {
		return nil, err
	}
	classification, err := r.d.store.Catalogues.ServiceClassification(r.Context(), r.scope, note.Service.ID)
	if err != nil {
		return nil, err
	}
	replaced := lifecycle.NewNote{Service: to.Service, Customer: to.Customer, Details: to.LiveNote.Details}
	replaced.AmountCents, replaced.ISSWithheld = to.AmountCents, to.ISSWithheld
	replaced.Municipality = to.Municipality
	lines, err := r.declaredLines(replaced, to.Declared(), to.Classification)
	if err != nil {
		return nil, err
	}
	now, err := r.declaredLines(note, after, classification)
	return changes(lines, now), err
}

// declaredLines are the lines of all that the document of a note states.
func (r *request) declaredLines(note lifecycle.NewNote, declaration fiscal.Declaration,
	classification *nfse.Classification) ([]line, error) {
	city, err := r.cityRate(declaration)
	return slices.Concat(r.linesOf(note, declaration.Note.Competence), []line{
		{"company.simples", r.simples(declaration.Issuer.Simples)},
	}, r.setOf(declaration), r.withheldOf(declaration), r.computedOf(declaration, classification != nil, city),
		r.classified(classification)), err
}

// simples is whether a company is in Simples Nacional.
func (r *request) simples(option nfse.SimplesOption) string {
	if word := company.SimplesWord(option); word != "" {
		return r.language.Say("company.simples." + word)
	}
	return "–"
}

// changes are the labels whose texts are not the same.
func changes(before, after []line) (all []changedLine) {
	texts := func(lines []line, label string) (written string) {
		for _, one := range lines {
			if one.Label == label {
				written = joined(written, one.Text)
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
