package dashboard

import (
	"html/template"

	"emissor/dashboard/words"
)

// storedTexts are the functions by which templates show what is stored in English.
func storedTexts(language words.Language) template.FuncMap {
	return template.FuncMap{
		"rejection": language.Rejection, // of a note
		"refusal":   language.Refusal,   // of a cancellation
		"fact":      language.Fact,      // of everything that is recorded
		"sentence":  language.Sentence,  // the same, as a sentence of its own
		"word":      language.Word,      // of a call and of its outcome

		"schemaErrors": language.SchemaErrors, // of an authority's validator; empty: there are none
	}
}
