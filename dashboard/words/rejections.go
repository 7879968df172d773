package words

import (
	"emissor/fiscal"
	"emissor/fiscal/authorities"
	"emissor/fiscal/description"
	"emissor/nfse"
)

// A rejection is stored in English, as the API shows it, with what its texts were made of.
// The dashboard says it in the reader's language by that: the authority's own words stay
// as they are.

// Rejection says why a note was rejected; nil for none.
func (l Language) Rejection(stored *nfse.Rejection) *nfse.Rejection {
	if stored == nil || l == English {
		return stored
	}
	said := *stored
	l.reword(fiscal.Issue, said.Code, said.Wording, &said.Message, &said.Explanation, &said.Action)
	return &said
}

// Refusal says why a cancellation was refused; nil for none.
func (l Language) Refusal(stored *nfse.Refusal) *nfse.Refusal {
	if stored == nil || l == English {
		return stored
	}
	said := *stored
	l.reword(fiscal.Cancel, said.Code, said.Wording, &said.Message, &said.Explanation, &said.Action)
	return &said
}

// reword puts the reader's words in the place of the stored ones, as far as it is known what
// these were made of.
func (l Language) reword(kind fiscal.Kind, code string, wording nfse.Wording, message, explanation, action *string) {
	if !wording.Reason.None() {
		*message = l.Fact(wording.Reason)
	}
	for _, one := range catalogues {
		if one.name == wording.Catalogue {
			*explanation, *action, _ = one.said(l, kind, code)
			if !wording.Remark.None() {
				*explanation += " " + l.Fact(wording.Remark)
			}
		}
	}
}

// Meaning says what a code means and what to do about it where no rejection is at
// hand, as in figures: what the authority means by it, or else another catalogue. Empty
// where it is in none.
func (l Language) Meaning(authority string, kind fiscal.Kind, code string) (explanation, action string) {
	for _, one := range catalogues {
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

var catalogues = func() (all []explainer) {
	for _, by := range authorities.All {
		all = append(all, explainer{by.Name, explained(by)})
	}
	return append(all, explainer{nfse.OwnCatalogue, explainOwn})
}()

// explained says it by an authority's catalogue, in the reader's language.
func explained(
	by description.Authority,
) func(Language, fiscal.Kind, string) (explanation, action string, known bool) {
	return func(l Language, kind fiscal.Kind, code string) (explanation, action string, known bool) {
		explanation, action, known = by.Catalogue.ExplainInPortuguese(kind, code)
		if l == English {
			explanation, action, _ = by.Catalogue.Explain(kind, code)
		}
		return explanation, action, known
	}
}

func explainOwn(l Language, _ fiscal.Kind, code string) (explanation, action string, known bool) {
	meaning, does := fiscal.ExplainOwn(code)
	return l.Fact(meaning), l.Fact(does), !meaning.None()
}
