package rulecatalogue

import (
	"regexp"

	"emissor/internal/text"
)

// Said are the words by which an authority says without a code what Code stands for here.
type Said struct {
	Code  string
	Words *regexp.Regexp // in the text as text.Folded has it
	From  string         // where they were seen
}

// CodeSaid returns the code of the first of these that a text has; empty for other texts.
func CodeSaid(table []Said, words string) string {
	folded := text.Folded(words)
	for _, one := range table {
		if one.Words.MatchString(folded) {
			return one.Code
		}
	}
	return ""
}
