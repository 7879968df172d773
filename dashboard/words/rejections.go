package words

import (
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/rulecatalogue"
	"emissor/nfse"
)

// A rejection is stored in English, as the API shows it, with the facts that its texts were
// made from. From these the dashboard makes the texts in the reader's language; the
// authority's own words stay as they are.

// Rejection is a rejection in the reader's language; nil for none.
func (l Language) Rejection(stored *nfse.Rejection) *nfse.Rejection {
	if stored == nil || l == English {
		return stored
	}
	said := *stored
	l.reword(fiscal.Issue, said.Code, said.Wording, &said.Message, &said.Explanation, &said.Action)
	return &said
}

// Refusal is the refusal of a cancellation in the reader's language; nil for none.
func (l Language) Refusal(stored *nfse.Refusal) *nfse.Refusal {
	if stored == nil || l == English {
		return stored
	}
	said := *stored
	l.reword(fiscal.Cancel, said.Code, said.Wording, &said.Message, &said.Explanation, &said.Action)
	return &said
}

// reword replaces the stored texts by those in the reader's language, as far as it is known
// what they were made from.
func (l Language) reword(kind fiscal.Kind, code string, wording nfse.Wording, message, explanation, action *string) {
	if !wording.Reason.None() {
		*message = l.Fact(wording.Reason)
	}
	for _, one := range catalogues() {
		if one.name == wording.Catalogue {
			*explanation, *action, _ = one.said(l, kind, code)
			if !wording.Remark.None() {
				*explanation += " " + l.Fact(wording.Remark)
			}
		}
	}
}

// Meaning is what a code means and what to do about it where there is no rejection, as in
// figures: by the authority's catalogue, or else by another. Empty where none has it.
func (l Language) Meaning(authority string, kind fiscal.Kind, code string) (explanation, action string) {
	for _, one := range catalogues() {
		if authority != one.name && explanation != "" {
			continue
		}
		if meaning, does, known := one.said(l, kind, code); known {
			explanation, action = meaning, does
		}
	}
	return explanation, action
}

// explainer is a catalogue of codes: those of an authority and what we check of its rules, or our own.
type explainer struct {
	name string
	// said is what a code means and what a person does about it. Where known is false these
	// are general words, or empty.
	said func(l Language, kind fiscal.Kind, code string) (explanation, action string, known bool)
}

// catalogues are all of them: those of the authorities first.
func catalogues() (all []explainer) {
	for _, one := range authorities.Catalogues() {
		all = append(all, explainer{one.Name(), explained(one)})
	}
	return append(all, explainer{nfse.OwnCatalogue, explainOwn})
}

// explained explains codes by an authority's catalogue, in the reader's language.
func explained(
	by *rulecatalogue.Catalogue,
) func(Language, fiscal.Kind, string) (explanation, action string, known bool) {
	return func(l Language, kind fiscal.Kind, code string) (explanation, action string, known bool) {
		explanation, action, known = by.ExplainInPortuguese(kind, code)
		if l == English {
			explanation, action, _ = by.Explain(kind, code)
		}
		return explanation, action, known
	}
}

func explainOwn(l Language, _ fiscal.Kind, code string) (explanation, action string, known bool) {
	meaning, does := fiscal.ExplainOwn(code)
	return l.Fact(meaning), l.Fact(does), !meaning.None()
}
