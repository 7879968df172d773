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
		"place":     language.Place,     // of the table of cIndOp
		"fact":      language.Fact,      // of whatever is recorded
		"word":      language.Word,      // of a call, of what came of it
		"recorded":  language.Recorded,  // of a step, of what a note waits for, of a delivery
		"told":      language.Told,      // the same, where it may be somebody else's words

		"schemaErrors": language.SchemaErrors, // of an authority's validator; empty: there are none
	}
}
